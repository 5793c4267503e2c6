//! Listeners of sales: each sale is heard, though desks are killed at any moment; once, but for those whose desk was killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::json;

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

/// Sells, kills desks while all of their listeners hang and as soon as any was called, lets the leases of the dead run
/// out, and lets the last desk finish.
fn heard_through_kills(place: &str, meddle: impl Fn(&str)) {
    let house = House::none();
    let [began, ended, go] = ["began", "ended", "go"].map(|name| house.path(name));
    let command = format!(
        "read -r told; n=${{told##*\\\"number\\\":\\\"}}; n=${{n%%\\\"*}}; a=${{told##*\\\"attempt\\\":}}; a=${{a%%[,\\}}]*}}; \
         echo $n $a >> {}; [ -e {} ] || exec sleep 600; echo $n $a >> {}",
        began.display(),
        go.display(),
        ended.display()
    );
    let mut set = House::none().command();
    set.args(["--db", place, "--json", "settings", "set", "listener.receipt_issued", &command]);
    Ran::of("settings set", set.output().unwrap()).done();
    at(place, "settings set listener-limit 10m").done();
    let mut sold = BTreeSet::new();
    for number in 1..=8 {
        let cart = at(place, "cart open").done()["id"].as_str().unwrap().to_owned();
        at(place, &format!("cart add {cart} --performance Movie --seats E{number}")).done();
        let receipt = at(place, &format!("cart checkout {cart} --pay cash")).done();
        sold.insert(receipt["number"].as_str().unwrap().to_owned());
    }
    let kill_when = |what: &str, come: usize| {
        let before = lines(&began).len();
        let mut desk = runner(place, &house);
        until(what, || lines(&began).len() >= before + come);
        desk.kill().unwrap();
        desk.wait().unwrap();
    };
    kill_when("all its listeners run", AT_ONCE);
    kill_when("all its listeners run", AT_ONCE);
    fs::write(&go, "").unwrap();
    kill_when("one is called", 1);
    meddle("UPDATE job SET next_check_at = 0 WHERE kind = 'listener_call'");
    let mut desk = runner(place, &house);
    let numbers = || lines(&ended).iter().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect();
    until("every sale was heard to its end", || BTreeSet::<String>::is_superset(&numbers(), &sold));
    until("no call is open", || at(place, "job list --kind listener_call").done() == json!([]));
    desk.kill().unwrap();
    desk.wait().unwrap();
    let calls = lines(&began);
    let each: BTreeSet<&String> = calls.iter().collect();
    assert_eq!(each.len(), calls.len(), "no call was made twice: {calls:?}");
    let again: BTreeSet<&str> = calls.iter().filter_map(|call| call.strip_suffix(" 2")).collect();
    assert!((2 * AT_ONCE..=3 * AT_ONCE).contains(&again.len()), "only those whose desk was killed: {calls:?}");
    let told = at(place, "journal").out;
    assert!(told.contains("died while the command ran"), "{told}");
    assert_eq!(at(place, "verify").done()["ok"], true);
}

#[test]
fn each_sale_is_heard_though_desks_are_killed_over_a_file() {
    let house = House::royal();
    let file = house.path("house.db");
    heard_through_kills(&file.display().to_string(), |sql| {
        rusqlite::Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    });
}

#[test]
fn each_sale_is_heard_though_desks_are_killed_over_a_server() {
    let ground = Ground::server();
    let place = ground.place().spelled();
    at(&place, "init").done();
    at(&place, "theater add 'The Royal' --rows 5x16 --time-zone UTC").done();
    at(&place, "performance add --theater 'The Royal' --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00").done();
    heard_through_kills(&place, |sql| ground.meddle(sql));
}
