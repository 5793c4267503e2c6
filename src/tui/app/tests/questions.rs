//! Words after a question: the answer that was chosen says what it did, and nothing else says it in its place.

use super::calendar::{calendar, time};
use super::{actor, desk};
use crate::domain::time::Span;
use crate::engine::ops::HoldSlot;
use crate::tui::data::msg::{ClockJump, Msg};

/// Screens A1: the yes of each question on seats, carts and the clock.
#[test]
fn each_confirmed_question_reports_its_result() {
    let mut till = desk();
    till.keys("2 Space C").shows("Cancel the cart?").keys("c");
    till.newest("The cart is canceled; its seats went back");
    till.keys("g").types("c3").keys("Enter D").types("broken");
    till.keys("Enter").shows("Out of use?").keys("d");
    till.newest("C3 out of use; nobody is displaced");
    till.notice().keys("D").shows("Back into use?").keys("b");
    till.newest("Back into use");
    till.ben_holds(&["A1", "A2"]);
    till.keys("o Enter").shows("Take it over?").keys("t");
    till.newest("The cart, 2 seats, is yours; held until 12:30");
    till.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
    till.types(":confirm-clock").keys("Enter f");
    till.newest("Every desk follows its machine's clock again");
}

/// Screens A1: `C` on a reservation said "Back into use", and `u` still offered to take the canceled cart.
#[test]
fn a_canceled_reservation_is_called_canceled_and_not_offered_again() {
    let mut till = super::reserving::reserved();
    till.keys("4 Enter C").shows("Cancel the reservation?");
    till.shows("2 seats of Weber go back, for anybody to take.");
    till.keys("c");
    till.newest("Weber's reservation is canceled; 2 seats went back");
    till.notice().hides("undo: reserve");
    till.keys("2 u").newest("There is nothing to undo");
}

/// Screens A1: two questions answered one behind the other are each told.
#[test]
fn an_answer_is_never_reported_for_another_question() {
    let mut till = super::reserving::reserved();
    till.keys("4 Enter C").burst("c 2");
    till.newest("Weber's reservation is canceled; 2 seats went back");
    till.keys("q");
    assert!(till.quit);
}

/// Screens A2: of two rooms one was held although the line below said that nothing was taken.
#[test]
fn two_resources_go_into_the_cart_both_or_neither() {
    let (mut till, one, two) = calendar();
    till.types("g19:00 today").keys("Enter");
    let ben = till.engine.desk(actor("ben", "till-1"));
    // this desk is not told yet
    ben.run(HoldSlot { cart: None, wants: vec![time(&one, (7, 8))], past: crate::engine::ops::Past::Refuse }).unwrap();
    till.keys("v Down Space");
    till.said("Nothing was taken").hides("1 slot");
    assert_eq!(till.open_carts(), 1, "only ben has a cart");
    till.hides("a   Rehearsal 2");
    till.notice().keys("Esc Down Space");
    till.newest("Rehearsal 2 Sat 21 Nov 19:00-20:00 is yours until 12:30");
    let taken =
        ben.run(HoldSlot { cart: None, wants: vec![time(&two, (7, 8))], past: crate::engine::ops::Past::Refuse });
    assert!(taken.is_err());
}

/// Screens A2: both go together, and `u` gives both back.
#[test]
fn two_resources_in_the_cart_are_reported_and_undone_together() {
    let (mut till, one, _) = calendar();
    till.types("g19:00 today").keys("Enter v Down Space");
    till.newest("Rehearsal 1, Rehearsal 2 Sat 21 Nov 19:00-19:15 are yours until 12:30");
    till.keys("u");
    assert_eq!(till.app.shared.cart.view().unwrap().lines.len(), 0);
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.run(HoldSlot { cart: None, wants: vec![time(&one, (7, 8))], past: crate::engine::ops::Past::Refuse }).unwrap();
}

/// Screens B6: what is said between a wish and its answer never stands as the reason of the refusal.
#[test]
fn a_refusal_is_shown_in_its_dialog_despite_other_messages() {
    let (mut till, one, _) = calendar();
    till.types("g19:00 today").keys("Enter");
    till.engine
        .desk(actor("ben", "till-1"))
        .run(HoldSlot { cart: None, wants: vec![time(&one, (7, 8))], past: crate::engine::ops::Past::Refuse })
        .unwrap();
    till.burst("Space M");
    till.shows("✗ Rehearsal 1 Sat 21 Nov 19:00-20:00: held, till-1");
    till.keys("!");
    let screen = till.draw();
    assert_eq!(screen.matches("Nothing was taken").count(), 1, "{screen}");
}

/// Screens B6: what is typed behind a wish and comes to nothing is not the reason of its refusal.
#[test]
fn a_refusal_keeps_its_reason_despite_keys_typed_ahead() {
    let (mut till, one, _) = calendar();
    till.types("g19:00 today").keys("Enter");
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.run(HoldSlot { cart: None, wants: vec![time(&one, (7, 8))], past: crate::engine::ops::Past::Refuse }).unwrap();
    till.burst("Space e").newest("That is not in your cart");
    till.shows("✗ Rehearsal 1 Sat 21 Nov 19:00-20:00: held, till-1");
}

/// Look B18: a stray `u` on Seats canceled a booking that was made on the calendar.
#[test]
fn an_act_of_another_screen_is_undone_only_after_a_question() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n").types("Choir");
    till.keys("Shift-Tab Enter").shows("u undo: book Choir");
    assert_eq!(till.titles().len(), 2);
    till.keys("2").hides("undo: book Choir").keys("u");
    till.shows("Undo: book Choir?").shows("It was done on Calendar at 12:00");
    till.keys("Enter 3");
    assert_eq!(till.titles().len(), 2);
    till.keys("2 u u").said("Choir");
    till.keys("3");
    assert_eq!(till.titles().len(), 1);
}

/// Look B18: an act of more than a minute ago is asked about on its own screen too.
#[test]
fn an_act_of_more_than_a_minute_ago_is_undone_only_after_a_question() {
    let mut till = desk();
    till.keys("2 b 2 Enter").wait(Span::seconds(61));
    till.hides("undo: pick").keys("u").shows("Undo: pick B7-B8?");
    till.shows("It was done at 12:00").hides("done on");
    till.keys("n").shows("2 seats").keys("u u").hides("2 seats");
}

/// Look A2: `/` said "nothing found" of what stood on the calendar.
#[test]
fn a_booking_and_a_resource_are_found_and_opened_on_the_calendar() {
    let (mut till, _, _) = calendar();
    till.keys("1 /").types("yoga").shows("booking").shows("14:00-16:00");
    till.keys("Enter").shows("[3 Calendar]").shows("move it").shows("Sat 21 Nov 14:00-16:00");
    till.keys("Esc").shows("Booked    Yoga");
    till.keys("2 /").types("hears 2").shows("resource").keys("Enter");
    till.shows("[3 Calendar]").shows(">  Rehearsal 2");
}

/// Look A2: the reservation came last, after fifteen receipts.
#[test]
fn a_reservation_is_found_first_and_opened() {
    let mut till = super::reserving::reserved();
    till.keys("/").types("030-1234").shows("reservation").shows("pay by 18:30");
    till.keys("Enter").shows("Reservation Weber");
}

/// Screens A1: the yes to an expired cart and to quitting.
#[test]
fn an_expired_cart_and_quitting_report_their_results() {
    let mut till = desk();
    till.keys("2 b 2 Enter r").types("Weber");
    till.keys("Tab Tab").types("+1h").keys("Enter Enter");
    till.wait(Span::minutes(61));
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.sweep().unwrap();
    till.keys("1").notice().wait(Span::seconds(1));
    till.keys("Tab Enter").shows("Take its seats again?");
    till.keys("n").hides("Take its seats again?").keys("2").free(80);
    till.keys("1 Enter t").newest("The cart is back; held until 13:31");
    till.keys("2").free(78);
    till.keys("q").shows("Quit?").keys("g");
    till.newest("The cart is canceled; its seats went back");
    assert!(till.quit);
    till.free(80);
}

/// Screens A1: the yes to money that is given back.
#[test]
fn giving_money_back_reports_that_the_item_is_dealt_with() {
    let mut till = desk();
    till.keys("2 g").types("c8").keys("Enter Space p d");
    till.wait(Span::minutes(61));
    till.ben_holds(&["C8"]);
    till.types("004417").keys("Enter Enter");
    assert_eq!(till.sales(), 0);
    till.keys("Esc 1").notice().wait(Span::seconds(1));
    till.keys("Tab Home Space").shows("TO GIVE BACK   EUR 10.00");
    till.keys("Esc").hides("TO GIVE BACK").keys("Space");
    till.keys("Enter").newest("EUR 10.00 given back: receipt till-2/1");
    till.notice().shows("Nothing now.");
}

/// Screens A1: the yes of the calendar's questions.
#[test]
fn each_confirmed_question_on_the_calendar_reports_its_result() {
    let (mut till, _, _) = calendar();
    till.keys("Tab C").shows("Cancel the booking?").keys("c");
    till.newest("Yoga canceled; the time is free");
    till.types("g18:00 today").keys("Enter D").types("leak");
    till.keys("Up Up Enter").newest("Out of use; nobody is displaced");
    till.keys("D").shows("Back into use?").keys("b");
    till.newest("Back into use");
    till.types("g18:00 today").keys("Enter n").types("Tango");
    till.keys("Shift-Tab Shift-Tab").types("weekly x3");
    till.keys("Enter Enter");
    till.types("g28 nov 18:00").keys("Enter m Right Enter");
    till.shows("How much of it moves?").keys("f");
    till.newest("Tango moved to ").said("2 dates moved");
    till.keys("C").shows("Cancel the booking?").keys("a");
    till.newest("3 dates of Tango canceled; the time is free");
    assert!(till.titles().is_empty());
}
