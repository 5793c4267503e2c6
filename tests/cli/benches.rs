//! Benchmarks at small loads: what they answer, and that it agrees.

use std::fs;
use std::os::unix::fs::PermissionsExt;

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
fn every_way_to_keep_a_calendar_books_and_answers_the_same() {
    let report = House::none().json("bench calendar --resources 12 --bookings 3000").done();
    assert!(report["refused"].as_u64().unwrap() > 0, "{report}");
    let size = |name: &str| report[name].as_u64().unwrap();
    assert!(
        size("days_size") > size("days_text_size") && size("days_index_size") == 0,
        "whole pages, and days lie by their keys: {report}"
    );
    let controls = report["controls"].as_array().unwrap();
    assert!(!controls.is_empty());
    for control in controls {
        assert_eq!(control["same_answers"], true, "{report:#}");
    }
}

#[test]
fn two_builds_are_measured_in_turns_and_each_figure_has_a_ratio() {
    let house = House::none();
    let line = format!(
        "bench theater --carts 30 --contested --seats-per-cart 2 --no-control --rounds 2 --against '{}'",
        env!("CARGO_BIN_EXE_willcall")
    );
    let bench = |more: &[&str]| {
        let mut command = house.command();
        command.args(crate::support::split(&line)).args(more);
        Ran::of(&line, command.output().unwrap())
    };
    let report = bench(&["--json"]).done();
    assert_eq!((&report["rounds"], &report["verified"]), (&2.into(), &true.into()));
    let figures = report["figures"].as_array().unwrap();
    let figure = |name: &str| {
        let found = figures.iter().find(|one| one["figure"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {report:#}"))
    };
    assert_eq!(figure("carts")["ratio"], 1.0, "both sold the same load");
    for name in ["carts_per_second", "latency_ms.p99", "longest_wait_ms", "bytes_per_cart"] {
        let of = |build: &str| figure(name)[build].as_f64().unwrap();
        assert!((of("ratio") - of("this") / of("other")).abs() < 1e-9, "{report:#}");
    }
    let ran = bench(&[]);
    for words in ["2 runs of this build", "THIS / OTHER", "latency_ms.p99", "verified"] {
        assert!(ran.text().contains(words), "{words}: {ran:#?}");
    }
}

#[test]
fn a_binary_that_is_no_build_of_willcall_is_named_with_what_it_said() {
    let house = House::none();
    let script = |name: &str, text: &str| {
        let path = house.folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    let refusal = r#"echo '{"refused":{"kind":"bad_value"}}'; echo 'It has no such option.' >&2; exit 3"#;
    for (binary, words) in [
        ("/no/such/willcall".to_owned(), "cannot be run"),
        (script("silent", "exit 0"), "without figures as JSON"),
        (script("table", "echo '30 carts in 1 s'"), "without figures as JSON"),
        (script("refuses", refusal), "It has no such option."),
    ] {
        let ran = house.json(&format!("bench theater --carts 1 --contested --no-control --against '{binary}'"));
        let facts = ran.refused("bad_value");
        assert_eq!(facts["field"], "against");
        assert!(ran.err.contains(&binary) && ran.err.contains(words), "{ran:#?}");
    }
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
