//! Counted equipment of which some goes out of use: a booking or a line loses the units that it must, and keeps the rest.

use willcall::domain::back::{Back, ReturnTerms, Share};
use willcall::domain::booking::Booking;
use willcall::domain::correction::ReceiptKind;
use willcall::domain::ids::{BookingId, CartId};
use willcall::domain::line::Line;
use willcall::domain::loss::CellGroup;
use willcall::domain::receipt::Receipt;
use willcall::domain::refusal::{CorrectionRefusal, Refusal};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Slot, Span};
use willcall::engine::ops::{
    CancelBooking, Checkout, CorrectReceipt, CorrectionAct, ItemAct, MoveBooking, OutOfUse, Past, Reach, ReleaseSlot,
    RestoreBooking, ReturnCells, SetCount, SettleItem, UndoOutOfUse, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::worklist::{ReadWorklist, WorkView};
use willcall::words;

use super::counted::{counted, holding, hours, left, less, list, wanting};
use super::support::{House, no, paying, reserving_for_ida};

fn book(house: &House, of: &ResourceId, (number, slot): (u32, Slot), title: &str) -> Booking {
    house.desk.run(wanting(of, number, slot, title)).unwrap()
}

fn now(house: &House, id: BookingId) -> Booking {
    house.desk.read(ReadBooking(id)).unwrap().booking
}

/// Units with the hours that they have: `80 10-13, 20 10-11 12-13`.
fn has(taken: &[willcall::domain::booking::Taken]) -> String {
    let told = taken.iter().map(|one| {
        let slots = one.live.iter().map(|slot| {
            let hour = |at: willcall::domain::time::Instant| at.format(chrono_tz::Tz::UTC, "%H");
            format!(" {}-{}", hour(slot.from()), hour(slot.until()))
        });
        format!("{}{}", one.number, slots.collect::<String>())
    });
    told.collect::<Vec<_>>().join(", ")
}

fn lines(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| format!("{} for {}", has(line.goods.taken()), line.total().unwrap())).collect()
}

fn waiting(house: &House) -> Vec<WorkView> {
    house.desk.read(ReadWorklist).unwrap()
}

/// Open items of the worklist in words: `20 of 100 chairs Tue 1 Dec 10:00-12:00, paid 2000`.
fn told(house: &House) -> Vec<String> {
    let told = waiting(house).into_iter().map(|item| {
        let paid = item.price.map(|price| format!(", paid {}", price.minor)).unwrap_or_default();
        format!("{} {}{paid}", item.title, item.seats.join(" "))
    });
    told.collect()
}

/// Takes units out of use; the act and its undo.
fn lose(house: &House, of: &ResourceId, number: u32, slot: Slot) -> UndoOutOfUse {
    let OutOfUse::Slot { booking, displaced, .. } = house.desk.run(less(of, number, slot)).unwrap() else {
        panic!("it has an end")
    };
    house.verified();
    UndoOutOfUse { id: booking.id, displaced: displaced.iter().map(|item| item.id).collect() }
}

fn settle(item: &WorkView, act: ItemAct) -> SettleItem {
    SettleItem { item: item.item.id, act, reason: "broken".into() }
}

fn refund() -> ItemAct {
    ItemAct::Refund { back: Back::default(), share: Share::All }
}

fn sold(house: &House, of: &ResourceId, number: u32, slot: Slot) -> Receipt {
    let cart = house.desk.run(holding(of, number, slot)).unwrap();
    house.pay(cart.id, cart.total().unwrap()).unwrap()
}

fn receipt(house: &House, of: &Receipt) -> Receipt {
    house.desk.read(ReadReceipt(of.id)).unwrap().receipt
}

#[test]
fn a_booking_keeps_the_units_that_are_left_and_has_them_all_again_after_the_undo() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let gala = book(&house, &chairs, (100, hours(9, 13)), "Gala");
    let undo = lose(&house, &chairs, 20, hours(10, 12));
    assert_eq!(told(&house), ["20 of 100 chairs Tue 1 Dec 10:00-12:00"]);
    let gala = now(&house, gala.id);
    assert_eq!(has(&gala.taken), "80 09-13, 20 09-10 12-13");
    assert_eq!(gala.price.unwrap().minor, 50 * (80 * 4 + 20 * 2));
    assert_eq!(left(&house, &chairs), "00:00 100, 09:00 Gala, 10:00 leak, Gala, 12:00 Gala, 13:00 100");
    let mut all = list(&house, &chairs);
    all.sort();
    let expected = [
        "09:00-10:00 100 chairs, Gala",
        "10:00-12:00 20 chairs, leak",
        "10:00-12:00 80 chairs, Gala",
        "12:00-13:00 100 chairs, Gala",
    ];
    assert_eq!(all, expected);
    assert_eq!(house.desk.run(undo).unwrap(), []);
    let again = now(&house, gala.id);
    assert_eq!((has(&again.taken).as_str(), again.price.unwrap().minor), ("100 09-13", 50 * 400));
    assert_eq!(told(&house), [""; 0]);
    house.verified();
}

#[test]
fn the_newest_lose_first_and_each_only_as_many_as_must_be_in_each_hour() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let first = book(&house, &chairs, (10, hours(11, 12)), "First");
    let old = book(&house, &chairs, (60, hours(10, 12)), "Old");
    let new = book(&house, &chairs, (20, hours(10, 11)), "New");
    let undo = lose(&house, &chairs, 50, hours(10, 12));
    let mut lost = told(&house);
    lost.sort();
    let expected = [
        "10 of 60 chairs Tue 1 Dec 10:00-12:00",
        "10 of 60 chairs Tue 1 Dec 11:00-12:00",
        "20 chairs Tue 1 Dec 10:00-11:00",
    ];
    assert_eq!(lost, expected);
    assert_eq!(has(&now(&house, new.id).taken), "20");
    assert_eq!(has(&now(&house, old.id).taken), "40 10-12, 10 10-11, 10");
    let more = lose(&house, &chairs, 10, hours(11, 12));
    assert_eq!(has(&now(&house, old.id).taken), "30 10-12, 20 10-11, 10");
    assert_eq!(has(&now(&house, first.id).taken), "10 11-12");
    for undo in [more, undo] {
        assert_eq!(house.desk.run(undo).unwrap(), []);
        house.verified();
    }
    assert_eq!(has(&now(&house, old.id).taken), "60 10-12");
    assert_eq!(has(&now(&house, new.id).taken), "20 10-11");
}

#[test]
fn a_parted_booking_is_released_moved_canceled_and_restored_as_one() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let gala = book(&house, &chairs, (100, hours(9, 13)), "Gala").id;
    lose(&house, &chairs, 20, hours(10, 12));
    let part = ReleaseSlot { booking: gala, resource: None, slot: hours(9, 11), whose: Whose::Mine };
    house.desk.run(part).unwrap();
    assert_eq!(has(&now(&house, gala).taken), "80 11-13, 20 12-13");
    house.verified();
    let to = |part, slot| MoveBooking {
        booking: gala,
        from: None,
        to: None,
        part,
        slot,
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    };
    let moved = house.desk.run(to(Some(hours(12, 13)), hours(15, 16))).unwrap();
    assert_eq!(has(&moved[0].taken), "80 11-12, 100 15-16");
    house.verified();
    house.desk.run(CancelBooking { booking: gala, reach: Reach::This, whose: Whose::Mine }).unwrap();
    assert_eq!(left(&house, &chairs), "00:00 100, 10:00 80, 12:00 100");
    let other = book(&house, &chairs, (100, hours(16, 18)), "Fair").id;
    lose(&house, &chairs, 30, hours(16, 17));
    let moved = house.desk.run(MoveBooking { booking: other, ..to(None, hours(17, 19)) }).unwrap();
    assert_eq!((has(&moved[0].taken).as_str(), told(&house)), ("100 17-19", Vec::new()));
    lose(&house, &chairs, 30, hours(17, 18));
    house.desk.run(CancelBooking { booking: other, reach: Reach::This, whose: Whose::Mine }).unwrap();
    house.verified();
    let short = no(&house.desk, RestoreBooking { bookings: vec![other] });
    assert!(matches!(short, Refusal::Count(_)), "{short:?}");
    house.verified();
}

#[test]
fn a_sold_line_parts_the_units_that_it_lost_and_only_these_are_paid_back() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let receipt_of = sold(&house, &chairs, 100, hours(9, 13));
    lose(&house, &chairs, 20, hours(10, 12));
    assert_eq!(told(&house), ["20 of 100 chairs Tue 1 Dec 10:00-12:00, paid 2000"]);
    let parted = receipt(&house, &receipt_of);
    assert_eq!(lines(&parted.lines), ["80 09-13 for 16000", "20 09-10 12-13 for 4000"]);
    assert_eq!((parted.total, receipt_of.total), (20000, 20000));
    assert_eq!(
        left(&house, &chairs),
        "00:00 100, 09:00 receipt till-1/1, receipt till-1/1, 10:00 leak, receipt till-1/1, 12:00 receipt till-1/1, receipt till-1/1, 13:00 100"
    );
    let done = house.desk.run(settle(&waiting(&house)[0], refund())).unwrap();
    assert_eq!((done.receipts[0].kind(), done.receipts[0].back()), (ReceiptKind::Refund, 2000));
    assert_eq!(told(&house), [""; 0]);
    assert_eq!(has(receipt(&house, &receipt_of).lines[0].goods.taken()), "80 09-13");
    house.verified();
    // the rest goes back as any sale does
    let act = CorrectionAct::Refund { cells: None, back: Back::default(), share: Share::All };
    let all = CorrectReceipt { receipt: receipt_of.id, act, reason: "ill".into(), keep: None };
    assert_eq!(house.desk.run(all).unwrap().back(), 18000);
    assert_eq!(left(&house, &chairs), "00:00 100, 10:00 80, 12:00 100");
    house.verified();
}

#[test]
fn lost_units_of_a_sale_are_given_up_or_have_other_time_and_the_others_stay() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let of = sold(&house, &chairs, 100, hours(9, 13));
    lose(&house, &chairs, 20, hours(10, 12));
    house.desk.run(settle(&waiting(&house)[0], ItemAct::Waive)).unwrap();
    house.verified();
    lose(&house, &chairs, 30, hours(9, 10));
    let moved = ItemAct::Move { to: None, from: hours(15, 16).from() };
    let waits = waiting(&house);
    assert_eq!(told(&house), ["30 of 80 chairs Tue 1 Dec 09:00-10:00, paid 1500"]);
    house.desk.run(settle(&waits[0], moved)).unwrap();
    house.verified();
    let rest = ["50 09-13 for 10000", "20 09-10 12-13 for 4000", "30 10-13 for 6000"];
    assert_eq!(lines(&receipt(&house, &of).lines), rest);
    assert!(left(&house, &chairs).ends_with("13:00 100, 15:00 70, 16:00 100"), "{}", left(&house, &chairs));
}

#[test]
fn a_line_of_which_time_came_back_parts_its_units_too() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let of = sold(&house, &chairs, 100, hours(9, 13));
    let hour = |from| vec![CellGroup::Time { resource: chairs.clone(), slots: vec![hours(from, from + 1)] }];
    let back = |from| {
        let act = CorrectionAct::Refund { cells: Some(hour(from)), back: Back::default(), share: Share::All };
        CorrectReceipt { receipt: of.id, act, reason: "ill".into(), keep: None }
    };
    assert_eq!(house.desk.run(back(12)).unwrap().back(), 5000);
    // a cart that brings back an hour of the whole line finds it parted at its checkout
    let bring = ReturnCells { cart: None, receipt: of.id, cells: Some(hour(9)) };
    let cart: CartId = house.desk.run(bring).unwrap().id;
    lose(&house, &chairs, 20, hours(10, 11));
    assert_eq!(lines(&receipt(&house, &of).lines), ["80 09-12 for 16000", "20 09-10 11-12 for 4000"]);
    let returns = Some(ReturnTerms { reason: "ill".into(), ..ReturnTerms::default() });
    let stale = no(&house.desk, Checkout { returns, ..Checkout::new(cart, Vec::new()) });
    assert!(matches!(stale, Refusal::Correction(CorrectionRefusal::NotOnReceipt { .. })), "{stale:?}");
    assert_eq!(house.desk.run(settle(&waiting(&house)[0], refund())).unwrap().receipts[0].back(), 1000);
    house.verified();
    assert_eq!(house.desk.run(back(9)).unwrap().back(), 5000);
    assert!(matches!(no(&house.desk, back(12)), Refusal::Correction(CorrectionRefusal::AlreadyReturned { .. })));
    house.verified();
}

#[test]
fn a_cart_and_a_reservation_keep_the_units_that_are_left_until_they_are_paid_or_expire() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let cart = house.desk.run(holding(&chairs, 60, hours(10, 12))).unwrap().id;
    lose(&house, &chairs, 50, hours(11, 12));
    let view = house.cart(cart);
    assert_eq!(lines(&view.cart.lines), ["50 10-12 for 5000", "10 10-11 for 500"]);
    let lost: Vec<String> = view.lost.iter().map(words::loss).collect();
    assert_eq!(lost, ["10 of 60 chairs Tue 1 Dec 2026 11:00-12:00 (leak)"]);
    assert_eq!(told(&house), [""; 0], "an open cart sees it");
    assert_eq!(house.desk.run(SetCount { cart, line: 1, count: 40 }).unwrap().total().unwrap(), 4500);
    house.desk.run(reserving_for_ida(cart)).unwrap();
    lose(&house, &chairs, 30, hours(10, 11));
    let mut waits = told(&house);
    waits.sort();
    assert_eq!(waits, [""; 0], "seventy were left at ten");
    lose(&house, &chairs, 25, hours(10, 11));
    assert_eq!(told(&house), ["5 of 40 chairs Tue 1 Dec 10:00-11:00"]);
    let held = house.cart(cart);
    assert_eq!(lines(&held.cart.lines), ["35 10-12 for 3500", "10 10-11 for 500", "5 11-12 for 250"]);
    house.desk.run(paying(cart, 4250)).unwrap();
    house.verified();
    let late = house.desk.run(holding(&chairs, 45, hours(14, 15))).unwrap().id;
    lose(&house, &chairs, 70, hours(14, 15));
    assert_eq!(lines(&house.cart(late).cart.lines), ["30 14-15 for 1500"], "what lost all of its time is gone");
    house.pass(Span::minutes(31));
    house.desk.sweep().unwrap();
    assert!(left(&house, &chairs).ends_with("14:00 30, 15:00 100"), "{}", left(&house, &chairs));
    house.verified();
}
