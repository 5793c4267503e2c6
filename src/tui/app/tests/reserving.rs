//! Reservations at a desk: made with `r`, paid, moved and canceled among the orders.

use super::desk;
use crate::domain::time::Span;

/// Two seats under Weber's name, to be paid at 18:30.
pub(super) fn reserved() -> super::Till {
    let mut till = desk();
    till.keys("2 b 2 Enter r").shows("Reserve   2 seats").shows("empty: Sat 21 Nov 19:00");
    till.types("Weber").keys("Tab").types("030 1234");
    till.keys("Tab").types("18:30").shows("Sat 21 Nov 18:30");
    till.keys("Enter Enter").hides("Reserve   2 seats").said("Reserved for Weber until Sat 21 Nov 18:30").free(78);
    till.shows("r  r").shows("r  reserved");
    till
}

#[test]
fn a_cart_is_reserved_and_paid_later_at_this_desk() {
    let mut till = reserved();
    till.keys("b 4 Enter").shows("4 seats");
    till.wait(Span::minutes(20));
    till.keys("4").shows("Unpaid reservations").shows("Weber");
    till.keys("Enter").shows("Reservation Weber");
    till.keys("p").shows("TO PAY").shows("EUR 20.00");
    till.keys("Enter").shows("Sold   receipt till-2/1");
    assert_eq!(till.sales(), 1);
    assert_eq!(till.open_carts(), 1, "the other customer's cart waits aside");
    till.keys("4").hides("Unpaid reservations").shows("till-2/1");
}

#[test]
fn a_reservation_that_is_refused_says_so_in_its_dialog_and_keeps_what_was_typed() {
    let mut till = desk();
    till.keys("2 b 2 Enter r Enter Enter Enter Enter").shows("Type the customer's name");
    till.types("Weber").keys("Tab Tab").types("19:15");
    till.keys("Enter Enter").shows("Sat 21 Nov 19:00 at the latest.").shows("Weber");
    till.keys("Ctrl-U").types("02:30x").keys("Enter Enter");
    till.shows("write it like fri");
    till.keys("Ctrl-U Enter Enter").said("Reserved for Weber until Sat 21 Nov 19:00");
}

#[test]
fn a_pay_by_is_moved_and_a_reservation_canceled_among_the_orders() {
    let mut till = reserved();
    till.keys("4 Enter e").shows("Later pay-by");
    till.types("+6h").shows("Enter  move the pay-by").keys("Enter");
    till.said("Weber has to pay by").notice();
    till.shows("pay by Sat 21 Nov 18:00");
    till.keys("C").shows("Cancel the reservation?");
    till.keys("c").notice();
    till.shows("canceled: its seats went back").hides("p  pay it now");
    till.keys("2").free(80);
}

#[test]
fn esc_in_the_dialog_does_nothing_and_u_takes_a_reservation_back() {
    let mut till = desk();
    till.keys("2 b 2 Enter r Esc").hides("Reserve   2 seats");
    assert_eq!(till.open_carts(), 1);
    till.keys("r").types("Weber").shows("Enter  reserve").shows("Enter reserve").keys("Enter");
    till.said("Reserved for Weber").hides("TOTAL EUR 20.00");
    till.keys("u").shows("TOTAL EUR 20.00");
}

#[test]
fn tonight_lists_a_reservation_after_its_alert_and_enter_opens_it() {
    let mut till = reserved();
    till.keys("1").hides("2 seats reserved for");
    till.wait(Span::minutes(210));
    let ben = till.engine.desk(super::actor("ben", "till-1"));
    ben.sweep().unwrap();
    till.notice().wait(Span::seconds(2)).shows("2 seats reserved for");
    till.keys("Tab Enter").shows("Reservation Weber");
}

/// Typing went on at the end of the known name: `WeberOkonkwo`.
#[test]
fn typing_in_a_prefilled_field_replaces_its_text_and_arrows_edit_it() {
    let mut till = reserved();
    till.keys("4 Enter e Shift-Tab").types("0172");
    till.shows("Contact   0172_");
    till.keys("Shift-Tab").types("Okonkwo");
    till.shows("Name      Okonkwo_").keys("Esc e Up Up End");
    till.types("in").shows("Name      Weberin_");
}

/// The second press opened the order again, and its keys went into its seats.
#[test]
fn the_key_of_orders_shows_the_list_where_an_order_is_open() {
    let mut till = reserved();
    till.resize(96, 30)
        .keys("4 Enter")
        .shows("Reservation Weber")
        .keys("4")
        .hides("Reservation Weber")
        .shows("Unpaid reservations");
    till.keys("Enter").shows("Reservation Weber").keys("2 4").shows("Reservation Weber");
    super::mouse::click_on(&mut till, "4 Orders").hides("Reservation Weber");
}
