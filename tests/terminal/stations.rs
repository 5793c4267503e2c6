//! Several desks on one house, each in a terminal of its own, in a file and on a server: notices of each other's
//! holds, a lost terminal's cart, and a server that goes away.

use rustix::process::Signal;

use crate::cluster::Cluster;
use crate::ground::Ground;
use crate::support::{Desk, Output, Quiet, size};

/// Picks of one desk, each waited for at the other.
const PICKS: usize = 6;

/// Seconds that the server is away, unless `WILLCALL_OUTAGE_SECONDS` says another number.
const OUTAGE: u32 = 3;

fn held_by_others(output: &Output) -> usize {
    output.screen.screen().contents().matches('◔').count()
}

/// A desk at the map of the first performance, `TONIGHT` or `TOMORROW`. Its day shows that the list was read: the
/// title alone may be another station's, which stands on the screen before the list does.
fn selling(house: &Quiet, who: [&str; 2]) -> Desk {
    let mut desk = house.desk_of(who, size(100, 30));
    desk.shows(">  TO").keys("\r").shows("Space pick");
    desk
}

/// What stands before a text on the screen, up to the blank before it.
fn word_before(desk: &Desk, text: &str) -> String {
    let output = desk.output.0.lock().unwrap();
    let screen = output.screen.screen().contents();
    let (before, _) = screen.split_once(text).unwrap();
    before.split_whitespace().last().unwrap().to_owned()
}

/// Seconds of the outage that the header tells of: `no database for 1m05s`.
fn away_seconds(output: &Output) -> Option<u32> {
    let screen = output.screen.screen().contents();
    let (_, told) = screen.split_once("no database ")?;
    let clock = told.split_whitespace().find(|word| *word != "for")?;
    let clock = clock.strip_suffix('s')?;
    let (minutes, seconds) = clock.split_once('m').unwrap_or(("0", clock));
    Some(minutes.parse::<u32>().ok()? * 60 + seconds.parse::<u32>().ok()?)
}

fn stations_see_each_other(house: &Quiet) {
    let mut ada = selling(house, ["ada", "till-1"]);
    let mut ben = selling(house, ["ben", "till-2"]);
    ada.shows("also here: till-2 (ben)");
    ben.shows("also here: till-1 (ada)");
    for _ in 0..PICKS {
        let held = held_by_others(&ben.output.0.lock().unwrap());
        ada.keys("b1\r");
        ben.until("hold", |output| held_by_others(output) > held);
    }
    ada.shows(" is yours until");
    let seat = word_before(&ada, " is yours until");
    ben.keys(&format!("g{seat}\r")).shows("is held by ada at till-1, ").shows(" left");
    ben.keys("1").shows("till-1 ada  Hamlet");
    for desk in [&mut ben, &mut ada] {
        desk.keys("q");
    }
    ada.keys("k").ends();
    ben.ends();
}

#[test]
fn stations_on_a_file_see_each_other() {
    stations_see_each_other(&Quiet::small(Ground::file()));
}

#[test]
fn stations_on_a_server_see_each_other() {
    stations_see_each_other(&Quiet::small(Ground::server()));
}

fn a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(house: &Quiet) {
    let mut ada = selling(house, ["ada", "till-1"]);
    ada.keys("b3\r").shows("are yours until");
    ada.signal(Signal::KILL).child.wait().unwrap();
    let mut ada = house.desk_of(["ada", "till-1"], size(100, 30));
    ada.shows("Your cart from before is held until");
    ada.shows("3 seats: o takes it").keys("o");
    ada.shows("Open carts").shows("> yours").keys("\r");
    ada.until("closed dialog", |output| !output.screen.screen().contents().contains("Open carts"));
    ada.keys("n").shows("set aside for");
    ada.keys("\r").shows("Set aside, held until");
    let mut ben = selling(house, ["ben", "till-2"]);
    ben.keys("o").shows("Open carts").shows("set aside till-1");
    ben.keys("\r").shows("3 seats").keys("p").shows("TO PAY");
    ben.keys("\r").shows("Sold: receipt till-2/1");
    ada.keys("q").ends();
    ben.keys("q").ends();
    assert_eq!(house.sold(), [3]);
}

#[test]
fn a_lost_terminal_on_a_file_finds_its_cart_and_another_takes_it_over() {
    a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(&Quiet::small(Ground::file()));
}

#[test]
fn a_lost_terminal_on_a_server_finds_its_cart_and_another_takes_it_over() {
    a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(&Quiet::small(Ground::server()));
}

#[test]
fn a_server_that_stops_under_an_open_cart_is_said_waited_for_and_nothing_is_lost() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let house = Quiet::at(cluster.address("public"), None);
    let mut ada = selling(&house, ["ada", "till-2"]);
    ada.keys("b2\r").shows("are yours until");
    ada.keys("p").shows("TO PAY").keys("200");
    let seconds = std::env::var("WILLCALL_OUTAGE_SECONDS").map(|text| text.parse().unwrap());
    let outage = seconds.unwrap_or(OUTAGE);
    cluster.fall("INT").unwrap();
    ada.shows("no database").shows("200_");
    // asked for while nobody answers
    ada.keys("\r");
    ada.until("outage", |output| away_seconds(output) >= Some(outage));
    cluster.rise().unwrap();
    ada.shows("Sold: receipt till-2/1").shows("CHANGE");
    ada.until("a database", |output| !output.screen.screen().contents().contains("no database"));
    ada.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}
