//! Benchmarks at small loads: what they answer, and that it agrees.

use serde_json::Value;

use crate::cluster::Cluster;
use crate::support::{House, Ran};

#[test]
fn both_ways_of_asking_a_hotel_name_the_same_rooms() {
    let house = House::none();
    let free = |line: &str| -> (usize, Value) {
        let report = house.json(line).done();
        assert_eq!(report["same_rooms"], true);
        assert_eq!(report["verified"], true);
        // four rooms with a night each, and beside them every booking of the year
        assert_eq!(report["preallocated"]["rows_read"], 8);
        assert_eq!(report["by_subtracting"]["rows_read"], 4 + 4 * 15);
        let rooms = report["preallocated"]["rooms"].as_array().unwrap();
        (rooms.len(), report["date"].clone())
    };
    let (tonight, today) = free("bench hotel --rooms 4");
    assert_eq!(tonight, 0, "every room is booked tonight");
    let today: chrono::NaiveDate = today.as_str().unwrap().parse().unwrap();
    let later = |nights| today + chrono::Days::new(nights);
    assert_eq!(free(&format!("bench hotel --rooms 4 --date {}", later(1))).0, 4);
    assert_eq!(free(&format!("bench hotel --rooms 4 --date {}", later(25))).0, 0);
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
