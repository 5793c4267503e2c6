//! Names, ids, settings, and lines that cannot be parsed.

use super::{is_a_sentence, refused};
use crate::support::{House, Ran};

#[test]
fn a_line_that_cannot_be_parsed_ends_with_2() {
    let house = House::royal();
    for line in [
        "sell",
        "cart add",
        "cart checkout",
        "performance disable --seats C3 --reason broken",
        "performance disable Movie --theater Royal --seats C3 --reason broken",
        "cart add 0000 --performance Movie",
        "settings set colour blue",
        "cart open --command-id seven",
        "--database x verify",
        "demo --seed many",
    ] {
        let ran = house.json(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:#?}");
        assert!(!ran.err.is_empty());
    }
    for line in ["--theme pink", "demo --theme pink"] {
        let ran = house.run(line);
        assert_eq!(ran.code, 3, "{ran:#?}");
        assert!(ran.err.contains("there is no theme \"pink\""), "{ran:#?}");
    }
    for line in ["--help", "--version", "help cart add"] {
        assert_eq!(house.run(line).code, 0);
    }
}

#[test]
fn a_line_that_cannot_be_parsed_steers_no_terminal() {
    let house = House::royal();
    for hostile in ["\u{1b}[31m", "a\u{202e}b", "\u{9b}2J", "\u{7}"] {
        for line in [
            format!("cart open --command-id '{hostile}'"),
            format!("'{hostile}'"),
            format!("settings set '{hostile}' 1"),
        ] {
            let ran = house.run(&line);
            assert_eq!(ran.code, 2, "{ran:#?}");
            let steers = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
            assert!(!ran.err.contains(steers), "{:?}", ran.err);
        }
    }
}

#[test]
fn a_command_id_used_for_something_else() {
    let house = House::royal();
    let id = "--command-id 018f3b3e-0000-7000-8000-000000000001";
    let cart = house.json(&format!("cart open {id}")).done();
    assert_eq!(house.json(&format!("cart open {id}")).done(), cart, "sent again, it is done once");
    refused(&house, &format!("cart open --hold 5m {id}"), ("command_reused", "make a new one"));
    refused(&house, &format!("settings set hold 5m {id}"), ("command_reused", "make a new one"));
}

#[test]
fn names_of_which_nothing_is_left() {
    let house = House::royal();
    for empty in ["''", "'   '", "'\u{1b}'", "'\u{202e}\u{200b}'"] {
        refused(&house, &format!("theater add {empty} --rows 1x1"), ("bad_value", "it needs a name"));
        refused(&house, &format!("resource add {empty} --kind room --segment 30"), ("bad_value", "it needs a name"));
        let title = format!(
            "performance add --theater 'The Royal' --title {empty} --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10"
        );
        refused(&house, &title, ("bad_value", "it needs a name"));
        let ran = house.json(&format!("cart open --station {empty}"));
        assert_eq!(ran.refused("bad_value")["field"], "station");
        let ran = house.json(&format!("cart open --operator {empty}"));
        assert_eq!(ran.refused("bad_value")["field"], "operator");
    }
}

#[test]
fn a_name_that_means_several_things() {
    let house = House::royal();
    house.json("performance add --theater 'The Royal' --title Movie --start 2099-12-02T19:30 --end 2099-12-02T21:30 --price 10.00").done();
    let facts = refused(
        &house,
        "performance show Movie",
        ("ambiguous", "Movie@2099-12-01T19:30; Movie@2099-12-02T19:30. Write one of these"),
    );
    assert_eq!(facts["count"], 2);
}

#[test]
fn names_that_look_like_options_and_very_long_ones_are_names() {
    let house = House::royal();
    let long = "n".repeat(10_000);
    for name in ["--json", "-1", "01a1fdc2", &long] {
        let output = house.on("theater add --json --rows 1x1 --").arg(name).output();
        let made = Ran::of(name, output.unwrap()).done();
        let made = made["name"].as_str().unwrap();
        assert!(made.len() <= 240 && name.starts_with(made), "{made}");
    }
    house.verified();
}

#[test]
fn settings_that_make_no_sense() {
    let house = House::royal();
    let spans = [
        "hold",
        "hold-cap",
        "reserve",
        "reserve-before",
        "reserve-alert",
        "reserve-final",
        "offer",
        "collect-before",
        "listener-limit",
        "job-history",
        "job.sales-close.slot",
        "job.sales-close.limit",
        "job.sales-close.retry",
    ];
    for name in spans {
        for wrong in ["soon", "0m", "-5m", "999999h", "''", "1.5h"] {
            house.json(&format!("settings set {name} {wrong}")).refused("bad_value");
        }
    }
    for name in ["seats-max", "job.sales-close.tries"] {
        for wrong in ["many", "0", "-1", "4294967296", "''", "999999"] {
            house.json(&format!("settings set {name} {wrong}")).refused("bad_value");
        }
    }
    refused(&house, "settings set currency 7", ("bad_value", "code like EUR"));
    refused(&house, "settings set time-zone Nowhere", ("bad_value", "Europe/London"));
    refused(&house, "settings set hold-cap 1m", ("out_of_range", "Hold cap has to be from 30m"));
    refused(&house, "settings set hold 8d", ("out_of_range", "Hold has to be from"));
    refused(&house, "settings set reserve-final 1s", ("out_of_range", "Reserve final has to be from"));
    refused(
        &house,
        "settings closed-days --close someday",
        ("bad_value", "write it like fri, 27 nov, +2w or 2026-12-01"),
    );
}

#[test]
fn an_environment_that_makes_no_sense() {
    let house = House::royal();
    for (name, value, kind) in [
        ("WILLCALL_DB", "", "bad_value"),
        ("WILLCALL_DB", "mysql://ada:secret@localhost/house", "bad_address"),
        ("WILLCALL_DB", "postgres://localhost:many/house", "bad_address"),
        ("WILLCALL_DB", "/nowhere/house.db", "missing_house"),
        ("WILLCALL_OPERATOR", "", "bad_value"),
        ("WILLCALL_STATION", "\u{1b}", "bad_value"),
    ] {
        let mut command = house.command();
        if name != "WILLCALL_DB" {
            command.env("WILLCALL_DB", house.path("house.db"));
        }
        let output = command.env(name, value).args(["--json", "cart", "open"]).output().unwrap();
        let ran = Ran::of(name, output);
        ran.refused(kind);
        is_a_sentence(&ran, " ");
        assert!(!ran.err.contains("secret"), "{}", ran.err);
    }
    house.verified();
}

#[test]
fn reasons_and_kinds_that_are_none() {
    let house = House::royal();
    for line in [
        "performance keep Movie --seats A5 --reason '' --until 2099-11-01T10:00",
        "performance disable Movie --seats A5 --reason ' '",
        "performance disable --theater 'The Royal' --from 2099-01-01 --seats A5 --reason ''",
    ] {
        refused(&house, line, ("bad_value", "say why in a word or two"));
    }
    for line in ["job list --kind soup", "job history --kind soup"] {
        refused(&house, line, ("bad_value", "there are cart_expiry"));
    }
    refused(&house, "journal --after yesterday", ("bad_value", "write the number"));
}

#[test]
fn benches_that_measure_nothing() {
    let house = House::none();
    for line in [
        "theater --rate 0",
        "theater --rate -1",
        "theater --rate NaN",
        "theater --rate inf",
        "theater --processes 0",
        "theater --seats-per-cart 0",
        "theater --carts many",
        "theater --rounds 2",
        "theater --rounds 0 --against willcall",
        "hotel --rooms 0",
        "hotel --every 0",
        "calendar --resources 0",
        "jobs --rate 0",
    ] {
        let ran = house.json(&format!("bench {line}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:#?}");
    }
    for (date, words) in [
        ("someday", "write it like"),
        ("9999-12-31", "choose a night of these"),
        ("0000-01-01", "choose a night of these"),
    ] {
        let ran = house.json(&format!("bench hotel --date {date}"));
        ran.refused("bad_value");
        is_a_sentence(&ran, words);
    }
}
