//! Latency of the desk in a real pseudo-terminal: a key to its frame, and one station's hold on another's screen.
//!
//! Prints the median and the slowest of each, in milliseconds.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench that goes wrong fails at once, and prints its figures"
)]

#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "a server with plain roles is enough")]
mod cluster;
#[path = "../support/ground.rs"]
#[expect(dead_code, reason = "the houses stay as they were made")]
mod ground;
#[path = "../support/limit.rs"]
mod limit;
#[path = "../support/terminal.rs"]
#[expect(dead_code, reason = "a bench sends no signals")]
mod support;

use std::time::{Duration, Instant};

use ground::Ground;
use support::{Desk, Output, Quiet, size};

/// Picks of one station that the other waits for.
const PICKS: usize = 20;

fn contents(output: &Output) -> String {
    output.screen.screen().contents()
}

fn screen(desk: &Desk) -> String {
    contents(&desk.output.0.lock().unwrap())
}

fn print(what: &str, mut took: Vec<Duration>) {
    took.sort_unstable();
    let millis = |at: usize| took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1000.0);
    let (median, slowest) = (millis(took.len() / 2), millis(took.len() - 1));
    println!("{what:<44} median {median:7.1} ms   slowest {slowest:7.1} ms");
}

/// From a key to the first changed frame, on the calendar.
fn zooming(cols: u16, rows: u16) {
    let house = Quiet::house();
    let mut desk = house.desk_of(["ada", "till-1"], size(cols, rows));
    desk.shows("Hamlet").keys("3").shows("Dance loft").rests();
    let keys = [">", ">", "<", "-", ">", "-", ">", "-", ">", "+", "+", "+"];
    let press = |key: &&str| {
        let before = screen(&desk);
        desk.keys(key);
        let pressed = Instant::now();
        desk.until(key, |output| contents(output) != before);
        pressed.elapsed()
    };
    print(&format!("calendar key, {cols}x{rows}"), keys.iter().map(press).collect());
}

/// From a pick at one desk to its sign on the map of another.
fn stations(what: &str, house: &Quiet) {
    let [mut ada, mut ben] = [["ada", "till-1"], ["ben", "till-2"]].map(|who| {
        let mut desk = house.desk_of(who, size(100, 30));
        desk.shows("Hamlet").keys("\r").shows("Space pick");
        desk
    });
    let held = |output: &Output| contents(output).matches('◔').count();
    let pick = |_| {
        let before = held(&ben.output.0.lock().unwrap());
        ada.keys("b1\r");
        let picked = Instant::now();
        ben.until("hold", |output| held(output) > before);
        picked.elapsed()
    };
    print(what, (0..PICKS).map(pick).collect());
}

fn main() {
    zooming(80, 24);
    zooming(200, 60);
    stations("a hold on another's map, one file", &Quiet::small(Ground::file()));
    if cluster::Cluster::shared().is_some() {
        stations("a hold on another's map, one server", &Quiet::small(Ground::server()));
    }
}
