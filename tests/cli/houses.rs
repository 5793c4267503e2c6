//! The house's file: where it is when nobody says, what is wrong in it, and who reads of it.

use std::io::pipe;

use rusqlite::Connection;

use crate::support::{House, Ran, split};

#[test]
fn without_a_word_the_house_lies_among_the_users_data() {
    let house = House::none();
    let usual = |line: &str| Ran::of(line, house.command().args(split(line)).output().unwrap());
    assert_eq!(usual("init").code, 0);
    assert!(house.path(".local/share/willcall/house.db").exists());
    assert_eq!(usual("theater list").code, 0);
    let by_environment = house
        .command()
        .env("WILLCALL_DB", house.path("other.db"))
        .args(["init", "--json"])
        .output()
        .unwrap();
    assert!(by_environment.status.success() && house.path("other.db").exists());
}

#[test]
fn nobody_reading_on_is_no_accident() {
    let house = House::royal();
    for line in [
        "man",
        "journal",
        "performance seats Movie --json",
        "completions bash",
        "theater show Nowhere --json",
    ] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = house.on(line).stdout(writer).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let expected = if line.contains("Nowhere") { 3 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{line}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[test]
fn what_must_hold_and_does_not_is_named_and_ends_with_1() {
    let house = House::royal();
    house.cart_with("B6,B7");
    house.verified();
    let hand = Connection::open(house.path("house.db")).unwrap();
    hand.execute("UPDATE chunk SET free = 15 WHERE free = 14", [])
        .unwrap();
    drop(hand);
    let ran = house.json("verify");
    assert_eq!(ran.code, 1, "{ran:#?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["ok"], false);
    let named: Vec<&str> = report["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| violation["invariant"].as_str().unwrap())
        .collect();
    assert!(named.contains(&"counts"), "{named:?}");
    assert!(house.run("verify").out.contains("counts"));
}

#[test]
fn the_demo_house_comes_furnished() {
    let house = House::none();
    house.json("init --demo").done();
    let names: Vec<String> = house
        .json("theater list")
        .done()
        .as_array()
        .unwrap()
        .iter()
        .map(|theater| theater["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.iter().any(|name| name == "The Royal"), "{names:?}");
    house.verified();
}
