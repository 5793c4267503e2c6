//! Stories of the calendar: keys and clicks in, screen out.

use std::collections::BTreeMap;

use ratatui::layout::Position;

use super::{NOON, Till, actor, desk};
use crate::domain::booking::{Cause, Details};
use crate::domain::customer::Customer;
use crate::domain::money::{Currency, Price};
use crate::domain::resource::{OpenHours, Policy, Resource};
use crate::domain::time::{Grid, Instant, Segment, Slot, Span};
use crate::engine::ops::{AddResource, BookSeries, BookSlot, Conflicts, Past, SlotWanted, Want};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::verify::Verify;
use crate::tui::data::msg::Msg;
use crate::tui::kit::input::{Pointer, PointerAct};

/// A room of quarter hours that is always open.
pub(super) fn adding(name: &str) -> AddResource {
    AddResource {
        name: name.into(),
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(15).unwrap() },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: None,
        prices: None,
        count: None,
        properties: BTreeMap::new(),
    }
}

pub(super) fn room(till: &Till, name: &str, minutes: u32) -> Resource {
    room_at(till, name, (minutes, None))
}

/// A room with a price for each segment, if it has one.
fn room_at(till: &Till, name: &str, (minutes, price): (u32, Option<i64>)) -> Resource {
    let add = AddResource {
        grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(minutes).unwrap() },
        price: price.map(|minor| Price { minor, currency: Currency::EUR }),
        ..adding(name)
    };
    till.engine.desk(actor("dora", "office")).run(add).unwrap()
}

/// Hours of today, from noon on.
pub(super) fn at(hours: i64) -> Instant {
    NOON + Span::minutes(hours * 60)
}

pub(super) fn book(till: &Till, room: &Resource, (from, until): (i64, i64), title: &str) {
    let book = BookSlot {
        wants: vec![Want::all(vec![room.id.clone()], Slot::new(at(from), at(until)).unwrap())],
        details: Details { title: title.into(), customer: Customer::default(), note: String::new(), price: None },
        past: Past::Refuse,
    };
    till.engine.desk(actor("ben", "till-1")).run(book).unwrap();
}

/// Choir, in the evening of a room.
pub(super) fn book_choir(till: &Till, room: &Resource) {
    book(till, room, (5, 7), "Choir");
}

/// Hours of a room, as a cart wants them.
pub(super) fn time(room: &Resource, (from, until): (i64, i64)) -> SlotWanted {
    SlotWanted { count: None, resource: room.id.clone(), slot: Slot::new(at(from), at(until)).unwrap() }
}

/// A desk at the calendar, at the first of two rooms of quarter hours below The Royal's hall; Yoga is there from 14
/// to 16.
pub(super) fn calendar() -> (Till, Resource, Resource) {
    let mut till = desk();
    let one = room(&till, "Rehearsal 1", 15);
    let two = room(&till, "Rehearsal 2", 15);
    book(&till, &one, (2, 4), "Yoga");
    till.keys("3 Down Down");
    (till, one, two)
}

/// A desk at the calendar, whose first booking of Rehearsal 1 is Tango, on three dates.
pub(super) fn weekly() -> Till {
    let (mut till, one, _) = calendar();
    let week = |week: i64| Slot::new(at(week * 7 * 24 + 1), at(week * 7 * 24 + 2)).unwrap();
    let book = BookSeries {
        resources: vec![one.id],
        any: None,
        slots: [0, 1, 2].map(week).to_vec(),
        details: Details { title: "Tango".to_owned(), ..Details::default() },
        conflicts: Conflicts::Refuse,
        past: Past::Refuse,
    };
    till.engine.desk(actor("ada", "till-2")).run(book).unwrap();
    till.notice();
    till
}

mod acts;
mod counted;
pub(super) mod displaced;
mod followed;
mod forms;
mod in_cart;
mod maintained;
mod own_time;
mod undone;
mod zooms;

impl Till {
    fn line(&mut self, of: &str) -> String {
        let screen = self.draw();
        let line = screen.lines().find(|line| line.contains(of));
        line.unwrap_or_else(|| panic!("no {of} in\n{screen}")).to_owned()
    }

    fn filter(&mut self, text: &str) -> &mut Self {
        self.keys("f Ctrl-u").types(text).keys("Enter")
    }

    pub(super) fn cell_of(&mut self, text: &str) -> Position {
        let screen = self.draw();
        for (line, y) in screen.lines().zip(0..) {
            if let Some(byte) = line.find(text) {
                let x = line.get(..byte).unwrap().chars().count();
                return Position::new(u16::try_from(x).unwrap(), y);
            }
        }
        panic!("no {text} in\n{screen}")
    }

    pub(super) fn mouse(&mut self, at: Position, acts: &[PointerAct]) -> &mut Self {
        for what in acts {
            self.send(Msg::Pointer(Pointer { at, what: *what }));
        }
        self.settle();
        self
    }

    pub(super) fn click_at(&mut self, at: Position) -> &mut Self {
        self.mouse(at, &[PointerAct::Press, PointerAct::Release])
    }

    fn drag_from(&mut self, from: Position, to: Position) -> &mut Self {
        self.mouse(from, &[PointerAct::Press]);
        self.mouse(to, &[PointerAct::Drag, PointerAct::Release])
    }

    pub(super) fn titles(&self) -> Vec<String> {
        let desk = self.engine.desk(actor("ben", "till-1"));
        let report = desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
        let found = desk.read(ReadBookings::default()).unwrap();
        found
            .iter()
            .filter(|booking| !matches!(booking.cause, Cause::Performance(_)))
            .map(|booking| {
                let slot = booking.extent().unwrap();
                format!("{} {}", booking.title, slot.words(chrono_tz::Tz::UTC, NOON))
            })
            .collect()
    }
}

/// The column of an hour of today on the screen.
fn column(till: &mut Till, hour: &str) -> u16 {
    till.cell_of(&format!("  {hour}  ")).x + 2
}

#[test]
fn the_day_shows_who_has_which_room() {
    let (mut till, _, _) = calendar();
    let line = till.line("Rehearsal 1");
    assert!(line.contains("-Yoga▒▒▒"), "{line}");
    till.shows("Calendar  Sat 21 Nov 2026   hours [day]");
}

#[test]
fn a_newcomer_books_a_room_by_mouse() {
    let (mut till, _, _) = calendar();
    let y = till.cell_of("Rehearsal 2").y;
    let (from, to) = (column(&mut till, "18"), column(&mut till, "20"));
    till.drag_from(Position::new(from, y), Position::new(to - 1, y));
    assert!(till.line("Rehearsal 2").contains("[ 2 h  ]"));
    let offer = till.cell_of("book it");
    till.click_at(offer).types("Choir");
    let button = till.cell_of("[ Book it ]");
    till.click_at(button);
    assert!(till.line("Rehearsal 2").contains("[Choir▒]"));
    assert_eq!(till.titles(), ["Yoga Sat 21 Nov 14:00-16:00", "Choir Sat 21 Nov 18:00-20:00"]);
}

#[test]
fn bookings_of_another_station_appear() {
    let (mut till, _, two) = calendar();
    assert!(!till.line("Rehearsal 2").contains("Casting"));
    book(&till, &two, (1, 3), "Casting");
    till.notice();
    assert!(till.line("Rehearsal 2").contains("-Casti…▒"));
}

#[test]
fn a_dragged_bar_is_a_preview_until_enter_moves_it() {
    let (mut till, _, _) = calendar();
    let bar = till.cell_of("Yoga▒");
    let other = till.cell_of("Rehearsal 2").y;
    let later = Position::new(bar.x + 8, other);
    till.drag_from(bar, later);
    assert!(till.line("Rehearsal 2").contains("[ 2 h  ]"));
    assert_eq!(till.titles(), ["Yoga Sat 21 Nov 14:00-16:00"], "a slip moves nothing");
    till.keys("Esc");
    assert!(!till.line("Rehearsal 2").contains('['));
    till.drag_from(bar, later).keys("Enter");
    assert_eq!(till.titles(), ["Yoga Sat 21 Nov 16:00-18:00"]);
    assert!(till.line("Rehearsal 2").contains("[Yoga▒"));
}

#[test]
fn a_repeat_shows_every_date_before_it_is_booked() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (7 * 24 + 6, 7 * 24 + 8), "Panto");
    till.types("g18:00 today").keys("Enter").keys("n").types("Tango");
    let repeat = till.cell_of("Repeat");
    till.click_at(repeat).types("weekly x3");
    let screen = till.draw();
    assert!(screen.contains("3 dates, 2 free"), "{screen}");
    assert!(screen.contains("taken by Panto"), "{screen}");
    let button = till.cell_of("[ Book the 2 free dates ]");
    till.click_at(button);
    assert_eq!(
        till.titles(),
        [
            "Yoga Sat 21 Nov 14:00-16:00",
            "Tango Sat 21 Nov 18:00-19:00",
            "Panto Sat 28 Nov 18:00-20:00",
            "Tango Sat 5 Dec 18:00-19:00",
        ]
    );
}

#[test]
fn disable_lists_the_bookings_it_displaces_before_and_offers_them_other_time_after() {
    let (mut till, _, _) = calendar();
    till.types("g14:00 today").keys("Enter").keys("v Right D").types("leak");
    let screen = till.draw();
    assert!(screen.contains("1 booking in the way"), "{screen}");
    let disable = till.cell_of("disable");
    till.click_at(disable);
    assert!(till.draw().contains("displaces 1"));
    let button = till.cell_of("[ Displace 1");
    till.click_at(button);
    let screen = till.draw();
    assert!(screen.contains("1 displaced   Yoga lost Rehearsal 1"), "{screen}");
    till.keys("d");
    let screen = till.draw();
    assert!(screen.contains("a  Rehearsal 2"), "{screen}");
    till.keys("a");
    let screen = till.draw();
    assert!(screen.contains("nobody waits"), "{screen}");
    let line = till.keys("Esc").line("Rehearsal 2");
    assert!(line.contains("-Yoga▒▒▒"), "all of it goes there: {line}");
}

#[test]
fn the_first_free_time_is_found_and_marked() {
    let (mut till, one, two) = calendar();
    book(&till, &one, (0, 2), "Early");
    book(&till, &two, (0, 6), "All day");
    till.keys("b").types("2h");
    let screen = till.draw();
    assert!(screen.contains("Rehearsal 1   Sat 21 Nov 16:00-18:00"), "{screen}");
    till.keys("Enter");
    assert!(till.line("Rehearsal 1").contains("[ 2 h  ]"));
    till.keys("Esc b Enter").shows("nothing is found yet");
}

#[test]
fn cancel_asks_first_and_frees_the_time() {
    let (mut till, _, _) = calendar();
    till.keys("Tab C");
    assert!(till.draw().contains("Cancel the booking?"));
    till.keys("Enter");
    assert_eq!(till.titles().len(), 1, "Enter is the safe answer");
    till.keys("C c");
    assert!(till.titles().is_empty());
    assert!(!till.line("Rehearsal 1").contains("Yoga"));
}

#[test]
fn time_in_the_cart_is_marked_as_this_desks() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter").keys("Down Space").notice();
    let line = till.line("Rehearsal 2");
    assert!(line.contains("[✓"), "{line}");
}

#[test]
fn the_calendar_is_filtered_by_kind_owner_and_state() {
    let (mut till, one, _) = calendar();
    let van = AddResource { kind: "car".into(), ..adding("Van") };
    till.engine.desk(actor("dora", "office")).run(van).unwrap();
    till.keys("1 3").shows("Rehearsal 2").shows("Van");
    till.filter("car").shows("Van").hides("Rehearsal 2");
    till.filter("yoga").shows("Rehearsal 1").hides("Rehearsal 2");
    till.keys("Esc").shows("Rehearsal 2").shows("Van");
    // a state is that of the cursor's time, or of the mark's
    till.types("g14:00 today").keys("Enter").filter("free");
    till.hides("Rehearsal 1").shows("Rehearsal 2");
    till.filter("booked room");
    till.shows("Rehearsal 1").hides("Rehearsal 2");
    book(&till, &one, (20, 22), "Choir");
    till.filter("out").shows("Nothing is");
    // bookings of one customer are drawn alone, beside others in the same room
    book(&till, &one, (4, 6), "Ball");
    till.notice().keys("Esc").shows("Ball");
    till.filter("yoga").shows("Rehearsal 1").hides("Ball");
    till.filter("rehearsal").shows("Ball");
}

#[test]
fn a_folded_group_shows_closed_and_out_of_use_differently() {
    let (mut till, _, _) = calendar();
    let add = |name: &str, kind: &str, minutes| AddResource {
        kind: kind.into(),
        hours: (minutes < 1440).then(|| OpenHours::parse("08:00-20:00").unwrap()),
        grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(minutes).unwrap() },
        ..adding(name)
    };
    let dora = till.engine.desk(actor("dora", "office"));
    dora.run(add("Night 1", "night", 1440)).unwrap();
    dora.run(add("Studio", "room", 15)).unwrap();
    till.keys("1 3").types("gnight").keys("Enter -");
    till.shows("3 on Sat 21 Nov: 1 taken, 2 free");
    till.keys("+").types("g21:00 today").keys("Enter");
    let rooms = till.line("ROOMS");
    assert!(rooms.contains("▾ ROOMS"), "{rooms}");
    while !till.line("ROOMS").starts_with(" >") {
        till.keys("Up");
    }
    till.keys("n").shows("ROOMS is a group: choose a line of it, or b finds free time");
    till.keys("Space");
    till.shows("3 on Sat 21 Nov, 21:00: 0 taken, 1 closed, 2 free");
}

/// Below 140 columns the foot tells of the chosen booking in a line.
#[test]
fn a_panel_beside_the_calendar_tells_of_the_chosen_booking() {
    let mut till = weekly();
    till.resize(160, 45).keys("Tab").shows("│ Tango").shows("│ next        Sat 21 Nov, Sat 28 Nov,");
    till.keys("Tab").shows("│ Yoga").hides("│ Tango");
    till.resize(120, 36).hides("│ Yoga").shows("Yoga   Sat 21 Nov 14:00-16:00");
}

#[test]
fn zooming_in_on_a_day_shows_that_day() {
    let (mut till, _, _) = calendar();
    for closer in ["- +", "- - + +", "- - - + + +"] {
        till.keys(closer).shows("21 Nov 2026   hours [day]");
    }
    till.keys("- -").types("g25 nov").keys("Enter + +");
    till.shows("25 Nov 2026   hours [day]");
    till.shows("25 Nov 08:00");
}
