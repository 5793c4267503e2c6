//! Several desks on one house, each in a terminal of its own: what they see of each other, how soon, and what is
//! left of one that is lost. In a file and on a server.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::cluster::Cluster;
use crate::ground::Ground;
use crate::support::{Desk, Output, Quiet, size};

/// How soon stations see what another did.
const SEEN_WITHIN: Duration = Duration::from_millis(250);

/// How many picks are timed; a machine with other work to do may delay some.
const PICKS: usize = 6;

/// For how long a server is away; as many seconds as `WILLCALL_OUTAGE_SECONDS` says.
const OUTAGE: Duration = Duration::from_secs(3);

fn held_by_others(output: &Output) -> usize {
    output.screen.screen().contents().matches('◔').count()
}

/// A desk at the map of tonight's performance.
fn selling(house: &Quiet, who: [&str; 2]) -> Desk {
    let mut desk = house.desk_of(who, size(100, 30));
    desk.shows("Hamlet").keys("\r").shows("S T A G E");
    desk
}

/// What stands before a text on the screen, up to the blank before it.
fn word_before(desk: &Desk, text: &str) -> String {
    let output = desk.output.0.lock().unwrap();
    let screen = output.screen.screen().contents();
    let (before, _) = screen.split_once(text).unwrap();
    before.split_whitespace().last().unwrap().to_owned()
}

fn stations_see_each_other(house: &Quiet) {
    let mut ada = selling(house, ["ada", "till-1"]);
    let mut ben = selling(house, ["ben", "till-2"]);
    ada.shows("also here: till-2 (ben)");
    ben.shows("also here: till-1 (ada)");
    let mut took = Vec::new();
    for _ in 0..PICKS {
        let held = held_by_others(&ben.output.0.lock().unwrap());
        ada.keys("b1\r");
        let picked = Instant::now();
        ben.until("hold", |output| held_by_others(output) > held);
        took.push(picked.elapsed());
    }
    took.sort_unstable();
    assert!(took[PICKS / 2] < SEEN_WITHIN, "{took:?}");
    ada.shows(" is yours until");
    let seat = word_before(&ada, " is yours until");
    ben.keys(&format!("g{seat}\r"))
        .shows("is held by ada at till-1, ")
        .shows(" left");
    ben.keys("1").shows("till-1 ada  Hamlet");
    for desk in [&mut ben, &mut ada] {
        desk.keys("q");
    }
    ada.keys("k").ends();
    ben.ends();
}

#[test]
fn stations_on_a_file_see_each_other_at_once() {
    stations_see_each_other(&Quiet::small(Ground::file()));
}

#[test]
fn stations_on_a_server_see_each_other_at_once() {
    stations_see_each_other(&Quiet::small(Ground::server()));
}

fn a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(house: &Quiet) {
    let mut ada = selling(house, ["ada", "till-1"]);
    ada.keys("b3\r").shows("are yours until");
    ada.signal(Signal::KILL).child.wait().unwrap();
    let mut ada = house.desk_of(["ada", "till-1"], size(100, 30));
    ada.shows("Your cart from before is held until");
    ada.shows("3 seats: o takes it").keys("o");
    ada.shows("Open carts").keys("\r").shows("3 seats");
    ada.keys("n").shows("set aside");
    let mut ben = selling(house, ["ben", "till-2"]);
    ben.keys("o").shows("Open carts").shows("till-1");
    ben.keys("\r").shows("3 seats").keys("p").shows("TO PAY");
    ben.keys("\r").shows("Sold   receipt till-2/1");
    ada.keys("q").ends();
    ben.keys("q").ends();
    assert_eq!(house.sold(), [3]);
}

#[test]
fn a_lost_terminal_on_a_file_finds_its_cart_and_another_takes_it_over() {
    a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(
        &Quiet::small(Ground::file()),
    );
}

#[test]
fn a_lost_terminal_on_a_server_finds_its_cart_and_another_takes_it_over() {
    a_lost_terminal_finds_its_cart_and_a_cart_set_aside_is_taken_over(&Quiet::small(
        Ground::server(),
    ));
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
    let outage = seconds.map_or(OUTAGE, Duration::from_secs);
    cluster.fall("INT").unwrap();
    let fell = Instant::now();
    ada.shows("no database").shows("200_");
    // asked for while nobody answers
    ada.keys("\r");
    std::thread::sleep(outage.saturating_sub(fell.elapsed()));
    ada.shows("no database");
    cluster.rise().unwrap();
    ada.shows("Sold   receipt till-2/1").shows("CHANGE");
    ada.until("a database", |output| {
        !output.screen.screen().contents().contains("no database")
    });
    ada.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}
