//! The time of a booking is its own, whatever part of it is in view.

use super::{actor, adding, book, desk};
use crate::domain::time::Span;
use crate::engine::ops::AddResource;
use crate::tui::app::tests::Till;

/// A desk at the calendar with a hall whose left half needs a quarter hour around; a market is there from Saturday 17:00
/// to Thursday 04:00. Rooms in other zones have the page read a day more around what is in view, so it is longer.
fn hall() -> Till {
    let mut till = desk();
    let office = till.engine.desk(actor("dora", "office"));
    let hall = office.run(adding("Hall")).unwrap();
    let left = AddResource {
        parent: Some(hall.id),
        before: Span::minutes(15),
        after: Span::minutes(15),
        ..adding("Left half")
    };
    let left = office.run(left).unwrap();
    book(&till, &left, (5, 112), "Market");
    till.keys("3 Down Down +");
    till
}

/// The line that says what is under the cursor.
fn said(till: &mut Till) -> String {
    till.line(" Booked ")
}

/// With the start in view, neither, and the end in view.
const DAYS: [&str; 3] = ["g22:00 today", "g23 nov 22:00", "g26 nov 01:00"];

#[test]
fn a_bar_beyond_the_window_shows_its_start_and_end() {
    let mut till = hall();
    till.keys("Down");
    let words = "Market   Sat 21 Nov 17:00 - Thu 26 Nov 04:00   Left half";
    for day in DAYS {
        till.types(day).keys("Enter");
        assert!(said(&mut till).contains(words), "{}", till.draw());
    }
}

#[test]
fn a_hall_shows_a_booking_of_its_half_as_the_half_does() {
    let mut till = hall();
    let words = "Market   Sat 21 Nov 17:00 - Thu 26 Nov 04:00   Hall";
    for day in DAYS {
        till.types(day).keys("Enter");
        assert!(said(&mut till).contains(words), "{}", till.draw());
    }
    till.types("g22:00 today").keys("Enter -").shows("░-Market");
}
