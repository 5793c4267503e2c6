//! A server that goes away and comes back under an open cart.

use std::sync::Arc;

use chrono_tz::Tz;
use willcall::domain::plan::SeatRef;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{
    AddPerformance, AddTheater, ChangeSettings, HoldSeats, HouseSeats, NamedPrice, OpenCart, SeatChoice,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::verify::Verify;
use willcall::engine::{Actor, Config, Desk, Engine};
use willcall::formats::rows;
use willcall::store::{Location, Missing};

use crate::cluster::Cluster;
use crate::hot_seats::{Fight, fight};
use crate::limit::until;

fn house(cluster: &Cluster) -> Engine {
    let place = Location::parse(&cluster.address("public")).unwrap();
    Engine::open(Config {
        missing: Missing::Create,
        clock: Arc::new(ManualClock::at(Instant::from_millis(1_795_262_400_000))),
        ..Config::new(place)
    })
    .unwrap()
}

fn desk(engine: &Engine) -> Desk {
    engine.desk(Actor { operator: "ada".into(), station: "till-1".into() })
}

#[test]
fn a_server_that_stops_under_an_open_cart_is_waited_for_and_nothing_is_lost() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let engine = house(&cluster);
    let desk = desk(&engine);
    let theater =
        desk.run(AddTheater { name: "The Royal".into(), plan: rows::parse("5x16").unwrap(), time_zone: None }).unwrap();
    let start = desk.now() + Span::minutes(450);
    let show = desk
        .run(AddPerformance::new(
            theater.id,
            "Action Movie 5",
            (start, start + Span::minutes(120)),
            vec![NamedPrice::all(1000)],
        ))
        .unwrap()
        .performance
        .id;
    let cart = desk.run(OpenCart::default()).unwrap().id;
    let hold = |seat| HoldSeats {
        cart: Some(cart),
        performance: show,
        seats: SeatChoice::Seats(vec![SeatRef { row: 0, seat }]),
        ticket_type: None,
        kept: HouseSeats::Refuse,
    };
    desk.run(hold(0)).unwrap();
    for (signal, seat) in [("INT", 1), ("QUIT", 2)] {
        cluster.fall(signal).unwrap();
        assert!(desk.read(ReadCart(cart)).is_err(), "nobody answers");
        let asking = (desk.clone(), hold(seat));
        let asked = std::thread::spawn(move || asking.0.run(asking.1));
        assert!(desk.read(ReadCart(cart)).is_err(), "still nobody answers");
        assert!(!asked.is_finished(), "the command waits for the server");
        cluster.rise().unwrap();
        asked.join().unwrap().unwrap();
        assert!(desk.read(ReadCart(cart)).is_ok());
    }
    assert_eq!(desk.read(ReadCart(cart)).unwrap().cart.seat_count(), 3);
    let report = desk.read(Verify::default()).unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
}

#[test]
fn a_server_that_restarts_under_load_loses_nothing_that_was_told() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let place = Location::parse(&cluster.address("public")).unwrap();
    drop(place.open(Missing::Create).unwrap());
    let done = || {
        let rows = cluster.ask("", "SELECT COUNT(*) FROM journal");
        rows.first().unwrap().parse::<u32>().unwrap()
    };
    let clerks = Fight { processes: 4, clerks: 2 };
    std::thread::scope(|scope| {
        let fighting = scope.spawn(|| fight(&place, &place, clerks));
        for (signal, after) in [("INT", 200), ("QUIT", 600)] {
            until("enough is sold", || done() >= after || fighting.is_finished());
            cluster.fall(signal).unwrap();
            cluster.rise().unwrap();
        }
        assert!(!fighting.is_finished(), "the load ended too early");
        fighting.join().unwrap();
    });
}

#[test]
fn a_primary_that_is_killed_under_load_is_followed_by_its_standby_and_nothing_told_is_lost() {
    let Some(primary) = Cluster::start("") else {
        return;
    };
    let standby = primary.standby();
    // from now on a commit is answered when the standby has it
    primary.execute("", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("", "SELECT pg_reload_conf()");
    until("the standby follows", || primary.ask("", "SELECT sync_state FROM pg_stat_replication") == ["sync"]);
    let both = format!("{},{}", primary.folder().display(), standby.folder().display());
    let address = primary.address("public");
    let address = address.replace(primary.folder().to_str().unwrap(), &both);
    let address = format!("{address} target_session_attrs=read-write");
    let place = Location::parse(&address).unwrap();
    drop(place.open(Missing::Create).unwrap());
    let done = |cluster: &Cluster| {
        let rows = cluster.ask("", "SELECT COUNT(*) FROM journal");
        rows.first().unwrap().parse::<u32>().unwrap()
    };
    let clerks = Fight { processes: 4, clerks: 2 };
    std::thread::scope(|scope| {
        let fighting = scope.spawn(|| fight(&place, &place, clerks));
        until("enough is sold", || done(&primary) >= 300 || fighting.is_finished());
        primary.fall("QUIT").unwrap();
        let Err(meanwhile) = place.open(Missing::Refuse) else { panic!("a standby alone is opened") };
        let said = meanwhile.to_string();
        assert!(said.contains("is a read-only standby"), "{said}");
        standby.execute("", "SELECT pg_promote()");
        let promoted = done(&standby);
        assert!(!fighting.is_finished(), "the load ended too early");
        // what they were told is held against the house that is left
        fighting.join().unwrap();
        assert!(done(&standby) > promoted, "nobody went on");
    });
}

/// A server that took over without the last commits of the one before has other documents at the same versions.
#[test]
fn after_lost_connections_no_cached_document_is_believed() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let engine = house(&cluster);
    let desk = desk(&engine);
    let hold = |minutes| ChangeSettings::to("hold", &Span::minutes(minutes));
    let offer = || ChangeSettings::to("offer", &Span::minutes(45));
    assert_eq!(desk.run(hold(3)).unwrap().hold, Span::minutes(3));
    cluster.execute("", "UPDATE settings SET body = replace(body, '180000', '240000')");
    cluster.execute(
        "",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL",
    );
    // the loss is found by a command that does not need the document
    let theater = AddTheater { name: "The Royal".into(), plan: rows::parse("5x16").unwrap(), time_zone: Some(Tz::UTC) };
    desk.run(theater).unwrap();
    assert_eq!(desk.run(offer()).unwrap().hold, Span::minutes(4));
}
