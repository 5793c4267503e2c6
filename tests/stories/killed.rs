//! Connections that are cut before or after a commit, under clerks who all want the same seats.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use willcall::domain::ids::PerformanceId;
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Tender;
use willcall::engine::ops::{CheckedOut, Checkout, HoldSeats, Kept, Wanted};
use willcall::engine::verify::verify;
use willcall::engine::{Actor, Config, Desk, Engine, Failure};
use willcall::store::{Fault, Place};

use crate::cluster::Cluster;
use crate::ground::Ground;

/// How many clerks want the same seats.
const CLERKS: u32 = 16;

/// How many carts each tries to sell.
const CARTS: u32 = 25;

/// One commit in so many is cut off, in turns before and after the server has heard it.
const CUT_ONE_IN: u32 = 40;

static COMMITS: AtomicU32 = AtomicU32::new(0);

/// Stands between clerks and the server, and cuts some at their commit.
fn proxy(at: &Path, server: &Path) {
    let listener = UnixListener::bind(at).unwrap();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = UnixStream::connect(&server).unwrap();
            let (back, mut out) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || {
                let mut back = back;
                // either side that closes ends it
                let _ = std::io::copy(&mut back, &mut out);
                let _ = out.shutdown(std::net::Shutdown::Both);
            });
            std::thread::spawn(move || pass(client, server));
        }
    });
}

fn pass(mut client: UnixStream, mut server: UnixStream) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = client.read(&mut buffer) {
        let sent = buffer.get(..length).unwrap();
        let commits = sent.windows(7).any(|part| part == b"COMMIT\0");
        let number = if commits {
            COMMITS.fetch_add(1, Ordering::SeqCst)
        } else {
            1
        };
        let cut = commits && number % CUT_ONE_IN == 0;
        let before = cut && (number / CUT_ONE_IN).is_multiple_of(2);
        if before || server.write_all(sent).is_err() || cut {
            // the client hears nothing of what the server makes of it
            let _ = client.shutdown(std::net::Shutdown::Both);
            let _ = server.shutdown(std::net::Shutdown::Write);
            return;
        }
    }
    let _ = server.shutdown(std::net::Shutdown::Both);
}

/// Sells hot seats for as long as there are carts; gives the receipts that it was told of.
fn clerk(desk: &Desk, show: PerformanceId, number: u32) -> Vec<String> {
    let mut told = Vec::new();
    for cart in 0..CARTS {
        let seat = (number * 7 + cart * 3) % 16;
        let hold = HoldSeats {
            cart: None,
            performance: show,
            seats: Wanted::Seats(vec![SeatRef {
                row: cart % 5,
                seat,
            }]),
            ticket_type: None,
            kept: Kept::Refuse,
        };
        let bought = match desk.run(hold) {
            Ok(open) => open,
            Err(Failure::Refused(_)) => continue,
            Err(Failure::Fault(fault)) => {
                assert_ne!(fault, Fault::Unsure, "every unsure command is resolved");
                panic!("{fault}");
            }
        };
        let paid = desk.run(Checkout {
            cart: bought.id,
            tenders: vec![Tender::Cash { given: None }],
            seen: None,
            customer: None,
        });
        match paid.unwrap() {
            CheckedOut::Receipt(receipt) => told.push(receipt.number),
            CheckedOut::Unissued(item) => panic!("no receipt but {item:?}"),
        }
    }
    told
}

#[test]
fn connections_cut_at_their_commit_lose_no_receipt_and_sell_no_seat_twice() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    proxy(
        &folder.path().join(".s.PGSQL.5432"),
        &cluster.folder().join(".s.PGSQL.5432"),
    );
    let address = cluster.address(schema).replace(
        cluster.folder().to_str().unwrap(),
        folder.path().to_str().unwrap(),
    );
    let engines: Vec<Engine> = (0..4)
        .map(|_| {
            Engine::open(Config {
                clock: Arc::<willcall::engine::clock::ManualClock>::clone(&house.clock),
                ..Config::new(Place::parse(&address).unwrap())
            })
            .unwrap()
        })
        .collect();
    let clerks: Vec<_> = (0..CLERKS)
        .zip(engines.iter().cycle())
        .map(|(number, engine)| {
            let desk = engine.desk(Actor {
                operator: "ada".into(),
                station: format!("till-{number}"),
            });
            let show = house.show;
            std::thread::spawn(move || clerk(&desk, show, number))
        })
        .collect();
    let told: Vec<String> = clerks
        .into_iter()
        .flat_map(|clerk| clerk.join().unwrap())
        .collect();
    assert!(
        COMMITS.load(Ordering::SeqCst) > CUT_ONE_IN * 4,
        "too few were cut"
    );
    each_once(cluster, schema, &told);
    serial(&cluster.ask(schema, "SELECT changes FROM journal ORDER BY seq"));
    let report = verify(&house.desk).unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
}

/// Each receipt that somebody was told of is stored, no other is, and no seat is on two.
fn each_once(cluster: &Cluster, schema: &str, told: &[String]) {
    let stored: BTreeSet<String> = cluster
        .ask(schema, "SELECT number FROM receipt")
        .into_iter()
        .collect();
    assert_eq!(
        stored,
        told.iter().cloned().collect(),
        "each receipt that was told of, and no other"
    );
    let sold: Vec<String> = cluster
        .ask(schema, "SELECT body FROM receipt")
        .iter()
        .flat_map(|body| {
            let receipt: Value = serde_json::from_str(body).unwrap();
            receipt
                .pointer("/lines/0/seats")
                .unwrap()
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        sold.iter().collect::<BTreeSet<_>>().len(),
        sold.len(),
        "a seat was sold twice"
    );
}

/// Whether the commands have an order in which each document's versions follow one another: command before
/// command wherever one wrote on what the other had written, and never in a circle.
fn serial(entries: &[String]) {
    let mut wrote: BTreeMap<(String, i64), usize> = BTreeMap::new();
    let changes: Vec<Vec<(String, i64)>> = entries
        .iter()
        .map(|entry| {
            let changes: Vec<Value> = serde_json::from_str(entry).unwrap();
            let version = |change: &Value| {
                (
                    format!("{} {}", change["kind"], change["key"]),
                    change["version"].as_i64().unwrap(),
                )
            };
            changes.iter().map(version).collect()
        })
        .collect();
    for (command, versions) in changes.iter().enumerate() {
        for version in versions {
            assert!(
                wrote.insert(version.clone(), command).is_none(),
                "{version:?} was written twice"
            );
        }
    }
    let mut left: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (command, versions) in changes.iter().enumerate() {
        let earlier =
            versions
                .iter()
                .filter(|(_, version)| *version > 1)
                .map(|(document, version)| {
                    *wrote
                        .get(&(document.clone(), version - 1))
                        .expect("no version is missing")
                });
        left.insert(command, earlier.collect());
    }
    while !left.is_empty() {
        let free: Vec<usize> = left
            .iter()
            .filter(|(_, before)| before.iter().all(|before| !left.contains_key(before)))
            .map(|(command, _)| *command)
            .collect();
        assert!(!free.is_empty(), "commands wait for each other in a circle");
        for command in free {
            left.remove(&command);
        }
    }
}
