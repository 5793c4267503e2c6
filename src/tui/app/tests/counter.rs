//! The counter at the desk: tickets handed over by name, and guests checked in and out.

use super::calendar::{adding, at};
use super::till::{Till, actor, desk};
use crate::domain::booking::Details;
use crate::domain::customer::Customer;
use crate::domain::money::{Currency, Price};
use crate::domain::receipt::Tender;
use crate::domain::time::{Grid, Segment, Slot, Span};
use crate::engine::ops::{
    AddResource, BookSlot, Checkout, HoldSeats, HouseSeats, MakeTicketKey, Past, SeatChoice, TicketsTo, Want,
};
use crate::engine::reads::receipts::{ReadReceipt, ReadReceipts};

fn customer(name: &str) -> Customer {
    Customer { name: name.into(), phone: "0171 555".into(), ..Customer::default() }
}

/// Sells seats whose tickets wait for a customer.
pub(super) fn kept(till: &Till, name: &str, seats: [&str; 2]) {
    let ben = till.engine.desk(actor("ben", "till-1"));
    let hold = HoldSeats {
        cart: None,
        performance: till.show,
        seats: SeatChoice::Named(seats.map(str::to_owned).to_vec()),
        ticket_type: None,
        kept: HouseSeats::Refuse,
    };
    let cart = ben.run(hold).unwrap().id;
    let sale = Checkout {
        customer: Some(customer(name)),
        tickets: TicketsTo::Desk,
        ..Checkout::new(cart, vec![Tender::Cash { given: None }])
    };
    ben.run(sale).unwrap();
}

/// A desk whose tickets wait for Ida Weber and Zoe Adams.
pub(super) fn waiting() -> Till {
    let mut till = desk();
    kept(&till, "Ida Weber", ["A1", "A2"]);
    kept(&till, "Zoe Adams", ["B1", "B2"]);
    till.notice();
    till
}

#[test]
fn waiting_tickets_are_handed_over_by_name_in_six_keys_at_most() {
    let mut till = waiting();
    till.keys("1 w").shows("Will call: Hamlet, Sat 21 Nov 19:30").shows("2 waiting").shows("Adams, Zoe");
    till.types("web").hides("Adams, Zoe").shows("Weber, Ida").shows("A1-A2");
    till.keys("Enter").newest("Handed over: Weber, Ida, A1-A2");
    till.notice().shows("collected").keys("Enter").shows("Order till-1/1");
}

/// Code of the first ticket of the newest receipt.
fn first_code(till: &Till) -> String {
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.run(MakeTicketKey).unwrap();
    let newest = ben.read(ReadReceipts::default()).unwrap().remove(0).id;
    ben.read(ReadReceipt(newest)).unwrap().codes[0].1.letters()
}

#[test]
fn a_scanned_ticket_is_admitted_once_and_the_next_scan_follows_at_once() {
    let mut till = waiting();
    let code = first_code(&till);
    till.keys("1 d").shows("Door: Hamlet, Sat 21 Nov 19:30").shows("Scan a ticket");
    till.types(&code.to_lowercase()).keys("Enter").shows("█████").shows("Seat B1, Adult: Hamlet").shows("1 of 2 of");
    till.types(&code).keys("Enter").shows("Seat B1 was admitted");
    till.types("4K7Q").keys("Enter").shows("this has 4");
    till.types(&"0".repeat(20)).keys("Enter").shows("No ticket of this house has that code.");
    till.keys("Esc").hides("Door: ").keys("u").newest("Seat B1 is not admitted any more");
    till.keys("d").types(&code).keys("Enter").shows("1 of 2 of");
    // a scanner that reads it twice at once
    till.keys("Esc u").newest("Seat B1 is not admitted any more");
    let keys: Vec<String> = code.chars().map(String::from).collect();
    let scan = format!("{} Enter", keys.join(" "));
    till.keys("d").burst(&format!("{scan} {scan}")).shows("Seat B1 was admitted").said("1 of 2 of");
    // a night that is over admits nobody, though its prompt stayed open
    till.wait(Span::minutes(601)).types(&code).keys("Enter").shows("that is over");
}

#[test]
fn the_next_name_typed_takes_the_place_of_the_last() {
    let mut till = waiting();
    till.keys("1 w").types("ida").keys("Enter").newest("Handed over: Weber, Ida, A1-A2");
    till.notice()
        .types("ada")
        .shows("1 waiting, 0 to be paid, 0 with")
        .keys("Enter")
        .newest("Handed over: Adams, Zoe, B1-B2");
    till.notice().types("nobody").shows("Nobody is called so").keys("Enter Esc").hides("Will call");
}

/// A desk at the calendar; Ida Weber is expected in Room 7 for two nights from today, at 100.00 a night.
pub(super) fn expected() -> Till {
    let mut till = desk();
    let room = AddResource {
        grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(24 * 60).unwrap() },
        price: Some(Price { minor: 10_000, currency: Currency::EUR }),
        ..adding("Room 7")
    };
    let room = till.engine.desk(actor("dora", "office")).run(room).unwrap();
    let stay = BookSlot {
        wants: vec![Want::all(vec![room.id], Slot::new(at(-12), at(36)).unwrap())],
        details: Details { customer: customer("Ida Weber"), ..Details::default() },
        past: Past::Refuse,
    };
    till.engine.desk(actor("ben", "till-1")).run(stay).unwrap();
    till.notice().keys("3");
    till
}

#[test]
fn a_guest_is_checked_in_in_four_keys_and_out_only_with_a_word_on_what_is_open() {
    let mut till = expected();
    till.keys("w").shows("Arrivals").shows("Weber, Ida").shows("1 expected").shows("EUR 200.00");
    till.types("we").keys("Enter").newest("Checked in: Weber, Ida");
    till.keys("Esc u").newest("Checked in: Weber, Ida. That is not undone; C cancels the booking");
    till.keys("w").types("we");
    till.notice().shows("checked in").keys("Enter").shows("Check out?").shows("EUR 100.00 of Weber, Ida is not paid");
    till.keys("Enter").hides("Check out?");
    till.keys("w Tab Tab").shows("In the house").keys("Enter").shows("Check out?").keys("o");
    till.newest("Checked out: Weber, Ida");
}

#[test]
fn the_booking_under_the_cursor_is_checked_in_by_one_key() {
    let mut till = expected();
    till.types("/weber").keys("Enter").keys("Esc x").newest("Checked in: Ida Weber");
    till.keys("Esc Enter").shows("checked in");
}
