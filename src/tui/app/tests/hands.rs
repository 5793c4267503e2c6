//! Operators at the desk: lock, PIN, switch, and approval in place.

use super::till::{Till, actor, desk};
use crate::domain::rights::StaffRole;
use crate::domain::time::Span;
use crate::engine::Desk;
use crate::engine::ops::{AddOperator, ChangePin, ChangeSettings, DisableOperator};
use crate::engine::reads::journal::ReadJournal;
use crate::tui::data::left::LeftAt;

pub(super) const OFFICE: &str = "4711";
pub(super) const SUPERVISOR: &str = "2345";
pub(super) const SELLER: &str = "1234";

pub(super) fn office(till: &Till) -> Desk {
    till.engine.desk(actor("ada", "till-1")).signed_in(OFFICE, None).unwrap()
}

/// A locked desk in a house with olga of the office, the supervisor bea and the seller sam.
pub(super) fn locked() -> Till {
    staffed(desk())
}

/// A desk of a house, which gets olga of the office, the supervisor bea and the seller sam, and locks.
pub(super) fn staffed(mut till: Till) -> Till {
    let first = till.engine.desk(actor("ada", "till-1"));
    let adding = |desk: &Desk, name: &str, (role, pin): (StaffRole, &str)| {
        desk.run(AddOperator { name: name.into(), role, pin: desk.new_pin(pin).unwrap() }).unwrap();
    };
    adding(&first, "olga", (StaffRole::Office, OFFICE));
    let olga = office(&till);
    adding(&olga, "bea", (StaffRole::Supervisor, SUPERVISOR));
    adding(&olga, "sam", (StaffRole::Seller, SELLER));
    till.restart(LeftAt::default());
    till
}

fn sams() -> Till {
    let mut till = locked();
    till.types("1234").keys("Enter").newest("sam is signed in").shows("sam@till-2");
    till
}

/// A desk of sam's, and before it the question why B6 is to be out of use.
fn taking_out() -> Till {
    let mut till = sams();
    till.keys("2 g").types("b6").keys("Enter D").types("leak").keys("Enter d");
    till
}

#[test]
fn a_locked_desk_shows_nothing_of_the_house_and_does_nothing_but_sign_in() {
    let mut till = locked();
    till.shows("This desk is locked. Type your PIN.").hides("Hamlet").hides("ada@").shows("till-2");
    till.keys("2 b 4 Enter p Enter").hides("Hamlet").keys("Esc / L M");
    assert_eq!((till.sales(), till.open_carts()), (0, 0));
    till.shows("PIN  _").keys("1 2 3 4").hides("1234").shows("****_").keys("Backspace 4 Enter");
    till.newest("sam is signed in").shows("Hamlet").shows("sam@till-2");
    till.keys("2 b 1 Enter p Enter");
    assert_eq!(till.sales(), 1);
}

#[test]
fn six_keys_switch_the_operator_and_the_cart_of_the_one_before_waits() {
    let mut till = sams();
    till.keys("2 b 2 Enter");
    till.keys("L 2 3 4 5 Enter").said("bea is signed in; the cart of sam is set aside").shows("bea@till-2");
    till.keys("o").shows("sam");
    // sam goes on where he was
    let mut till = sams();
    till.keys("2 b 2 Enter p L").keys("Esc L 1 2 3 4 Enter").shows("TOTAL EUR 20.00");
}

/// A form of the operator before is not done to the next one's cart.
#[test]
fn a_reservation_that_was_begun_before_a_switch_reserves_nothing() {
    let mut till = sams();
    till.keys("2 b 2 Enter r").types("Weber").wait(Span::minutes(10)).types(SUPERVISOR).keys("Enter");
    till.said("bea is signed in; the cart of sam is set aside").keys("Enter Enter Enter Enter");
    assert!(till.asked_for().iter().all(|verb| verb != "reserve_cart"), "{}", till.draw());
}

#[test]
fn a_wrong_pin_is_told_and_the_fifth_makes_the_desk_wait() {
    let mut till = locked();
    till.keys("Enter").shows("No PIN is typed").shows("This desk is locked");
    till.types("0000").keys("Enter").shows("This PIN is wrong. Type it again; after 4 more wrong");
    for _ in 0..3 {
        till.types("12").keys("Enter");
    }
    till.types("0000").keys("Enter").shows("This PIN is wrong. The station waits a minute now.");
    till.types("1234").keys("Enter").shows("Too many wrong PINs at this station").shows("This desk is locked");
    till.wait(Span::minutes(1)).types("1234").keys("Enter").newest("sam is signed in");
}

#[test]
fn a_desk_without_keys_locks_and_keeps_what_was_typed_below() {
    let mut till = sams();
    till.keys("2 b 2 Enter r").types("Weber").shows("Weber");
    till.wait(Span::minutes(9)).shows("Weber").wait(Span::minutes(1));
    till.shows("This desk is locked").hides("Weber");
    till.types("1234").keys("Enter").shows("Weber");
    // the house says how long that is
    office(&till).run(ChangeSettings::to("lock-after", "90s")).unwrap();
    till.notice().wait(Span::seconds(89)).shows("Weber").wait(Span::seconds(1)).shows("This desk is locked");
    // a house without operators never locks
    desk().wait(Span::minutes(60)).hides("This desk is locked").keys("L").newest("The house has no operators");
}

#[test]
fn a_supervisor_approves_in_place_and_the_journal_names_both() {
    let mut till = taking_out();
    till.shows("Approve?").shows("sam is a seller and may not do this (disable seats)");
    till.keys("Enter").shows("Approve?").shows("No PIN is typed");
    till.types("1234").keys("Enter").shows("Approve?").shows("sam is a seller");
    till.types("9999").keys("Enter").shows("This PIN is wrong");
    till.types("2345").keys("Enter").hides("Approve?").shows("sam@till-2");
    let entries = office(&till).read(ReadJournal::default()).unwrap();
    let last = entries.iter().rfind(|entry| entry.request.contains("disable_seats")).unwrap();
    assert_eq!((last.operator.as_str(), last.approved.as_deref()), ("sam", Some("bea")));
    // one act, not the next
    till.keys("g").types("b7").keys("Enter D").types("leak").keys("Enter d").shows("Approve?");
}

#[test]
fn a_seller_sees_what_would_go_back_and_a_supervisor_gives_it_back_in_place() {
    let mut till = sams();
    till.keys("2 b 2 Enter p Enter 4 Enter R").shows("TO GIVE BACK   EUR 10.00").keys("Right Enter").shows("Approve?");
    till.shows("sam is a seller and may not do this (correct receipt)").types("2345").keys("Enter");
    till.hides("Approve?").said("receipt till-2/2").shows("sam@till-2").shows("by sam, approved by bea,");
    let entries = office(&till).read(ReadJournal::default()).unwrap();
    let last = entries.iter().rfind(|entry| entry.request.contains("correct_receipt")).unwrap();
    assert_eq!((last.operator.as_str(), last.approved.as_deref()), ("sam", Some("bea")));
    // the office's acts are shown before, too
    till.keys("1 N").types("Lear").keys("Enter Enter").types("fri 19:30").keys("Enter").types("21:30").keys("Enter");
    till.types("12").keys("Enter").shows("1 performance, the hall is free").keys("Enter Enter").shows("Approve?");
    till.types("4711").keys("Enter").newest("Lear opened");
}

#[test]
fn three_wrong_pins_of_an_approval_leave_two_and_the_right_one_does_the_act_once() {
    let mut till = taking_out();
    for left in [4, 3, 2] {
        till.types("9999").keys("Enter").shows("Approve?").shows(&format!("after {left} more wrong"));
    }
    till.types("2345").keys("Enter").hides("Approve?").shows("sam@till-2");
    let done = till.asked_for();
    assert_eq!(done.iter().filter(|verb| *verb == "disable_seats").count(), 1, "{done:?}");
    // a disabled supervisor approves no more, on a screen that does not know it
    let olga = office(&till);
    till.keys("g").types("b7").keys("Enter D").types("leak").keys("Enter d").shows("Approve?");
    olga.run(DisableOperator { name: "bea".into() }).unwrap();
    till.types("2345").keys("Enter").shows("This PIN is wrong").keys("Esc").hides("Approve?");
    assert_eq!(till.asked_for().iter().filter(|verb| *verb == "disable_seats").count(), 1);
}

#[test]
fn what_a_supervisor_took_out_of_use_is_not_undone_by_the_next_at_the_desk() {
    let mut till = locked();
    till.types("2345").keys("Enter").newest("bea is signed in");
    till.keys("2 g").types("b6").keys("Enter D").types("leak").keys("Enter d").shows("out of use");
    till.keys("L").types("1234").keys("Enter").newest("sam is signed in").keys("u").shows("Approve?");
    till.keys("Esc").shows("79 of 80 free").shows("B6 is out of use (leak), by bea");
}

#[test]
fn an_act_that_nobody_approves_is_refused_where_it_was_sent_and_nothing_is_lost() {
    let mut till = taking_out();
    till.shows("Approve?").keys("Esc").hides("Approve?").shows("sam is a seller and may not do this (disable seats)");
    assert!(till.asked_for().iter().all(|verb| verb != "disable_seats"));
}

#[test]
fn a_screen_that_is_stale_locks_with_the_act_that_its_operator_may_do_no_more() {
    let mut till = sams();
    let olga = office(&till);
    olga.run(ChangePin { name: "sam".into(), pin: olga.new_pin("9876").unwrap() }).unwrap();
    till.keys("2 b 1 Enter").shows("This desk is locked");
    assert_eq!(till.open_carts(), 0);
    till.types("9876").keys("Enter").newest("sam is signed in");
    olga.run(DisableOperator { name: "sam".into() }).unwrap();
    till.notice().shows("This desk is locked").types("9876").keys("Enter").shows("This PIN is wrong");
}

#[test]
fn a_house_without_operators_says_so_in_a_line_of_tonight() {
    let mut till = desk();
    till.shows("Nothing now.").shows("No operators: all may do anything");
    till.resize(80, 24).shows("Nothing now.").shows("No operators: all may do anything");
    let first = till.engine.desk(actor("ada", "till-1"));
    let pin = first.new_pin(OFFICE).unwrap();
    first.run(AddOperator { name: "olga".into(), role: StaffRole::Office, pin }).unwrap();
    till.notice().types(OFFICE).keys("Enter").shows("Needs you").hides("No operators");
}

#[test]
fn a_desk_that_is_open_locks_when_the_house_gets_its_first_operator() {
    let mut till = desk();
    let first = till.engine.desk(actor("ada", "till-1"));
    let pin = first.new_pin(OFFICE).unwrap();
    first.run(AddOperator { name: "olga".into(), role: StaffRole::Office, pin }).unwrap();
    till.notice().shows("This desk is locked").types(OFFICE).keys("Enter").newest("olga is signed in");
}
