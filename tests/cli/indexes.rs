//! Indexes: what is sold, given back and booked is found by index, however many documents the house has.

use std::collections::BTreeSet;

use crate::support::{House, Ran};

/// Tables that grow with every sale, booking or change.
const GROWING: [&str; 9] = ["booking", "cart", "chunk", "credit", "customer", "event", "receipt", "waiting", "work"];

/// The one query that scans: what a canceled performance took away, which is asked for once a night that goes.
const LOSSES: &str = "kind = 'displaced'";

/// Queries of a line, and its answer.
fn traced(house: &House, line: &str) -> (Vec<String>, serde_json::Value) {
    let mut command = house.on(line);
    command.arg("--json").env("WILLCALL_TRACE", "statements");
    let mut ran = Ran::of(line, command.output().unwrap());
    let traced = std::mem::take(&mut ran.err);
    let queries = traced
        .lines()
        .filter_map(|line| Some(line.split_once(" ms: ")?.1))
        .filter(|text| text.starts_with("SELECT") && !text.contains(LOSSES));
    (queries.map(str::to_owned).collect(), ran.done())
}

#[test]
fn no_query_of_a_sale_a_refund_a_booking_or_a_list_scans_a_growing_table() {
    let house = House::royal();
    house.json("resource add R --kind room --segment 30 --time-zone UTC --price 10.00").done();
    let google = format!("{}/tests/data/google.ics", env!("CARGO_MANIFEST_DIR"));
    let (mut queries, cart) = traced(&house, "cart open");
    let cart = cart["id"].as_str().unwrap();
    let series =
        "calendar book R --from 2099-12-02T10:00 --until 2099-12-02T12:00 --repeat FREQ=WEEKLY;COUNT=3 --title t";
    let (more, booked) = traced(&house, series);
    queries.extend(more);
    let booking = booked[0]["booking"].as_str().unwrap();
    for line in [
        format!("cart add {cart} --performance Movie --seats B1,B2,B3,B4"),
        format!("cart checkout {cart} --pay cash"),
        "receipt refund 1 --seats B1 --back owed --reason ill".into(),
        "receipt exchange 1 --seats B2 --for C2 --reason ill".into(),
        "performance cancel Movie --reason flood".into(),
        "performance settle Movie --back owed --limit 1".into(),
        format!("calendar cancel {booking} --all"),
        "worklist".into(),
        "receipt list".into(),
        "credit list".into(),
        "cart list".into(),
        "waitlist list".into(),
        "performance customers Movie".into(),
        "calendar list".into(),
        "performance list".into(),
        "journal".into(),
        "job list".into(),
        format!("calendar import {google} --resource R --skip-conflicts"),
    ] {
        queries.extend(traced(&house, &line).0);
    }
    let beside = rusqlite::Connection::open(house.path("house.db")).unwrap();
    let mut scans = BTreeSet::new();
    for query in queries {
        let mut plan = beside.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
        let count = plan.parameter_count();
        let steps = plan.query_map(rusqlite::params_from_iter(vec!["1"; count]), |row| row.get::<_, String>(3));
        for step in steps.unwrap() {
            let step = step.unwrap();
            let table = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            if table.is_some_and(|table| GROWING.contains(&table)) && !step.contains("USING") {
                scans.insert(format!("{step}: {query}"));
            }
        }
    }
    assert!(scans.is_empty(), "{scans:#?}");
}
