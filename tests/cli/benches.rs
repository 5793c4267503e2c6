//! Benchmarks at small loads: what they answer, and that it agrees.

use serde_json::Value;

use crate::cluster::Cluster;
use crate::support::{House, Ran};

#[test]
fn both_ways_of_asking_a_hotel_name_the_same_rooms() {
    let house = House::none();
    let free = |line: &str| -> (Value, Value) {
        let report = house.json(line).done();
        assert_eq!(report["same_rooms"], true);
        assert_eq!(report["verified"], true);
        // four rooms with a night each, and beside them every booking of the year
        assert_eq!(report["preallocated"]["rows_read"], 8);
        assert_eq!(report["by_subtracting"]["rows_read"], 4 + 4 * 15);
        (report["preallocated"]["rooms"].clone(), report["date"].clone())
    };
    let (tonight, today) = free("bench hotel --rooms 4");
    let but = |taken: usize| (0..4).filter(|room| *room != taken).map(|room| format!("room_{room}")).collect::<Value>();
    assert_eq!(tonight, but(0), "one room is booked tonight, and the next one tomorrow");
    let today: chrono::NaiveDate = today.as_str().unwrap().parse().unwrap();
    let later = |nights| today + chrono::Days::new(nights);
    assert_eq!(free(&format!("bench hotel --rooms 4 --date {}", later(1))).0, but(1));
    assert_eq!(free(&format!("bench hotel --rooms 4 --date {}", later(25))).0, but(0));
    assert_eq!(free(&format!("bench hotel --rooms 4 --date {}", later(4))).0, but(4), "nobody comes that night");
}

#[test]
fn the_load_that_a_machine_bears_is_searched_between_what_holds_and_what_does_not() {
    let house = House::none();
    // 30 carts cannot come slower than that
    let never =
        house.json("bench theater --target-p99 1ms --contested --seats-per-cart 1 --carts 30 --rate 100000").done();
    let trials = never["trials"].as_array().unwrap();
    assert_eq!((trials.len(), &trials[1]["rate"]), (5, &50_000.0.into()), "{never}");
    assert_eq!((&never["verified"], &never["complete"]), (&true.into(), &true.into()));
    let always =
        house.json("bench theater --target-p99 1h --contested --seats-per-cart 1 --carts 30 --rate 30000").done();
    assert_eq!((always["trials"].as_array().unwrap().len(), &always["customers_per_second"]), (2, &60_000.0.into()));
    let people = house.run("bench theater --target-p99 1h --contested --seats-per-cart 1 --carts 30 --rate 60000");
    assert_eq!(people.err, "Trying 60000 customers a second.\n", "as it goes");
    let refused = house.run("bench theater --target-p99 soon");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is not a length of time"), "{refused:?}");
}

#[test]
fn on_a_server_a_load_stands_beside_a_statement_per_step_and_leaves_no_schema() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let mut bench = House::none().command();
    bench.args(["bench", "theater", "--json", "--carts", "40", "--contested"]);
    bench.args(["--db", &cluster.address("public")]);
    let report = Ran::of("bench theater", bench.output().unwrap()).done();
    assert_eq!(report["verified"], true);
    for figure in ["carts_per_second", "p99_ms"] {
        assert!(report["steps"][figure].as_f64().unwrap() > 0.0, "{report:#}");
    }
    let left = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'willcall_bench_%'";
    assert_eq!(cluster.ask("", left), Vec::<String>::new());
}
