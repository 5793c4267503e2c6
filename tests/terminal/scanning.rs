//! Scan prompt at the door, in a real terminal: yes and no, each with its sentence.

use willcall::domain::time::Span;
use willcall::engine::clock::{Clock, SystemClock};

use crate::ground::Ground;
use crate::support::{Quiet, size};

/// Sells seats; gives the codes of their tickets.
fn sold(house: &Quiet, performance: &str, seats: &str) -> Vec<String> {
    let cart = house.answers("cart open")["id"].as_str().unwrap().to_owned();
    house.answers(&format!("cart add {cart} --performance {performance} --seats {seats}"));
    let receipt = house.answers(&format!("cart checkout {cart} --pay cash"))["number"].as_str().unwrap().to_owned();
    let shown = house.answers(&format!("ticket show {receipt}"));
    let tickets = shown["tickets"].as_array().unwrap().iter();
    tickets.map(|ticket| ticket["code"].as_str().unwrap().to_owned()).collect()
}

/// A house with Hamlet tonight, and Lear and a canceled Macbeth tomorrow.
fn furnished() -> Quiet {
    let house = Quiet::small(Ground::file());
    let now = SystemClock::default().now();
    let at = |hours: i64| (now + Span::minutes(hours * 60)).rfc3339(chrono_tz::UTC);
    for (title, hours) in [("Lear", 24), ("Macbeth", 30)] {
        let (start, end) = (at(hours), at(hours + 2));
        house
            .answers(&format!("performance add --theater Royal --title {title} --start {start} --end {end} --price 9"));
    }
    house
}

#[test]
fn a_scanner_gets_yes_once_and_no_with_its_reason_at_every_size() {
    let house = furnished();
    for (wide, high, seats) in [(80, 24, "A1,A2"), (100, 30, "B1,B2"), (160, 45, "C1,C2")] {
        let [one, two] = &sold(&house, "Hamlet", seats)[..] else { panic!("two tickets") };
        let lear = sold(&house, "Lear", seats).remove(0);
        let mut desk = house.desk(size(wide, high));
        desk.shows(">  TO").keys("d").shows("Each is admitted once.");
        // a scanner types fast, and ends with Enter; the same ticket comes twice within a second
        desk.keys(&format!("{one}\r{one}\r")).shows("was admitted").shows("Nobody").shows("█  ██");
        desk.keys(&format!("{}\r", two.to_lowercase().replace('-', ""))).shows("2 of 2 of").shows("█████   █████");
        desk.keys(&format!("{lear}\r")).shows("for another night: Lear");
        desk.keys(&format!("{}\r", &one[..9])).shows("20 letters").shows("this has 8");
        desk.keys("\x1b").rests().keys("q").ends();
    }
}

#[test]
fn dead_tickets_and_those_of_another_house_stay_outside() {
    let [house, other] = [furnished(), furnished()];
    let canceled = sold(&house, "Macbeth", "A1").remove(0);
    house.answers("performance cancel Macbeth --reason flooded");
    let back = sold(&house, "Hamlet", "A1").remove(0);
    house.answers(&format!("receipt refund {} --all --reason ill", number(&house)));
    let lost = sold(&house, "Hamlet", "A2").remove(0);
    house.answers(&format!("receipt reissue {} --reason lost", number(&house)));
    let foreign = sold(&other, "Hamlet", "A1").remove(0);
    let mut desk = house.desk(size(100, 30));
    desk.shows(">  TO").keys("d").shows("Each is admitted once.");
    for (code, words) in [
        (canceled, "was canceled"),
        (back, "was given back"),
        (lost, "issued the tickets of"),
        (foreign, "ticket of this house has"),
    ] {
        desk.keys(&format!("{code}\r")).shows(words);
    }
    desk.keys("\x1b").rests().keys("q").ends();
    assert_eq!(house.answers("verify")["ok"], true);
}

/// Number of the newest receipt.
fn number(house: &Quiet) -> String {
    house.answers("receipt list")[0]["number"].as_str().unwrap().to_owned()
}

#[test]
fn codes_on_a_screen_are_dark_squares_on_white_whatever_the_terminal_has() {
    let house = furnished();
    let code = sold(&house, "Hamlet", "A1").remove(0);
    let mut line = house.line(&format!("ticket show {}", number(&house)), size(80, 24));
    line.shows(&code);
    let output = line.output.0.lock().unwrap();
    let screen = output.screen.screen();
    let row =
        (0..24).find(|row| screen.contents_between(*row, 0, *row, 80).contains("\u{2588}\u{2580}\u{2580}")).unwrap();
    for column in 0..29 {
        let cell = screen.cell(row, column).unwrap();
        let (dark, light) = (cell.fgcolor(), cell.bgcolor());
        assert_eq!((dark, light), (vt100::Color::Idx(0), vt100::Color::Idx(15)), "{row} {column}");
    }
}
