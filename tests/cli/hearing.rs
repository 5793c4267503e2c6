//! Listeners of sales: each sale is heard once, though desks are killed while their listeners run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::ground::Ground;
use crate::limit::until;
use crate::support::{House, Ran, split};

/// A process that works at a place.
fn runner(place: &str, house: &House) -> Child {
    let mut command = house.command();
    command.args(["--db", place, "work", "--json"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn at(place: &str, line: &str) -> Ran {
    let mut command = House::none().command();
    command.args(["--db", place, "--json"]).args(split(line));
    Ran::of(line, command.output().unwrap())
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Listeners that a process runs at once.
const AT_ONCE: usize = 2;

/// Sells, kills desks while all of their listeners hang, and lets the last desk finish: an event whose listener was about
/// to be called when its desk was killed is heard by nobody.
fn heard_once_through_kills(place: &str) {
    let house = House::none();
    let [began, ended, go] = ["began", "ended", "go"].map(|name| house.path(name));
    let command = format!(
        "n=$(sed \"s/.*\\\"number\\\":\\\"//; s/\\\".*//\"); echo $n >> {}; [ -e {} ] || exec sleep 600; echo $n >> {}",
        began.display(),
        go.display(),
        ended.display()
    );
    at(place, &format!("settings set listener.receipt_issued '{command}'")).done();
    at(place, "settings set listener-limit 10m").done();
    let mut sold = BTreeSet::new();
    for number in 1..=6 {
        let cart = at(place, "cart open").done()["id"].as_str().unwrap().to_owned();
        at(place, &format!("cart add {cart} --performance Movie --seats E{number}")).done();
        let receipt = at(place, &format!("cart checkout {cart} --pay cash")).done();
        sold.insert(receipt["number"].as_str().unwrap().to_owned());
    }
    for _ in 0..2 {
        let before = lines(&began).len();
        let mut desk = runner(place, &house);
        until("all its listeners run", || lines(&began).len() >= before + AT_ONCE);
        desk.kill().unwrap();
        desk.wait().unwrap();
    }
    fs::write(&go, "").unwrap();
    let mut desk = runner(place, &house);
    until("every sale was heard", || lines(&began).len() >= sold.len());
    until("the last listeners end", || lines(&ended).len() >= sold.len() - 2 * AT_ONCE);
    let hung = lines(&began).len() - lines(&ended).len();
    desk.kill().unwrap();
    desk.wait().unwrap();
    let told = lines(&began);
    assert_eq!(told.iter().cloned().collect::<BTreeSet<_>>(), sold);
    assert_eq!(told.len(), sold.len(), "each once: {told:?}");
    assert!((2..=5).contains(&hung), "only those whose desk was killed did not end: {told:?}");
    assert_eq!(at(place, "verify").done()["ok"], true);
}

#[test]
fn a_sale_is_heard_once_though_desks_are_killed_over_a_file() {
    let house = House::royal();
    heard_once_through_kills(&house.path("house.db").display().to_string());
}

#[test]
fn a_sale_is_heard_once_though_desks_are_killed_over_a_server() {
    let ground = Ground::server();
    let place = ground.place().spelled();
    at(&place, "init").done();
    at(&place, "theater add 'The Royal' --rows 5x16 --time-zone UTC").done();
    at(&place, "performance add --theater 'The Royal' --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00").done();
    heard_once_through_kills(&place);
}
