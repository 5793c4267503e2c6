//! Stories of time that is sold with a cart.

use super::{calendar, room_at};
use crate::domain::booking::Cause;
use crate::domain::receipt::Papers;
use crate::domain::time::Span;
use crate::engine::ops::{CloseDays, WhatStands};
use crate::tui::app::tests::{Till, actor};
use crate::words::printing;

/// A desk whose cart has two seats and two hours of Rehearsal 2, which cost 3.00 a quarter hour.
fn with_time() -> Till {
    let (mut till, _, _) = calendar();
    room_at(&till, "Piano", (15, Some(300)));
    till.keys("1 3").types("gpiano").keys("Enter").types("g19:00 today").keys("Enter v Right Right Right Space");
    till.keys("1 Enter Space Right Space");
    till
}

#[test]
fn time_of_a_cart_is_shown_in_pay_on_the_receipt_and_on_a_ticket() {
    let mut till = with_time();
    till.shows("2 seats, 1 slot").keys("p").shows("and Piano");
    till.keys("Enter");
    till.shows("Sold   receipt").shows("Piano").shows("Sat 21 Nov 19:00-20:00");
    let sold = till.app.shared.cart.sold().unwrap().clone();
    assert_eq!(sold.receipt.total, 2 * 1000 + 4 * 300);
    let receipt = printing::text(Papers::Receipt, &sold);
    assert!(receipt.contains("Piano"), "{receipt}");
    let tickets = printing::text(Papers::Tickets, &sold);
    assert!(tickets.contains("3 of 3"), "{tickets}");
    assert!(tickets.contains("Sat 21 Nov 2026 19:00-20:00"), "{tickets}");
    till.keys("4 Enter").shows("Piano").shows("12.00");
}

#[test]
fn pay_shows_a_cart_with_only_time() {
    let mut till = with_time();
    till.keys("Tab x Tab Tab x").shows("1 slot");
    till.keys("p").shows("Piano").shows("Sat 21 Nov 19:00-20:00");
}

#[test]
fn a_cart_with_only_time_that_ends_says_what_it_had() {
    let mut till = with_time();
    till.keys("Tab x Tab Tab x").shows("1 slot");
    till.wait(Span::minutes(31));
    till.said("The hold has ended; u takes the 1 slot again");
}

#[test]
fn x_gives_back_time_of_the_cart_and_enter_opens_it_on_the_calendar() {
    let mut till = with_time();
    till.keys("Tab Down Down").shows("give this time back");
    till.keys("x").said("Piano Sat 21 Nov 19:00-20:00 given back");
    till.shows("2 seats").hides("1 slot");
    till.keys("u").shows("2 seats, 1 slot");
    till.keys("Esc Tab End Enter").shows("[3 Calendar]");
    assert!(till.line("Piano").contains("[✓"));
}

#[test]
fn losses_of_this_desks_cart_are_listed_with_their_reason() {
    let mut till = with_time();
    till.disable(&["B8"]);
    till.notice().shows("Lost: B8, Hamlet Sat 21 Nov").shows("1 seat, 1 slot");
    till.resize(60, 18).shows("B9  1 Adult  Piano  Lost: B8").resize(100, 30);
    let piano = crate::domain::resource::ResourceId::of_name("Piano");
    let disable = crate::engine::ops::TakeOut {
        resources: vec![piano.unwrap()],
        count: None,
        from: Some(super::at(6)),
        until: Some(super::at(9)),
        cause: Cause::Disable,
        reason: "tuning".into(),
        displace: crate::engine::ops::Displace::Ask,
        past: crate::engine::ops::Past::Refuse,
    };
    till.engine.desk(actor("ben", "till-1")).run(disable).unwrap();
    till.notice().shows("Lost: Piano Sat 21 Nov").shows("(tuning)").shows("1 seat");
    till.disable(&["B9"]);
    till.notice().shows("Lost: B9, Hamlet").hides("no seats yet");
    till.resize(60, 18).shows("Lost: B8, Hamlet");
}

#[test]
fn a_hold_that_ends_goes_from_the_two_weeks_below_the_timeline_too() {
    let mut till = with_time();
    till.resize(200, 60).keys("3");
    till.shows("Piano, two weeks").shows("1 booking or closure");
    till.wait(Span::minutes(31));
    till.shows("0 bookings and closures");
}

#[test]
fn time_of_a_closed_day_is_refused_with_its_own_sentence() {
    let (mut till, _, _) = calendar();
    room_at(&till, "Piano", (15, Some(300)));
    let today = till.app.shared.now.in_zone(chrono_tz::Tz::UTC).date_naive();
    let close = CloseDays { close: vec![today], open: Vec::new(), stands: WhatStands::Stays };
    till.engine.desk(actor("dora", "office")).run(close).unwrap();
    till.notice().keys("1 3").types("gpiano").keys("Enter").types("g19:00 today").keys("Enter v Right Space");
    till.shows("The house is closed on Sat 21 Nov 2026. Choose another day").hides("1 slot");
}
