//! Stories of calendars that are followed: where a booking is from, and a time that differs.

use super::{at, book, calendar};
use crate::domain::followed::{Followed, Following};
use crate::domain::money::{Currency, Price};
use crate::domain::resource::Resource;
use crate::domain::time::{Slot, Span};
use crate::engine::ops::{ChangeFollowed, FollowCalendar, ForeignTime};
use crate::tui::app::tests::{Till, actor};

fn slot((from, until): (i64, i64)) -> Slot {
    Slot::new(at(from), at(until)).unwrap()
}

/// Follows a calendar with one time for a room.
fn follow(till: &mut Till, room: &Resource, hours: (i64, i64)) {
    let followed = Followed {
        file: "/airbnb.ics".into(),
        resource: room.id.clone(),
        blocks: None,
        gone: None,
        price: Price { minor: 0, currency: Currency::EUR },
        ahead: Span::minutes(60 * 24 * 60),
        stamp: None,
        followed_at: None,
        every: None,
        last: Following::default(),
    };
    let desk = till.engine.desk(actor("dora", "office"));
    let (calendar, followed) = ("Airbnb".to_owned(), Some(followed));
    desk.run(ChangeFollowed { calendar: calendar.clone(), followed, differing: None, job: None }).unwrap();
    let (title, note) = ("Reserved".into(), String::new());
    let times = vec![ForeignTime { uid: "r1".into(), title, note, slot: slot(hours) }];
    desk.run(FollowCalendar { calendar, times, freed: Vec::new(), asked: Vec::new() }).unwrap();
    till.notice();
}

/// A desk in front of a stay of Airbnb that its calendar has longer, where Choir stands.
fn clash() -> Till {
    let (mut till, one, _) = calendar();
    follow(&mut till, &one, (5, 7));
    book(&till, &one, (7, 9), "Choir");
    follow(&mut till, &one, (5, 8));
    till.keys("1").notice().wait(Span::seconds(1));
    till
}

#[test]
fn a_followed_booking_says_from_where() {
    let (mut till, one, _) = calendar();
    follow(&mut till, &one, (5, 7));
    till.types("g17:30 today").keys("Enter");
    assert!(
        till.line("  Booked ").contains("Reserved   Sat 21 Nov 17:00-19:00   from Airbnb   Rehearsal 1"),
        "{}",
        till.draw()
    );
    till.keys("Enter");
    till.shows("from        Airbnb   followed");
}

#[test]
fn a_time_that_differs_is_settled_by_keys_with_both_versions() {
    let mut till = clash();
    till.resize(160, 45).keys("Tab").shows("Airbnb says otherwise of Rehearsal 1");
    till.shows("17:00-19:00").shows("17:00-20:00").resize(100, 30);
    // as there is not free: it says whose time it is, and the other way is one key on
    till.keys("Enter").shows("Settle   Rehearsal 1 of Airbnb").shows("Take      [as there]  as here");
    till.shows("here Sat 21 Nov 17:00-19:00").shows("there Sat 21 Nov 17:00-20:00").shows("booked, Choir");
    till.keys("Right").shows("Leave it as it is").keys("Enter").hides("Settle");
    till.keys("1").notice().shows("Nothing now.");
}
