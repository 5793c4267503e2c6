//! The house's file: where it is when nobody says, what is wrong in it, and who reads of it.

use std::io::pipe;

use rusqlite::Connection;
use rusqlite::types::Value;

use crate::support::{House, Ran, split};

#[test]
fn without_a_word_the_house_lies_among_the_users_data() {
    let house = House::none();
    let usual = |line: &str| Ran::of(line, house.command().args(split(line)).output().unwrap());
    assert_eq!(usual("init").code, 0);
    assert!(house.path(".local/share/willcall/house.db").exists());
    assert_eq!(usual("theater list").code, 0);
    let by_environment =
        house.command().env("WILLCALL_DB", house.path("other.db")).args(["init", "--json"]).output().unwrap();
    assert!(by_environment.status.success() && house.path("other.db").exists());
}

#[test]
fn a_new_house_takes_the_machines_zone_and_its_money_and_says_how_to_change_them() {
    let house = House::none();
    let init = |name: &str, zone: &str, more: &str| {
        let mut command = house.command();
        command.env("TZ", zone).arg("--db").arg(house.path(name)).arg("init").args(split(more));
        Ran::of("init", command.output().unwrap())
    };
    let said = init("new.db", "America/New_York", "").out;
    let lines: Vec<&str> = said.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "  Its time zone is America/New_York. Another: willcall settings set time-zone Europe/Paris",
            "  Its prices are in USD. Others: willcall settings set currency EUR"
        ]
    );
    let resource = "resource add Room --kind room --segment 30 --price 5";
    let mut command = house.command();
    let made = command.args(["--json", "--db"]).arg(house.path("new.db")).args(split(resource)).output().unwrap();
    let made = Ran::of(resource, made).done();
    assert_eq!(made["time_zone"], "America/New_York");
    assert_eq!(made["currency"], "USD");
    for (name, zone, more, told) in [
        ("file.db", ":/usr/share/zoneinfo/Asia/Tokyo", "--json", ["Asia/Tokyo", "JPY"]),
        ("chosen.db", "Asia/Tokyo", "--json --time-zone Europe/Zurich", ["Europe/Zurich", "CHF"]),
        ("both.db", "Asia/Tokyo", "--json --currency EUR", ["Asia/Tokyo", "EUR"]),
    ] {
        let made = init(name, zone, more).done();
        assert_eq!([&made["time_zone"], &made["currency"]], told, "{name}");
    }
    init("never.db", "UTC", "--json --time-zone Nowhere").refused("bad_value");
    assert!(!house.path("never.db").exists());
}

#[test]
fn nobody_reading_on_is_no_accident() {
    let house = House::royal();
    for line in ["man", "journal", "performance seats Movie --json", "completions bash", "theater show Nowhere --json"]
    {
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
    hand.execute("UPDATE chunk SET free = 15 WHERE free = 14", []).unwrap();
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

/// The violations that `verify` reports of a damaged house.
fn violations(house: &House) -> String {
    let ran = house.json("verify");
    assert_eq!(ran.code, 1, "{ran:#?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["ok"], false);
    report["violations"].to_string()
}

/// Moves a table's rows in one of its indexes alone: the schema does not name it while they are put back.
fn break_index(house: &House, index: &str, update: [&str; 2]) {
    let path = house.path("house.db");
    let hand = Connection::open(&path).unwrap();
    let entry = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = ?1";
    let entry: Vec<Value> = hand.query_row(entry, [index], |row| (0..5).map(|at| row.get(at)).collect()).unwrap();
    hand.execute_batch(&format!(
        "{}; PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '{index}'",
        update[0]
    ))
    .unwrap();
    hand.close().unwrap();
    let hand = Connection::open(&path).unwrap();
    hand.execute_batch(&format!("{}; PRAGMA writable_schema = ON", update[1])).unwrap();
    hand.execute(
        "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)",
        rusqlite::params_from_iter(entry),
    )
    .unwrap();
    hand.close().unwrap();
}

/// B1: an index that has a row elsewhere hides a booking from lists.
#[test]
fn a_broken_index_is_named_and_no_backup_is_taken_of_it() {
    let house = House::royal();
    house.json("resource add Room --kind room --segment 30 --time-zone UTC").done();
    house.json("calendar book Room --title Talk --from 2099-12-01T10:00 --until 2099-12-01T11:00").done();
    house.verified();
    let update =
        ["UPDATE booking SET from_at = from_at + 9000000000", "UPDATE booking SET from_at = from_at - 9000000000"];
    break_index(&house, "booking_from", update);
    let named = violations(&house);
    assert!(named.contains("booking_from"), "{named}");
    let kept = house.path("kept.db");
    house.json(&format!("backup '{}'", kept.display())).refused("not_whole");
    assert!(!kept.exists());
}

/// B2: two exchanged pages of the journal.
#[test]
fn verify_ends_on_pages_that_were_exchanged() {
    let house = House::none();
    house.json("init --demo").done();
    let path = house.path("house.db");
    let hand = Connection::open(&path).unwrap();
    hand.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let leaves = "SELECT pageno FROM dbstat WHERE name = 'journal' AND pagetype = 'leaf' ORDER BY path";
    let leaves: Vec<u32> =
        hand.prepare(leaves).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    hand.close().unwrap();
    let start = |page: u32| usize::try_from(page - 1).unwrap() * 4096;
    let (first, last) = (start(leaves[0]), start(leaves[leaves.len() - 1]));
    assert_ne!(first, last);
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in 0..4096 {
        bytes.swap(first + byte, last + byte);
    }
    std::fs::write(&path, bytes).unwrap();
    let named = violations(&house);
    assert!(named.contains("out of order"), "{named}");
}

#[test]
fn a_question_starts_no_thread() {
    use std::io::Read;

    let house = House::empty();
    house.json("theater add Arena --rows 60x40").done();
    house
        .json("performance add --theater Arena --title Show --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10")
        .done();
    let mut asked = house.on("performance seats Show --json");
    let mut asked = asked.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // longer than a pipe holds: it is still there, with everything that it started
    let mut answer = [0];
    let mut out = asked.stdout.take().unwrap();
    out.read_exact(&mut answer).unwrap();
    let tasks = std::fs::read_dir(format!("/proc/{}/task", asked.id())).unwrap();
    let names = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")));
    let names: Vec<String> = names.map(Result::unwrap).collect();
    let mut rest = Vec::new();
    out.read_to_end(&mut rest).unwrap();
    assert!(rest.len() > 200_000, "{}", rest.len());
    assert!(asked.wait().unwrap().success());
    assert_eq!(names, ["willcall\n"]);
}

/// A clock far ahead would end all holds and forget all history, with nobody there to disagree.
#[test]
fn a_clock_five_weeks_ahead_of_everything_is_asked_about_before_it_writes() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let file = rusqlite::Connection::open(house.path("house.db")).unwrap();
    // as after a boot: nothing carries its time on
    let behind = "UPDATE journal SET at = at - 35 * 86400000; DELETE FROM presence";
    file.execute_batch(behind).unwrap();
    drop(file);
    house.json("cart open").refused("clock_in_doubt");
    let said = house.run("cart open").err;
    assert!(said.contains("willcall clock confirm"), "{said}");
    assert_eq!(house.json(&format!("cart show {cart}")).done()["state"], "active");
    house.json("clock confirm").done();
    house.json("cart open").done();
    house.json("job run").done();
}
