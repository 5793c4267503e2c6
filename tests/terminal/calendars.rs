//! The calendar in a real terminal: zooming, and the bookings of another station.

use crate::ground::Ground;
use crate::limit::{scratch, until};
use crate::support::{Desk, Quiet, size, started};

fn contents(desk: &Desk) -> String {
    desk.output.0.lock().unwrap().screen.screen().contents()
}

/// A desk at a day of the calendar, with the cursor on a room.
fn at_the_calendar(house: &Quiet, who: [&str; 2], cols: u16, rows: u16) -> Desk {
    let mut desk = house.desk_of(who, size(cols, rows));
    desk.shows("Hamlet").keys("3").shows("Rehearsal 3");
    desk.keys("grehearsal 3\r").shows(">  Rehearsal 3");
    desk
}

fn bookings_appear(house: &Quiet) {
    let mut ada = at_the_calendar(house, ["ada", "till-1"], 100, 30);
    let mut ben = at_the_calendar(house, ["ben", "till-2"], 100, 30);
    ben.keys("gtomorrow 22:00\r").shows("22:00-23:00");
    for (hour, title) in (9..).zip(["Za", "Zb", "Zc", "Zd", "Ze", "Zf"]) {
        ada.keys(&format!("gtomorrow {hour:02}:00\r"));
        ada.shows(&format!("{hour:02}:00-{:02}:00", hour + 1));
        // Shift-Tab goes from the first field to the button
        ada.keys("n").shows("New booking").keys(title);
        // a bar of an hour is too short for letters
        let bars = contents(&ben).matches('▎').count();
        ada.keys("\x1b[Z").shows("✓ free").keys("\r");
        ben.until(title, |output| output.screen.screen().contents().matches('▎').count() > bars);
        ada.shows("Booked: Z");
    }
    for desk in [&mut ada, &mut ben] {
        desk.keys("q").ends();
    }
    assert_eq!(house.answers("verify")["ok"], true);
}

#[test]
fn what_another_station_books_on_a_file_appears() {
    bookings_appear(&Quiet::house());
}

#[test]
fn what_another_station_books_on_a_server_appears() {
    bookings_appear(&Quiet::on(Ground::server()));
}

#[test]
fn each_key_of_scrolling_and_zooming_changes_the_screen() {
    let house = Quiet::house();
    for (cols, rows) in [(80, 24), (200, 60)] {
        let mut desk = house.desk_of(["ada", "till-1"], size(cols, rows));
        desk.shows("Hamlet").keys("3").shows("Dance loft").rests();
        for key in [">", ">", "<", "-", ">", "-", ">", "-", ">", "+", "+", "\x1b[B", "\x1b[C", "+"] {
            let before = contents(&desk);
            desk.keys(key);
            desk.until(key, |output| output.screen.screen().contents() != before);
        }
        desk.keys("q").ends();
    }
}

#[test]
fn a_desk_keeps_its_calendars_published() {
    let ground = Ground::file();
    let place = ground.place().spelled();
    let house = Quiet::at(place.clone(), Some(ground));
    house.answers("resource add Shed --kind room --segment 60 --time-zone UTC");
    let folder = scratch();
    let into = folder.path().display().to_string();
    let mut desk = started(&["--db", &place, "--publish", &into], size(100, 30));
    desk.shows("Hamlet");
    let file = folder.path().join("shed.ics");
    let events = || std::fs::read_to_string(&file).unwrap().matches("BEGIN:VEVENT").count();
    assert_eq!(events(), 0);
    house.answers("calendar book Shed --from 2099-12-01T10:00 --until 2099-12-01T11:00 --title Choir");
    until("the booking is published", || events() == 1);
    desk.keys("q").ends();
}
