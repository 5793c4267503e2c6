//! A house whose tables are spread over several servers, where one has the extension for it; each says so where none has.

use willcall::engine::house_files::distribution;
use willcall::engine::ops::OpenCart;
use willcall::engine::reads::jobs::ReadJobs;
use willcall::engine::verify::Verify;
use willcall::engine::{Actor, Config, Engine, Failure};
use willcall::store::{Database, Fault, Location, Missing};
use willcall::words::servers::misplaced;

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
fn machines_that_crash_in_turn_under_eight_processes_lose_nothing_that_was_told() {
    let Some(nodes) = Cluster::several() else {
        return;
    };
    let [coordinator, ..] = &nodes;
    let place = Location::parse(&coordinator.address("public")).unwrap();
    place.open(Missing::Create).unwrap().distribute().unwrap();
    let sold = || {
        let rows = coordinator.ask("", "SELECT last_value FROM journal_seq_seq");
        rows.first().unwrap().parse::<usize>().unwrap()
    };
    std::thread::scope(|scope| {
        let fighting = scope.spawn(|| fight(&place, &place, Fight { processes: 8, clerks: 1 }));
        for (node, crashes) in nodes.iter().rev().cycle().zip(1..) {
            until("enough is sold", || sold() >= 500 * crashes || fighting.is_finished());
            if fighting.is_finished() {
                break;
            }
            node.fall("QUIT").unwrap();
            node.rise().unwrap();
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
    cluster.recover_each("1min");
    until("what a crash interrupted is long in doubt", || {
        said(house.as_ref()).contains("locked for up to 1min: ALTER")
    });
    cluster.recover_each("2s");
    cluster.execute(schema, "SELECT undistribute_table('chunk')");
    cluster.execute(schema, "DROP INDEX journal_seq");
    let problems = said(house.as_ref());
    for part in ["chunk is on the coordinator alone, not spread by key: SELECT", "CREATE INDEX journal_seq"] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
}

fn said(house: &dyn Database) -> String {
    let said: Vec<String> = house.misplaced().unwrap().iter().map(misplaced).collect();
    said.join("\n")
}

#[test]
fn a_recipe_half_applied_is_brought_to_its_end_by_what_the_check_says() {
    let Some([coordinator, _one, _other]) = Cluster::several() else {
        return;
    };
    let place = Location::parse(&coordinator.address("public")).unwrap();
    let house = place.open(Missing::Create).unwrap();
    let recipe = distribution();
    let statements: Vec<&str> = recipe.lines().collect();
    // up to the first tables, and nothing of the receipts' constraint
    let half = statements.iter().take(9).filter(|statement| !statement.contains("receipt"));
    coordinator.execute("", &half.copied().collect::<String>());
    let refused = house.distribute().unwrap_err();
    assert!(refused.to_string().contains("distributed already; see willcall server check"), "{refused}");
    let problems = said(house.as_ref());
    assert!(problems.lines().count() > 5 && problems.contains("DROP CONSTRAINT receipt_number_key"), "{problems}");
    for line in problems.lines() {
        let (_, statement) = line.split_once(": ").unwrap();
        coordinator.execute("", statement);
    }
    assert_eq!(said(house.as_ref()), "");
    fight(&place, &place, Fight { processes: 1, clerks: 2 });
}

#[test]
fn a_machine_that_is_away_at_the_start_is_named_and_a_worker_serves_no_desk() {
    let Some([coordinator, worker, _other]) = Cluster::several() else {
        return;
    };
    let place = Location::parse(&coordinator.address("public")).unwrap();
    place.open(Missing::Create).unwrap().distribute().unwrap();
    let behind = Location::parse(&worker.address("public")).unwrap();
    let refused = behind.open(Missing::Refuse).err().unwrap().to_string();
    assert!(refused.contains("is a worker of a Citus") && refused.contains("name its coordinator"), "{refused}");
    worker.fall("QUIT").unwrap();
    let house = place.open(Missing::Refuse).unwrap();
    let node = format!("{}:5432", worker.folder().display());
    assert_eq!(said(house.as_ref()), format!("{node} does not answer: start it, or mend the way to it"));
    let engine = Engine::open(Config::new(place)).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    let asked = desk.read(ReadJobs::default()).unwrap_err();
    assert!(matches!(&asked, Failure::Fault(Fault::Unreachable(said)) if said.contains(&node)), "{asked:?}");
    worker.rise().unwrap();
    desk.run(OpenCart::default()).unwrap();
    assert_eq!(said(house.as_ref()), "");
}

#[test]
fn a_server_that_claims_to_be_several_serves_no_desk_and_nothing_is_made_there() {
    let Some(server) = Cluster::start("") else {
        return;
    };
    let claim = "SET allow_system_table_mods = on; INSERT INTO pg_catalog.pg_extension \
                 (oid, extname, extowner, extnamespace, extrelocatable, extversion) VALUES (99999, 'citus', 10, 11, false, '13.2-1')";
    server.execute("", claim);
    let place = Location::parse(&server.address("public")).unwrap();
    let refused = place.open(Missing::Create).err().unwrap().to_string();
    assert!(refused.contains("without its library") && refused.contains("shared_preload_libraries"), "{refused}");
    assert_eq!(server.ask("", "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'"), ["0"]);
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
