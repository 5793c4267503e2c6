//! After the sale at the desk: keys in, money and seats back.

use super::Span;
use super::calendar::calendar;
use super::till::{Till, actor, desk};
use crate::domain::money::{Currency, Price};
use crate::engine::ops::{CancelPerformance, ChangeBooking, ChangeSettings};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::credits::ReadCredits;

/// A desk that sold three seats, and shows their order.
pub(super) fn sold() -> Till {
    let mut till = desk();
    till.keys("2 b 3 Enter p Enter").free(77);
    till.keys("4 Enter").shows("Order till-2/1");
    till
}

#[test]
fn one_seat_of_three_is_given_back_in_nine_keys_at_most() {
    let mut till = sold();
    till.shows("R give back  m exchange");
    till.keys("Space R").shows("TO GIVE BACK   EUR 10.00").shows("10.00 cash");
    till.keys("Right Enter").newest("EUR 10.00 given back: receipt till-2/2");
    till.keys("u").newest("Receipt till-2/2 is not undone; what came back can be sold again");
    till.notice()
        .shows("returned")
        .shows("Refund Sat 21 Nov 12:00 by ada, receipt")
        .shows("till-2/2: B7, EUR 10.00 given back. customer's");
    till.keys("R").shows("Give back   B8 of till-2/1").shows("TO GIVE BACK   EUR 10.00");
    till.keys("Esc").hides("TO GIVE BACK").keys("2").free(78);
}

#[test]
fn nothing_marked_means_the_seat_under_the_cursor_and_a_reason_is_chosen() {
    let mut till = sold();
    till.keys("Down R").shows("Give back   B8 of till-2/1").shows("TO GIVE BACK   EUR 10.00");
    till.keys("Enter Enter Enter Enter Enter");
    assert_eq!(till.sales(), 1, "nothing was chosen");
    till.shows("Choose why").keys("Right").shows("customer's wish");
    till.keys("Enter").newest("EUR 10.00 given back: receipt till-2/2");
    till.keys("2").free(78);

    let mut till = sold();
    till.keys("R Right Tab Tab Right").shows("Give back   all of till-2/1").shows("TO GIVE BACK   EUR 30.00");
    till.keys("Shift-Tab Shift-Tab Enter").newest("EUR 30.00 given back: receipt till-2/2");
    till.keys("2").free(80);
}

#[test]
fn money_of_a_card_goes_back_to_it_and_out_of_the_drawer_only_on_purpose() {
    let mut till = desk();
    till.keys("2 b 2 Enter p d").types("T1").keys("Enter Enter").keys("4 Enter");
    till.keys("R Right").shows("TO GIVE BACK   EUR 10.00").shows("10.00 card T1");
    till.keys("Tab").types("c").shows("Nothing of this was paid in cash");
    till.keys("Shift-Tab Enter");
    assert_eq!(till.sales(), 1, "a supervisor is told first");
    till.keys("Shift-Tab Shift-Tab Shift-Tab Space").shows("[x] tell the supervisor").shows("10.00 cash");
    till.keys("Tab Enter").newest("EUR 10.00 given back: receipt till-2/2");
    till.keys("1").notice().wait(Span::seconds(1));
    till.keys("Tab").shows("EUR 10.00 given back").shows("paid, by ada@till-2");
    till.keys("Enter").shows("approve").keys("Enter").newest("Approved");
    till.keys("1").notice().shows("Nothing now.");
}

#[test]
fn a_sale_of_this_till_and_day_is_voided() {
    let mut till = sold();
    till.keys("R Right Tab").types("v").shows("TO GIVE BACK   EUR 30.00");
    till.keys("Shift-Tab Enter").newest("EUR 30.00 given back: receipt till-2/2");
    till.notice().shows("returned").keys("2").free(80);

    let mut till = sold();
    till.keys("Space R").hides("void");
    till.keys("Right Enter").newest("EUR 10.00 given back: receipt till-2/2");
    till.notice().shows("returned");
    till.keys("R Tab").types("v").shows("can't be voided: something of it was");
}

#[test]
fn a_credit_pays_what_it_can_and_the_rest_is_paid_in_cash() {
    let mut till = sold();
    till.keys("Space R Right Tab").types("ccc").keys("Shift-Tab Enter");
    till.newest("EUR 10.00 given back: receipt till-2/2");
    let open = ReadCredits { after: None, open: true };
    let ada = till.engine.desk(actor("ada", "till-2"));
    let code = ada.read(open.clone()).unwrap()[0].credit.code.to_string();
    till.notice().keys("2 b 2 Enter p o");
    till.types(&code[..5]).keys("Enter Enter");
    till.shows("twelve letters");
    till.types(&code[5..]).shows("EUR 10.00 left").keys("Enter Enter");
    till.shows("10.00 credit taken").shows("10.00");
    till.keys("c Enter").newest("Sold: receipt till-2/3");
    assert_eq!(ada.read(open).unwrap(), []);
}

#[test]
fn a_reason_is_one_of_the_houses_or_typed() {
    let mut till = sold();
    let ada = till.engine.desk(actor("ada", "till-2"));
    ada.run(ChangeSettings::to("reasons", "flood, too loud")).unwrap();
    till.keys("1").notice().keys("4");
    till.keys("R").shows("Left Right: others").keys("Right").shows("flood");
    till.keys("Right").shows("too loud").keys("Right Right").shows("flood").keys("Right");
    till.keys("Enter").notice();
    till.shows("EUR 10.00 given back. too");

    let mut till = sold();
    till.keys("R").types("dog").keys("Left");
    till.types("o").keys("Enter").notice();
    till.shows("EUR 10.00 given back. doog");
}

#[test]
fn seats_are_given_up_for_less_or_nothing() {
    let mut till = sold();
    till.keys("R Right Tab Tab Tab").types("7.50");
    till.shows("TO GIVE BACK   EUR 7.50").keys("Enter Enter");
    till.newest("EUR 7.50 given back: receipt till-2/2");
    till.keys("2").free(78);

    let mut till = sold();
    till.keys("R Right Tab").types("n").shows("TO GIVE BACK   EUR 0.00");
    till.keys("Shift-Tab Enter").newest("Given up: receipt till-2/2");
    till.keys("2").free(78);
}

#[test]
fn one_of_three_seats_is_swapped_in_thirteen_keys_at_most() {
    let mut till = desk();
    till.keys("2 b 3 Enter p Enter").free(77);
    let keys = "4 Enter Space m g";
    till.keys(keys).types("a1").keys("Enter Space");
    till.shows("back B7").shows("TOTAL EUR 0.00");
    till.keys("p").shows("TO PAY").shows("customer's wish");
    till.keys("Enter").shows("receipt till-2/2");
    let pressed = keys.split(' ').count() + "a1".len() + "Enter Space p Enter".split(' ').count();
    assert!(pressed <= 13, "{pressed}");
    till.free(77);
}

#[test]
fn the_fee_of_an_exchange_is_waived_with_a_reason() {
    let mut till = sold();
    let ada = till.engine.desk(actor("ada", "till-2"));
    ada.run(ChangeSettings::to("exchange-fee", "EUR 2.00")).unwrap();
    till.keys("Space m g").types("a1").keys("Enter Space p");
    till.shows("TO PAY").shows("EUR 2.00");
    till.shows("why; empty = 2.00 is taken");
    till.keys("Tab Tab").types("our fault").shows("EUR 0.00");
    till.keys("Shift-Tab Shift-Tab Enter").newest("Exchanged: receipt till-2/2");
    till.notice().keys("4").shows("no fee: our");
}

#[test]
fn a_cart_that_only_brings_back_gives_the_money_once() {
    let mut till = sold();
    till.keys("Space m").shows("back B7");
    till.free(77);
    till.keys("p").shows("TO GIVE BACK").shows("EUR 10.00").shows("10.00 cash");
    till.keys("Right Enter").burst("Enter").burst("Enter");
    till.shows("receipt till-2/2").free(78);
}

#[test]
fn a_canceled_night_is_settled_order_by_order_from_one_line() {
    let mut till = desk();
    till.keys("2 b 3 Enter p Enter");
    let cancel = CancelPerformance { performance: till.show, reason: "flooded".into() };
    till.engine.desk(actor("dora", "office")).run(cancel).unwrap();
    till.keys("1").notice().wait(Span::seconds(1));
    till.shows("1 order to settle, EUR 30.00: Ham");
    till.keys("Tab Enter").shows("lost a seat").shows("till-2/1");
    till.keys("Enter Space Space Space R").shows("TO GIVE BACK   EUR 30.00");
    till.keys("Right Enter").newest("EUR 30.00 given back: receipt till-2/2");
    till.notice().keys("Esc").hides("till-2/1");
    till.keys("f f").shows("refund: Hamlet");
    till.keys("1").notice().shows("Nothing now.");
}

/// A desk whose sold seats are out of use, in front of Needs you.
fn displaced() -> Till {
    let mut till = sold();
    till.disable(&["B7", "B8", "B9"]).keys("1 1").notice();
    till.wait(Span::seconds(1));
    till
}

#[test]
fn a_displaced_order_gets_the_nearest_seats_in_three_keys_at_most() {
    let mut till = displaced();
    let free = 74;
    till.keys("Tab a").newest("Exchanged: receipt till-2/2");
    till.keys("1").notice().shows("Nothing now.");
    till.keys("2").free(free);

    let mut till = displaced();
    till.keys("Tab Enter").shows("A7-A9 in its place   or ");
    till.keys("Enter").newest("Exchanged: receipt till-2/2");
    till.keys("2").free(free);
}

#[test]
fn the_second_of_the_free_equals_is_chosen_or_the_money_given_back() {
    let mut till = displaced();
    till.keys("Tab Enter Tab Right").hides("A7-A9 in its place");
    till.shows("C7-C9 in its place");
    till.keys("Shift-Tab Right").shows("TO GIVE BACK   EUR 30.00");
    till.keys("Enter").newest("EUR 30.00 given back: receipt till-2/2");
}

#[test]
fn a_need_leads_to_its_order() {
    let mut till = displaced();
    till.keys("Tab i").shows("Order till-2/1");
}

#[test]
fn a_canceled_cart_brings_nothing_back() {
    let mut till = sold();
    till.keys("m").shows("back B7");
    till.keys("C c").free(77);
    till.wait(Span::seconds(1)).keys("4 Enter").hides("returned");
}

#[test]
fn a_booking_is_paid_in_five_keys_at_most() {
    let (mut till, _, _) = calendar();
    let ada = till.engine.desk(actor("ada", "till-2"));
    let bookings = ada.read(ReadBookings::default()).unwrap();
    for booking in bookings.iter().filter(|one| one.title == "Yoga") {
        let price = Price { minor: 8000, currency: Currency::EUR };
        let change = ChangeBooking { price: Some(price), ..ChangeBooking::of(booking.id) };
        ada.run(change).unwrap();
    }
    till.notice().keys("Tab Enter").shows("0.00 of 80.00");
    till.keys("p").shows("TO PAY").shows("EUR 80.00");
    till.keys("Enter").newest("Sold: receipt till-2/1");
    till.keys("3 Enter").shows("80.00, all of it");
}

#[test]
fn a_night_is_postponed_once_it_is_known_whom_to_call() {
    let mut till = sold();
    till.keys("1").notice().keys("m");
    till.shows("Postpone   Hamlet").shows("To call: 1 order, 3 seats").shows("no name");
    till.keys("Tab Tab Enter").shows("Type the new start");
    till.types("mon").shows("Mon 23 Nov 19:30");
    till.keys("Enter Enter Enter").shows("Type why");
    till.types("the singer is ill").keys("Enter Enter");
    till.newest("Hamlet moved to Mon 23 Nov 19:30; tickets printed before are void");
    till.notice().keys("4");
    till.shows("! tickets of Sat 21 Nov are void: print");
}

#[test]
fn a_night_is_canceled_once_it_is_known_whom_to_call() {
    let mut till = sold();
    till.keys("1").notice().keys("C");
    till.shows("Cancel   Hamlet").shows("To call: 1 order, 3 seats");
    till.keys("Enter Enter").shows("Type why");
    till.types("flooded").keys("Enter Enter");
    till.newest("Hamlet canceled");
    till.notice().wait(Span::seconds(1));
    till.shows("1 order to settle");
    till.keys("m").newest("Hamlet was canceled");
    till.resize(160, 45).shows("none on sale").keys("Enter").shows("canceled, not on sale").hides("80 free");
}

/// The cart of an exchange offered to pay, to reserve and to give back a seat before it had one.
#[test]
fn the_cart_of_an_exchange_asks_for_seats_first() {
    let mut till = sold();
    till.resize(120, 36).keys("4 Enter Space m").shows("no seats yet").shows("b  best seats").hides("r  reserve");
    till.keys("b 1 Enter").shows("1 seat ").shows("r  reserve");
}

/// An order that was opened left the right of the screen empty, and its acts stood at the foot.
#[test]
fn an_order_lights_its_seats_on_the_house_beside_its_acts() {
    let mut till = sold();
    till.keys("Esc").shows("R  give back").shows("m  exchange");
    till.keys("Enter")
        .shows("Order till-2/1")
        .shows("The Royal  Sat 21 Nov")
        .shows("S T A G E")
        .shows("STALLS 77 free");
    till.shows(" 7 8 9").keys("Esc R").shows("Give back").keys("Esc Esc");
    till.resize(80, 24).keys("Enter").shows("R  give back").hides("S T A G E");
}

/// A sale that is over offers the next customer, who finds an empty panel.
#[test]
fn after_a_sale_the_next_customer_finds_an_empty_panel() {
    let mut till = sold();
    till.resize(120, 36).keys("2").shows("n  next customer").shows("t  tickets").shows("Sold   receipt");
    till.keys("n").said("Ready for the next customer").hides("Sold   receipt");
}
