//! The house's file: made, missing, foreign, newer, unwritable; and where it is when nobody says.

use std::path::Path;

use std::io::pipe;

use rusqlite::Connection;

use crate::support::{House, Ran, split};

#[test]
fn a_missing_house_is_named_with_the_way_to_make_one() {
    let house = House::none();
    let ran = house.json("theater list");
    let refused = ran.refused("missing_house");
    assert_eq!(
        refused["path"],
        house.path("house.db").display().to_string()
    );
    assert!(ran.err.contains("init"));
    assert!(!house.path("house.db").exists(), "nothing was made");
    let made = house.json("init").done();
    assert_eq!(made["id"], house.path("house.db").display().to_string());
    house.json("init").refused("exists");
    assert_eq!(house.json("theater list").done(), serde_json::json!([]));
    house.verified();
}

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
fn a_file_that_is_no_house_is_left_alone() {
    let house = House::none();
    let text = "this is a letter, not a database, and long enough to be taken for one at a glance"
        .repeat(20);
    house.write("house.db", &text);
    for line in ["theater list", "init"] {
        house.json(line).refused("not_a_database");
    }
    assert_eq!(
        std::fs::read_to_string(house.path("house.db")).unwrap(),
        text
    );

    let house = House::none();
    let other = Connection::open(house.path("house.db")).unwrap();
    other
        .execute_batch("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');")
        .unwrap();
    drop(other);
    for line in ["theater list", "init"] {
        house.json(line).refused("foreign_database");
    }
}

#[test]
fn a_house_of_a_newer_program_is_not_touched() {
    let house = House::royal();
    let newer = Connection::open(house.path("house.db")).unwrap();
    newer
        .execute("UPDATE house_schema SET version = version + 1", [])
        .unwrap();
    drop(newer);
    let ran = house.json("theater list");
    ran.refused("newer_schema");
    assert!(ran.err.contains("update"));
}

#[test]
fn folders_that_are_not_there_or_not_files_are_refused() {
    let house = House::none();
    let on = |path: &Path, command: &str| {
        let db = path.display().to_string();
        let output = house
            .command()
            .args(["--db", &db, command, "--json"])
            .output();
        Ran::of(command, output.unwrap())
    };
    let nowhere = house.path("no/such/house.db");
    on(&nowhere, "init").refused("missing_folder");
    on(&nowhere, "verify").refused("missing_house");
    on(house.folder.path(), "init").refused("is_folder");
}

#[test]
fn an_unwritable_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let house = House::royal();
    let read_only = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(house.folder.path(), read_only).unwrap();
    if std::fs::write(house.path("probe"), "").is_ok() {
        eprintln!("SKIPPED: this user (root?) may write to a read-only folder");
        return;
    }
    house.json("theater list").refused("unwritable");
    let usual = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(house.folder.path(), usual).unwrap();
}

#[test]
fn without_a_terminal_the_desk_says_so() {
    let house = House::royal();
    house.json("").refused("no_terminal");
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
