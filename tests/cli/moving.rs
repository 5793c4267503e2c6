//! Houses on the move: what is backed up or copied is all there, and what is there already is never touched.

use serde_json::Value;

use crate::support::{House, Ran};

/// Everything that a house says of itself: its journal, what is sold, and what is open.
fn told(house: &House, place: &str) -> Vec<Value> {
    ["journal", "receipt list", "cart list --all", "performance seats Movie"]
        .map(|line| at(house, place, line).done())
        .to_vec()
}

fn at(house: &House, place: &str, line: &str) -> Ran {
    let mut command = house.command();
    command.arg("--db").arg(house.path(place)).arg("--json");
    command.args(crate::support::split(line));
    Ran::of(line, command.output().unwrap())
}

fn sold_and_held() -> House {
    let house = House::royal();
    let cart = house.cart_with("B1,B2,B3");
    house.json(&format!("cart checkout {cart} --pay cash=50.00")).done();
    house.cart_with("C1,C2");
    house
}

#[test]
fn a_backup_restored_elsewhere_tells_the_same() {
    let house = sold_and_held();
    let file = house.path("kept.db").display().to_string();
    let answer = house.json(&format!("backup '{file}'")).done();
    assert_eq!(answer["verified"], true);
    assert!(!house.path("kept.db-wal").exists() && !house.path("kept.db-turn").exists(), "a backup is one file");
    at(&house, "again.db", &format!("restore '{file}'")).done();
    assert_eq!(told(&house, "again.db"), told(&house, "house.db"));
    at(&house, "again.db", "cart open").done();
    assert_eq!(at(&house, "again.db", "verify").done()["ok"], true);
}

#[test]
fn a_copy_tells_the_same_and_goes_on_by_itself() {
    let house = sold_and_held();
    let (from, to) = (house.path("house.db"), house.path("other.db"));
    let line = format!("copy --from '{}' --to '{}'", from.display(), to.display());
    let answer = house.json(&line).done();
    assert!(answer["rows"].as_u64().unwrap() > 8, "{answer}");
    for end in ["-queue", "-turn", "-wal", "-shm"] {
        assert!(!house.path(&format!("other.db{end}")).exists(), "{end}");
    }
    assert_eq!(told(&house, "other.db"), told(&house, "house.db"));
    let refused = house.json(&line).refused("exists");
    assert!(refused["problem"].as_str().unwrap().contains("empty place"));
    let cart = at(&house, "other.db", "cart open").done();
    assert_eq!(cart["state"], "active");
    assert_eq!(at(&house, "other.db", "verify").done()["ok"], true);
}

#[test]
fn nothing_that_is_there_is_ever_written_over() {
    let house = sold_and_held();
    let precious = house.write("precious.txt", "mine");
    house.json(&format!("backup '{precious}'")).refused("exists");
    house.json(&format!("restore '{precious}'")).refused("exists");
    at(&house, "new.db", &format!("restore '{precious}'")).refused("not_a_database");
    at(&house, "new.db", "restore nowhere.db").refused("missing_house");
    house.json("backup /nowhere/at/all.db").refused("missing_folder");
    assert_eq!(std::fs::read_to_string(house.path("precious.txt")).unwrap(), "mine");
    assert!(!house.path("new.db").exists());
    house.verified();
}

#[test]
fn an_older_backup_is_written_over_when_that_is_said_and_a_house_never() {
    let house = sold_and_held();
    let file = house.path("kept.db").display().to_string();
    let other = house.path("other.db").display().to_string();
    house.json(&format!("backup {file}")).done();
    let before = std::fs::read(&file).unwrap();
    house.json("settings set seats-max 11").done();
    let said = house.run(&format!("backup {file}")).err;
    assert!(said.contains("write over it with --force"), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    house.json(&format!("backup {file} --force")).done();
    at(&house, "other.db", &format!("restore {file}")).done();
    let settings = at(&house, "other.db", "settings list").done();
    let eleven = serde_json::json!({"id": "seats-max", "value": "11"});
    assert!(settings.as_array().unwrap().contains(&eleven), "{settings}");
    // houses that were worked at: this one, another, and one by a link
    let own = house.path("house.db").display().to_string();
    let link = house.path("link.db");
    std::os::unix::fs::symlink(&other, &link).unwrap();
    for path in [own, other, link.display().to_string()] {
        let said = house.run(&format!("backup {path} --force"));
        assert_eq!(said.code, 3, "{said:?}");
        assert!(said.err.contains("belongs to a house"), "{}", said.err);
    }
    let text = house.write("text.txt", "mine");
    house.json(&format!("backup {text} --force")).done();
    at(&house, "new.db", &format!("restore {text}")).done();
    house.verified();
}

#[test]
fn a_house_at_work_is_backed_up_as_it_was_at_one_moment() {
    let house = House::royal();
    let db = house.path("house.db").display().to_string();
    let mut load = house
        .on(&format!("bench theater --carts 3000 --db '{db}' --no-control"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut backups = 0;
    while load.try_wait().unwrap().is_none() {
        let file = house.path(&format!("kept-{backups}.db"));
        house.json(&format!("backup '{}'", file.display())).done();
        backups += 1;
    }
    assert!(load.wait().unwrap().success());
    assert!(backups > 0);
    house.verified();
}

#[test]
fn nothing_is_restored_or_backed_up_beside_the_log_of_another_house() {
    let house = House::royal();
    let [kept, other] = ["kept.db", "other.db"].map(|name| house.path(name).display().to_string());
    house.json(&format!("backup '{kept}'")).done();
    for end in ["-wal", "-shm", "-journal"] {
        let log = house.write(&format!("other.db{end}"), "");
        for ran in [at(&house, "other.db", &format!("restore '{kept}'")), house.json(&format!("backup '{other}'"))] {
            assert_eq!(ran.refused("belongs_to_house")["path"], log);
        }
        assert!(!house.path("other.db").exists());
        std::fs::remove_file(log).unwrap();
    }
    at(&house, "other.db", &format!("restore '{kept}'")).done();
}
