//! Items of the worklist that other seats or other time settle, at no charge.

use willcall::domain::booking::Cause;
use willcall::domain::correction::ReceiptKind;
use willcall::domain::house::WorkState;
use willcall::domain::ids::CartId;
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{Alternative, CorrectionRefusal, Refusal};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BeginPayment, Checkout, HoldSeats, HoldSlot, ItemAct, ItemSettled, Past, SettleItem, SlotWanted, TakeOut,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::offers::{FreeEqual, ReadOffers};
use willcall::engine::reads::worklist::{ReadWorklist, WorkView};

use super::after_sale::reread;
use super::calendar::{add, book, resource, slot};
use super::support::{House, named, no, paying, receipt, reserving_for_ida};

fn item(house: &House) -> WorkView {
    let items = house.desk.read(ReadWorklist).unwrap();
    let [item] = items.as_slice() else {
        panic!("{items:?}");
    };
    item.clone()
}

fn offers(house: &House) -> Vec<FreeEqual> {
    house.desk.read(ReadOffers(item(house).item)).unwrap()
}

fn offered(house: &House) -> Vec<String> {
    let offers = offers(house);
    let words = |one: &FreeEqual| match &one.cells {
        Alternative::Seats(names) => names.join(" "),
        Alternative::Slot { at, .. } => {
            format!("{} {}", at.resource, at.from.format(at.zone, "%d %b %H:%M"))
        }
    };
    offers.iter().map(words).collect()
}

fn settle(house: &House, act: ItemAct) -> SettleItem {
    SettleItem { item: item(house).item.id, act, reason: String::new() }
}

fn accepted(house: &House) -> ItemSettled {
    let first = offers(house).into_iter().next().unwrap();
    house.desk.run(settle(house, first.act)).unwrap()
}

fn reseat(house: &House, seats: &str) -> ItemAct {
    ItemAct::Reseat { performance: house.show, seats: named(seats) }
}

fn note(settled: &ItemSettled) -> &str {
    let WorkState::Resolved { note, .. } = &settled.item.state else {
        panic!("{settled:?}");
    };
    note
}

#[test]
fn lost_seats_are_replaced_by_the_nearest_equals_at_no_charge() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    house.disable("B6 B7");
    assert_eq!(offered(&house), ["A5 A6", "A7 A8", "C5 C6"]);
    let before = house.free();
    let settled = accepted(&house);
    assert_eq!(note(&settled), "exchange till-1/2");
    let [issued] = settled.receipts.as_slice() else {
        panic!("{settled:?}");
    };
    assert_eq!((issued.kind(), issued.total), (ReceiptKind::Exchange, 0));
    assert_eq!(house.free(), before - 2);
    assert_eq!(reread(&house, sold.id).left().unwrap(), 0);
    assert_eq!(issued.left().unwrap(), 2000);
    house.verified();
}

#[test]
fn seats_of_another_price_cost_nothing_more_and_the_ticket_type_stays() {
    let house =
        House::of(willcall::formats::rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 300)]);
    let cart = house.open_cart();
    let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(cart, "B6") };
    house.desk.run(child).unwrap();
    house.pay(cart, 300).unwrap();
    house.disable("B6");
    let settled = accepted(&house);
    let line = settled.receipts.first().unwrap().lines.first().unwrap();
    assert_eq!((line.kind.as_str(), line.unit_price), ("Child", 300));
    house.verified();
}

#[test]
fn a_reservation_gets_other_seats() {
    let house = House::royal();
    let cart = house.cart_with("B6 B7");
    house.desk.run(reserving_for_ida(cart)).unwrap();
    house.disable("B7");
    let settled = accepted(&house);
    assert_eq!((note(&settled), settled.receipts.len()), ("reseated", 0));
    assert_eq!(house.cart(cart).cart.seat_count(), 2);
    house.verified();
}

#[test]
fn seats_are_found_for_a_payment_that_bought_nothing() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    unissued(&house, cart);
    let short = no(&house.desk, settle(&house, reseat(&house, "C1 C2 C3")));
    assert!(matches!(short, Refusal::PaymentShort { missing: 1000, .. }), "{short:?}");
    let settled = house.desk.run(settle(&house, reseat(&house, "C1"))).unwrap();
    assert_eq!(note(&settled), "sale till-1/2");
    // the rest of the charge is an item of its own
    assert_eq!(item(&house).price.unwrap().minor, 1000);
    assert!(offers(&house).is_empty());
    house.verified();
}

/// Pays a cart of EUR 20.00 by a card after it ended and one of its seats was sold.
fn unissued(house: &House, cart: CartId) {
    let begin = BeginPayment { cart };
    house.desk.run(begin).unwrap();
    house.pass(Span::minutes(400));
    house.sold("A2");
    let charge = Tender::Card { reference: "X1".into(), charged: Some(2000) };
    let late = Checkout { tenders: vec![charge], ..paying(cart, 0) };
    house.desk.run(late).unwrap();
}

#[test]
fn another_station_settles_an_item_once_and_wrong_acts_change_nothing() {
    let house = House::royal();
    let sold = house.sold("B6");
    house.disable("B6");
    house.sold("C1");
    let before = reread(&house, sold.id);
    assert!(matches!(no(&house.desk, settle(&house, reseat(&house, "C1"))), Refusal::Taken { .. }));
    let moved = ItemAct::Move { to: None, from: slot("2026-12-01 10:00 12:00").from() };
    let seats = CorrectionRefusal::NoTimeLost.into();
    assert_eq!(no(&house.desk, settle(&house, moved)), seats);
    assert_eq!(reread(&house, sold.id), before);
    let act = settle(&house, reseat(&house, "C2"));
    house.desk.run(act.clone()).unwrap();
    assert!(matches!(no(&house.at("till-2"), act), Refusal::AlreadyResolved { .. }));
    house.verified();
}

#[test]
fn nothing_is_offered_for_a_canceled_performance() {
    let house = House::royal();
    house.sold("B6");
    house.cancel_show();
    assert_eq!(offers(&house), []);
}

/// Rooms at 80.00 and 100.00 an hour.
fn rooms(house: &House) -> [ResourceId; 2] {
    [("Studio 1", 8000), ("Studio 2", 10000)].map(|(name, minor)| {
        let mut room = resource(name, 60);
        room.price = Some(Price { minor, currency: Currency::EUR });
        add(house, room)
    })
}

fn leak(house: &House, room: &ResourceId, when: &str) {
    let when = slot(when);
    let disable = TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![room.clone()], when) };
    house.desk.run(disable).unwrap();
}

#[test]
fn a_booking_that_lost_time_moves_elsewhere_for_its_old_price() {
    let house = House::royal();
    let [first, second] = rooms(&house);
    let booking = book(&house, &first, "Choir", "2026-12-01 10:00 12:00");
    leak(&house, &first, "2026-12-01 11:00 12:00");
    assert_eq!(offered(&house).first().unwrap(), "Studio 2 01 Dec 10:00");
    let settled = accepted(&house);
    assert_eq!((note(&settled), settled.receipts.len()), ("moved", 0));
    let moved = house.desk.read(ReadBooking(booking.id)).unwrap().booking;
    assert_eq!(moved.asked().next().unwrap().resource, second);
    assert_eq!(moved.price.unwrap().minor, 16000);
    house.verified();
}

#[test]
fn time_of_a_receipt_is_exchanged_for_the_same_length() {
    let house = House::royal();
    let [first, second] = rooms(&house);
    let cart = house
        .desk
        .run(HoldSlot {
            cart: None,
            wants: vec![SlotWanted { count: None, resource: first.clone(), slot: slot("2026-12-01 10:00 12:00") }],
            past: Past::Refuse,
        })
        .unwrap()
        .id;
    let sold: Receipt = receipt(house.desk.run(paying(cart, 16000)).unwrap());
    leak(&house, &first, "2026-12-01 11:00 12:00");
    let there = ItemAct::Move { to: Some(second), from: slot("2026-12-01 15:00 16:00").from() };
    let settled = house.desk.run(settle(&house, there)).unwrap();
    let issued = settled.receipts.first().unwrap();
    assert_eq!((issued.kind(), issued.total), (ReceiptKind::Exchange, 0));
    assert_eq!(issued.left().unwrap(), 8000);
    assert_eq!(reread(&house, sold.id).left().unwrap(), 8000);
    house.verified();
}
