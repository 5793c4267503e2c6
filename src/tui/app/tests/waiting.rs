//! The waiting list of a performance, as a desk keeps it.

use super::desk;
use super::till::Till;
use crate::domain::time::Span;

/// Ben takes the whole house.
pub(super) fn sell_out(till: &mut Till) {
    for row in ["A", "B", "C", "D", "E"] {
        let seats: Vec<String> = (1..=16).map(|seat| format!("{row}{seat}")).collect();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        till.ben_holds(&seats);
    }
}

#[test]
fn a_refused_customer_joins_the_waiting_list_and_is_offered_freed_seats() {
    let mut till = desk();
    till.keys("2");
    sell_out(&mut till);
    till.keys("g").types("a1").keys("Enter v Right Space");
    till.shows("W  put them on the waiting list");
    till.keys("W").shows("Waiting list  Hamlet").shows("Nobody waits.");
    till.types("Ann Lee").keys("Tab").types("0123");
    till.shows("Seats     2").keys("Enter Enter Enter Enter");
    till.said("Ann Lee is on the waiting list");
    till.shows("1   Ann Lee            2 seats");
    till.shows("nothing is free");
    till.wait(Span::minutes(31));
    let ben = till.engine.desk(super::actor("ben", "till-1"));
    ben.sweep().unwrap();
    till.wait(Span::seconds(2));
    ben.sweep().unwrap();
    till.notice().shows("held as Adult until");
    till.keys("Shift-Tab").shows("Enter what is held for them");
    till.keys("Enter").shows("Open carts");
    till.keys("Esc Esc g").types("b8").keys("Enter").shows("for Ann Lee, who");
}

#[test]
fn the_waiting_list_shows_the_reason_and_x_twice_removes_a_customer() {
    let mut till = desk();
    sell_out(&mut till);
    till.keys("2").notice().keys("W").types("Ann");
    till.keys("Tab Tab").types("4");
    till.keys("Enter Enter Enter").shows("nothing is free");
    till.keys("Esc").notice().shows("0 of 80 free, 1 waits");
    till.keys("1").wait(Span::seconds(2)).shows(" 1 waits");
    till.keys("2 W Shift-Tab x").shows("x again takes Ann off the list");
    till.keys("x").said("Ann is off the list").shows("Nobody waits.");
}

#[test]
fn the_waiting_list_asks_for_missing_fields_and_keeps_typed_ones() {
    let mut till = desk();
    till.keys("2 W Up Up Enter").shows("Type for how many seats together");
    till.types("2").keys("Enter Enter Enter");
    till.shows("Type the customer's name");
    till.types("Ann").keys("Tab Tab Tab").types("Dress circle");
    till.keys("Enter Enter").shows("Ann");
    till.keys("Esc").hides("Waiting list");
}
