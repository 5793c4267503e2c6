//! A house whose tables are spread over several servers, where one has the extension for it; each says so where none has.

use willcall::engine::ops::OpenCart;
use willcall::engine::reads::jobs::ReadJobs;
use willcall::engine::verify::Verify;
use willcall::engine::{Actor, Config, Engine};
use willcall::store::{Fault, Location, Missing};

use crate::cluster::Cluster;
use crate::ground::Ground;
use crate::hot_seats::{Fight, fight};
use crate::limit::until;

/// A house on the servers of this test process; `None` where there are none.
fn spread() -> Option<(Ground, &'static Cluster)> {
    Cluster::distributed().map(|cluster| (Ground::distributed(), cluster))
}

#[test]
fn clerks_of_several_processes_sell_on_several_servers_and_each_was_told_what_is_stored() {
    let Some((ground, _)) = spread() else {
        return;
    };
    fight(&ground.place(), &ground.place(), Fight { processes: 3, clerks: 2 });
}

#[test]
fn a_worker_that_crashes_under_load_loses_nothing_that_was_told() {
    let Some([coordinator, worker, _other]) = Cluster::several() else {
        return;
    };
    let place = Location::parse(&coordinator.address("public")).unwrap();
    place.open(Missing::Create).unwrap().distribute().unwrap();
    let sold = || {
        let rows = coordinator.ask("", "SELECT last_value FROM journal_seq_seq");
        rows.first().unwrap().parse::<u32>().unwrap()
    };
    std::thread::scope(|scope| {
        let fighting = scope.spawn(|| fight(&place, &place, Fight { processes: 3, clerks: 2 }));
        for after in [100, 250] {
            until("enough is sold", || sold() >= after || fighting.is_finished());
            worker.fall("QUIT").unwrap();
            worker.rise().unwrap();
        }
        fighting.join().unwrap();
    });
}

#[test]
fn a_server_says_that_it_is_several_and_what_lies_as_it_should_not() {
    let Some((ground, cluster)) = spread() else {
        return;
    };
    let Ground::Server { schema, .. } = &ground else {
        return;
    };
    let house = ground.place().open(Missing::Refuse).unwrap();
    let found = house.findings().unwrap().join("\n");
    assert!(found.contains("The server has Citus") && found.contains("each statement goes to one machine"), "{found}");
    let problems = house.misplaced().unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let again = house.distribute().unwrap_err();
    assert!(again.to_string().contains("distributed already"), "{again}");
    cluster.execute(schema, "SELECT undistribute_table('chunk')");
    cluster.execute(schema, "DROP INDEX journal_seq");
    let problems = house.misplaced().unwrap().join("\n");
    for part in ["chunk is on the coordinator alone", "CREATE INDEX journal_seq"] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
}

#[test]
fn a_house_with_something_in_it_and_one_on_one_server_are_not_distributed() {
    let one = super::on_a_server::house();
    let refused = one.ground.place().open(Missing::Refuse).unwrap().distribute().unwrap_err();
    assert!(matches!(&refused, Fault::Undistributed(_)), "{refused}");
    let Some([coordinator, ..]) = Cluster::several() else {
        return;
    };
    let place = Location::parse(&coordinator.address("public")).unwrap();
    let engine = Engine::open(Config { missing: Missing::Create, ..Config::new(place.clone()) }).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    desk.run(OpenCart::default()).unwrap();
    let refused = desk.distribute().unwrap_err();
    assert!(refused.to_string().contains("this house has something in it"), "{refused}");
    assert_eq!(desk.misplaced().unwrap().len(), 1, "all of it is on one server");
    desk.read(ReadJobs::default()).unwrap();
    assert!(desk.read(Verify::default()).unwrap().violations.is_empty());
}

#[test]
fn an_idle_desk_asks_no_machine_but_the_coordinator() {
    let Some([coordinator, worker, other]) = Cluster::several() else {
        return;
    };
    let place = Location::parse(&coordinator.address("public")).unwrap();
    place.open(Missing::Create).unwrap().distribute().unwrap();
    let engine = Engine::open(Config::new(place)).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    desk.run(OpenCart::default()).unwrap();
    desk.read(ReadJobs::default()).unwrap();
    let asked = || -> u64 {
        let scans = "SELECT COALESCE(SUM(seq_scan + idx_scan), 0) FROM pg_stat_user_tables WHERE relname LIKE 'journal\\_%' OR relname LIKE 'job\\_%'";
        let of = |node: &Cluster| node.ask("", scans).first().unwrap().parse::<u64>().unwrap();
        of(&worker) + of(&other)
    };
    let mut last = asked();
    let mut quiet = 0;
    until("nothing is asked of the workers", || {
        let now = asked();
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        quiet > 300
    });
}
