//! Corrections, credits, payments of bookings and ended nights that were changed by hand: `verify` says what of each is wrong.

use std::collections::BTreeMap;
use std::fmt::Display;

use rusqlite::Connection;
use willcall::domain::booking::Booking;
use willcall::domain::correction::BackBy;
use willcall::domain::ids::ReceiptId;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BeginPayment, CheckedOut, Checkout, HandOver, PostponePerformance, ReleaseSlot, TicketsTo, Whose,
};

use super::after_sale::{refund, room_sold, seats};
use super::calendar::slot;
use super::credits::code;
use super::forged::{copied, report};
use super::paid_bookings::{booked, charge};
use super::support::{House, NOON, paying, receipt, seat};

/// Change by hand, and what `verify` says of its subject.
struct Forgery {
    sql: String,
    subject: String,
    says: String,
}

fn forgery(sql: impl Into<String>, subject: &str, says: impl Into<String>) -> Forgery {
    Forgery { sql: sql.into(), subject: subject.into(), says: says.into() }
}

/// Table and key of a document.
struct Place(&'static str, String);

fn place(table: &'static str, key: &dyn Display) -> Place {
    Place(table, key.to_string())
}

/// Sets a part of a document's body, as JSON.
fn set(Place(table, key): &Place, path: &str, json: &dyn Display) -> String {
    format!("UPDATE {table} SET body = json_set(body, '$.{path}', json('{json}')) WHERE key = '{key}'; ")
}

/// Removes a part of a document's body.
fn cut(Place(table, key): &Place, path: &str) -> String {
    format!("UPDATE {table} SET body = json_remove(body, '$.{path}') WHERE key = '{key}'; ")
}

/// Checks that each change by hand, in a copy of its own, makes `verify` say its sentence.
fn told(house: &House, forgeries: &[Forgery]) {
    house.verified();
    for (number, forgery) in forgeries.iter().enumerate() {
        let file = copied(house, &format!("forged-{number}.db"));
        let connection = Connection::open(&file).unwrap();
        connection.execute_batch(&forgery.sql).unwrap();
        drop(connection);
        let violations = report(house, &file, None).unwrap().violations;
        let is_it = |(subject, detail): (&str, &str)| subject == forgery.subject && detail == forgery.says;
        let mut said = violations.iter().map(|one| (&*one.subject, &*one.detail));
        assert!(
            said.any(is_it),
            "{}: {:?} of {} is not in {violations:#?}",
            forgery.sql,
            forgery.says,
            forgery.subject
        );
    }
}

fn subject(of: &Receipt) -> String {
    format!("receipt {}", of.number)
}

#[test]
fn money_of_a_receipt_that_does_not_add_up_is_named() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let back = house.desk.run(refund(&sold, None, BackBy::Cash)).unwrap();
    let (of, corrects) = (subject(&sold), subject(&back));
    let (sold, back) = (place("receipt", &sold.id), place("receipt", &back.id));
    told(
        &house,
        &[
            forgery(set(&sold, "total", &2100), &of, "its lines are Ok(2000), its total is 2100"),
            forgery(set(&sold, "payments[0].minor", &1900), &of, "its payments are Ok(1900), its total is 2000"),
            forgery(
                set(&sold, "payments[0].given", &100),
                &of,
                "a payment, its change or what was paid back is negative",
            ),
            forgery(set(&sold, "credited", &5000), &of, "5000 of it was given back"),
            forgery(set(&back, "correction.fee", &1), &corrects, "its lines are Ok(-1999), its total is -2000"),
            forgery(
                set(&back, "correction.paid_back[0].minor", &2001),
                &corrects,
                "its payments are Ok(-2001), its total is -2000",
            ),
        ],
    );
}

#[test]
fn a_cell_that_comes_back_twice_or_to_another_receipt_is_named() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let back = |number| {
        let cells = vec![seats(&house, &[seat(1, number)])];
        house.desk.run(refund(&sold, Some(cells), BackBy::Cash)).unwrap()
    };
    let (first, second) = (back(5), back(6));
    let of = subject(&sold);
    let document = place("receipt", &sold.id);
    let unnamed = |by: ReceiptId| format!("receipt {by} corrects it, and it does not name that");
    let twice = set(&place("receipt", &second.id), "correction.returned[0].cells.seats.seats", &"[[1,5,1]]");
    let unaccounted = "cells came back that no receipt took, or a receipt that it names is not there";
    told(
        &house,
        &[
            forgery(cut(&document, "corrected_by[0]"), &of, unnamed(first.id)),
            forgery(cut(&document, "corrected_by[1]"), &of, unnamed(second.id)),
            forgery(twice.clone(), &of, "cells of line 1 came back twice, or not to it"),
            forgery(twice, &of, unaccounted),
            forgery(format!("DELETE FROM receipt WHERE key = '{}'", second.id), &of, unaccounted),
            forgery(
                cut(&document, "corrected_by") + &cut(&document, "lines[0].goods.seats.returned"),
                &format!("receipt {}", sold.id),
                "2 receipts correct it, and it does not say so",
            ),
        ],
    );
}

#[test]
fn a_paid_cell_that_is_lost_without_an_item_is_named() {
    let house = House::royal();
    let seat = house.sold("D1");
    house.disable("D1");
    let (room, hours) = room_sold(&house, "2026-12-01 20:00 23:00");
    let time = place("receipt", &hours.id);
    told(
        &house,
        &[
            forgery(
                "DELETE FROM work",
                &subject(&seat),
                "1 of its seats were paid, not its own any more, and never on the worklist",
            ),
            forgery(
                set(&time, "lines[0].goods.time.taken[0].live", &"[]"),
                &subject(&hours),
                format!("time of {room} was paid, not its own any more, and never on the worklist"),
            ),
            forgery(
                format!("DELETE FROM cart WHERE key = '{}'", seat.cart),
                &format!("work {}", only(&house, "SELECT key FROM work")),
                format!("it is about {}, which is not there", seat.cart),
            ),
        ],
    );
}

/// The only value of a query.
fn only(house: &House, sql: &str) -> String {
    let file = copied(house, "asked.db");
    let connection = Connection::open(&file).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_card_payment_without_receipt_or_item_is_named() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(BeginPayment { cart }).unwrap();
    house.pass(Span::minutes(45));
    house.sold("B2");
    let late =
        Checkout { tenders: vec![Tender::Card { reference: "004417".into(), charged: None }], ..paying(cart, 0) };
    let CheckedOut::Unissued(item) = house.desk.run(late).unwrap() else { panic!("issued") };
    told(
        &house,
        &[
            forgery(
                "DELETE FROM work",
                &format!("cart {cart}"),
                "its card payment is neither on a receipt nor on the worklist",
            ),
            forgery(
                set(&place("work", &item.id), "what.minor", &0),
                &format!("work {}", item.id),
                "an unissued payment of 0",
            ),
            forgery(
                format!("DELETE FROM cart WHERE key = '{cart}'"),
                &format!("work {}", item.id),
                format!("it is about {cart}, which is not there"),
            ),
        ],
    );
}

/// A booking of three hours that was paid and then lost one, and the receipt.
fn overpaid(house: &House) -> (Booking, Receipt) {
    let gala = booked(house, "2026-12-01 20:00 23:00");
    let cart = house.desk.run(charge(house, &gala, None)).unwrap();
    let paid = house.pay(cart.id, 3000).unwrap();
    let shorter =
        ReleaseSlot { booking: gala.id, resource: None, slot: slot("2026-12-01 22:00 23:00"), whose: Whose::Mine };
    house.desk.run(shorter).unwrap();
    (gala, paid)
}

#[test]
fn a_booking_whose_payments_are_not_those_of_its_receipts_is_named() {
    let house = House::royal();
    let (gala, paid) = overpaid(&house);
    let (of, document) = (format!("booking {}", gala.id), place("booking", &gala.id));
    let money = |minor: i64| BTreeMap::from([(paid.id, minor)]);
    let listed: Option<i64> = None;
    told(
        &house,
        &[
            forgery(
                set(&document, "payments[0].minor", &2000),
                &of,
                format!("it has {:?} as paid, its receipts say {:?}", money(2000), money(3000)),
            ),
            forgery("DELETE FROM work", &of, format!("1000 of it is overpaid, the worklist has {listed:?}")),
            forgery("DELETE FROM booking", &of, "it was paid, and is not there"),
        ],
    );
}

#[test]
fn a_credit_that_its_receipts_do_not_make_is_named() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let owed = house.desk.run(refund(&sold, None, BackBy::Owed)).unwrap();
    let credit = code(&owed);
    let cart = house.cart_with("C1");
    let pay = Checkout { tenders: vec![Tender::Owed { credit, amount: None }], ..paying(cart, 0) };
    let spent = receipt(house.desk.run(pay).unwrap());
    let (of, document) = (format!("credit {credit}"), place("credit", &credit));
    let entries = |first, second| BTreeMap::from([(owed.id, first), (spent.id, second)]);
    told(
        &house,
        &[
            forgery(
                set(&document, "entries[0].minor", &3000),
                &of,
                format!("it has {:?}, its receipts say {:?}", entries(3000_i64, -1000_i64), entries(2000, -1000)),
            ),
            forgery(set(&document, "entries[1].minor", &-2500), &of, "-500 is left of it"),
            forgery("DELETE FROM credit", &of, "receipts name it, and it is not there"),
        ],
    );
}

/// Adds a job by hand.
fn job(kind: &str, key: &dyn Display) -> String {
    format!("INSERT INTO job VALUES ('{kind}', '{key}', {at}, {at}, 0, 0, '', 1, 'x', -1)", at = NOON.millis() + 60_000)
}

#[test]
fn a_job_of_an_ended_night_is_named() {
    let house = House::royal();
    let sold = house.sold("B6");
    let wait = HandOver::new(sold.id, TicketsTo::Desk);
    house.desk.run(wait).unwrap();
    let kept = house.cart_with("C1");
    house.cancel_show();
    house.desk.sweep().unwrap();
    let gone = "its subject needs no job any more";
    let key = |kind: &str, key: &dyn Display| format!("job {kind} {key}");
    told(
        &house,
        &[
            forgery(job("sales_close", &house.show), &key("sales_close", &house.show), gone),
            forgery(job("reservation", &kept), &key("reservation", &kept), gone),
            forgery(job("keep_release", &kept), &key("keep_release", &kept), gone),
            forgery(
                job("tickets_uncollected", &sold.id),
                &key("tickets_uncollected", &sold.id),
                "it waits for tickets without a seat",
            ),
        ],
    );
}

#[test]
fn a_postponed_night_whose_hall_is_booked_for_another_time_is_named() {
    let house = House::royal();
    let moved = house
        .desk
        .run(PostponePerformance {
            performance: house.show,
            start: NOON + Span::minutes(450) + Span::DAY,
            end: None,
            reason: "the singer is ill".into(),
        })
        .unwrap();
    let later = moved.end.millis() + 60_000;
    told(
        &house,
        &[forgery(
            set(&place("performance", &house.show), "end", &later),
            &format!("performance {}", house.show),
            "its hall is booked for another time",
        )],
    );
}
