//! Latency of the desk in a real pseudo-terminal: a key to its frame, and one station's hold on another's screen.
//!
//! Prints the median and the slowest of each, in milliseconds; of keys on the map of a big house also the processor time
//! and the bytes.

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

use std::fs::DirEntry;
use std::time::{Duration, Instant};

use ground::Ground;
use support::{Desk, Output, Quiet, size};

/// Time in which a desk has drawn what a key changes.
const SETTLES: Duration = Duration::from_millis(200);
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

/// Processor time of all threads of a desk.
fn spent(desk: &Desk) -> Duration {
    let tasks = format!("/proc/{}/task", desk.child.process_id().unwrap());
    let of = |task: std::io::Result<DirEntry>| {
        let line = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        line.split(' ').next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(std::fs::read_dir(tasks).unwrap().filter_map(of).sum())
}

fn written(desk: &Desk) -> usize {
    desk.output.0.lock().unwrap().bytes.len()
}

/// Processor time and bytes of a desk while something is done.
fn cost(desk: &mut Desk, act: impl FnOnce(&mut Desk)) -> (Duration, usize) {
    let before = (spent(desk), written(desk));
    act(desk);
    std::thread::sleep(SETTLES);
    (spent(desk).saturating_sub(before.0), written(desk) - before.1)
}

fn print_cost(what: &str, costs: Vec<(Duration, usize)>) {
    let (took, mut bytes): (Vec<Duration>, Vec<usize>) = costs.into_iter().unzip();
    bytes.sort_unstable();
    print(&format!("{what}, CPU"), took);
    println!("{what:<44} median {:7} bytes", bytes[bytes.len() / 2]);
}

/// Keys on the map of a house of some rows, and seats that another station takes and gives back.
fn map(rows: &str) {
    let house = Quiet::of_rows(rows, Ground::file());
    let [mut ada, mut ben] = [["ada", "till-1"], ["ben", "till-2"]].map(|who| {
        let mut desk = house.desk_of(who, size(200, 60));
        desk.shows("Hamlet").keys("2").shows("Space pick").rests();
        desk
    });
    for (name, key, times) in
        [("arrow", "\x1b[C", 20), ("pick or give back", " ", 10), ("best", "b", 1), ("4", "4", 1), ("Enter", "\r", 1)]
    {
        let costs = (0..times)
            .map(|_| {
                cost(&mut ada, |desk| {
                    desk.keys(key);
                })
            })
            .collect();
        print_cost(&format!("{rows}, {name}"), costs);
    }
    ben.keys("\x1b[B\x1b[B\x1b[B");
    let costs = (0..10)
        .map(|_| {
            cost(&mut ada, |_| {
                ben.keys(" ");
            })
        })
        .collect();
    print_cost(&format!("{rows}, another's seat"), costs);
}

fn main() {
    map("54x56");
    map("250x200");
    zooming(80, 24);
    zooming(200, 60);
    stations("a hold on another's map, one file", &Quiet::small(Ground::file()));
    if cluster::Cluster::shared().is_some() {
        stations("a hold on another's map, one server", &Quiet::small(Ground::server()));
    }
}
