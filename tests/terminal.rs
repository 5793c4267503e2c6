//! The desk in a real pseudo-terminal: what it draws, and how it gives the terminal back.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a story that goes wrong fails at once")]

#[path = "terminal/bad_input.rs"]
mod bad_input;
#[path = "terminal/calendars.rs"]
mod calendars;
#[path = "support/cluster.rs"]
#[expect(dead_code, reason = "roles and their rights are told of in the stories")]
mod cluster;
#[path = "terminal/first_start.rs"]
mod first_start;
#[path = "support/ground.rs"]
#[expect(dead_code, reason = "nobody meddles with these houses")]
mod ground;
#[path = "support/limit.rs"]
mod limit;
#[path = "terminal/scanning.rs"]
mod scanning;
#[path = "terminal/stations.rs"]
mod stations;
#[path = "support/terminal.rs"]
mod support;

use rustix::process::Signal;

use support::{Output, Quiet, demo, size, whole};

#[test]
fn a_newcomer_sells_two_seats() {
    let mut desk = demo();
    desk.shows(" 1 Tonight ").shows(">  TO").keys("b2\r");
    desk.shows("are yours until").keys("p\r").shows("Sold: receipt");
    desk.shows("CHANGE").keys("q").ends();
}

#[test]
fn four_best_are_sold_for_cash_in_five_keys() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows(">  TO").keys("b").keys("4").keys("\r");
    desk.shows("are yours until").keys("p").shows("TO PAY").keys("\r");
    desk.shows("Sold: receipt till-2/1").keys("q").ends();
    assert_eq!(house.sold(), [4]);
}

#[test]
fn a_whole_sale_typed_ahead_arrives_in_one_burst_and_is_one_sale() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows(">  TO").keys("b4\rp\r").shows("Sold: receipt");
    desk.keys("q").ends();
    assert_eq!(house.sold(), [4]);
}

#[test]
fn a_doubled_enter_sells_nothing_more() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows(">  TO").keys("b2\r\r").shows("are yours until");
    desk.keys("p\r\r\r").shows("Sold: receipt").rests();
    desk.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}

#[test]
fn a_desk_where_nothing_happens_draws_nothing() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").rests().keys("q").ends();
}

/// Home on the first line moves nothing; that other stations are on, and this one, is told every few seconds.
#[test]
fn what_changes_nothing_on_the_screen_writes_no_byte() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").rests().keys("\x1b[H").rests();
    desk.keys("q").ends();
    let output = desk.output.0.lock().unwrap();
    let text = String::from_utf8_lossy(&output.bytes);
    let frames: Vec<&str> = text.split("\x1b[?2026h").skip(1).collect();
    assert!(!frames.is_empty());
    for frame in frames {
        let moves = frame
            .split("\x1b[")
            .any(|sequence| sequence.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('H'));
        assert!(moves, "nothing is drawn by {frame:?}");
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_so_at_once() {
    let house = Quiet::house();
    let mut desk = house.desk(size(40, 10));
    desk.shows("40x10 is too small").keys("q").ends();
}

#[test]
fn a_terminal_is_asked_for_its_ground_and_its_answer_presses_no_key() {
    let holds = |sequence: &'static [u8]| {
        move |output: &Output| {
            let mut windows = output.bytes.windows(sequence.len());
            windows.any(|window| window == sequence)
        }
    };
    let ground = |index: u8| {
        move |output: &Output| {
            let cell = output.screen.screen().cell(28, 45);
            cell.is_some_and(|cell| cell.bgcolor() == vt100::Color::Idx(index))
        }
    };
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.until("question", holds(b"\x1b]11;?"));
    desk.keys("\x1b]11;rgb:ffff/ffff/ffff\x07");
    desk.until("light ground of the 256", ground(231));
    desk.shows("Hamlet").keys("2").shows("Space pick");
    // one that comes late, over a slow line: its digits are no screens, its letters no commands
    desk.keys("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\");
    desk.until("dark ground of the 256", ground(233));
    desk.shows(" 2 Seats ").shows("no seats yet");
    desk.keys("q").ends();
}

#[test]
fn the_terminal_is_given_back_when_the_system_asks_to_stop() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut desk = demo();
        desk.shows("Hamlet").signal(signal).ends();
    }
}

/// There is no shell here that could stop it, so that it goes on by itself; the terminal is given back and taken.
#[test]
fn a_suspended_desk_comes_back_whole() {
    let mut desk = demo();
    desk.shows("Hamlet").keys("\x1a");
    desk.until("plain screen", |output| !output.screen.screen().alternate_screen());
    desk.until("desk", |output| output.screen.screen().alternate_screen());
    desk.shows(" 1 Tonight ");
    desk.keys("q").ends();
}

#[test]
fn a_resize_is_followed() {
    let mut desk = demo();
    desk.shows("Hamlet");
    let small = size(50, 12);
    desk.output.0.lock().unwrap().screen.screen_mut().set_size(whole(12), whole(50));
    desk.master.resize(small).unwrap();
    desk.shows("50x12 is too small").keys("q").ends();
}
