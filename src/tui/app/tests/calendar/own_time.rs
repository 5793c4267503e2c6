//! The time of a booking is its own, whatever part of it is in view.

use super::{actor, adding, book, desk};
use crate::domain::time::Span;
use crate::engine::ops::AddResource;
use crate::tui::app::tests::Till;

/// A desk at the calendar with a hall whose left half needs a quarter hour around; a market is there from 17 to 4.
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
    book(&till, &left, (5, 16), "Market");
    till.keys("3 Down Down +")
        .types("g22:00 today")
        .keys("Enter");
    // the page is read again, for the hours in view alone
    book(&till, &left, (20, 21), "Late");
    till.notice();
    till
}

/// The line that says what is under the cursor.
fn said(till: &mut Till) -> String {
    till.line(" Booked ")
}

#[test]
fn a_bar_that_began_before_the_window_says_when_it_began() {
    let mut till = hall();
    till.keys("Down");
    let bar = till.line("Left half ");
    assert!(bar.contains('['), "{bar}");
    let words = "Market   Sat 21 Nov 17:00 - Sun 22 Nov 04:00   Left half";
    assert!(said(&mut till).contains(words), "{}", till.draw());
}

#[test]
fn a_hall_says_of_a_booking_of_its_half_what_the_half_says() {
    let mut till = hall();
    let words = "Market   Sat 21 Nov 17:00 - Sun 22 Nov 04:00   Hall";
    assert!(said(&mut till).contains(words), "{}", till.draw());
    till.keys("-").shows("░▐Market▒").shows("░[Market");
}
