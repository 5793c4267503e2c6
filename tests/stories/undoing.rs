//! Undo: a cancel on the calendar, seats and time out of use, and other time for what was displaced.

use willcall::domain::booking::{Booking, BookingState, Cause};
use willcall::domain::house::WorklistItem;
use willcall::domain::ids::WorkId;
use willcall::domain::receipt::Receipt;
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddResource, CancelBooking, DisableSeats, Displace, EnableSeats, EnableSlot, HandOver, ItemAct, MoveBooking,
    OutOfUse, Past, Reach, RestoreBooking, ReturnToWorklist, SettleItem, TakeOut, TicketsTo, UndoOutOfUse, Which,
    Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::worklist::ReadWorklist;

use super::calendar::{add, book, resource, room, slot, told, view};
use super::support::{House, names, no, reserving_for_ida};

const DAY: &str = "2026-12-01 08:00 20:00";

/// A room that needs half an hour before and after each booking, and one beside it.
fn rooms(house: &House) -> (ResourceId, ResourceId) {
    let turning = AddResource { before: Span::minutes(30), after: Span::minutes(30), ..resource("Studio", 30) };
    (add(house, turning), room(house, "Loft", 30))
}

fn disable(room: &ResourceId, when: &str) -> TakeOut {
    TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![room.clone()], slot(when)) }
}

fn cancel(house: &House, booking: &Booking) {
    let cancel = CancelBooking { whose: Whose::Mine, booking: booking.id, reach: Reach::This };
    house.desk.run(cancel).unwrap();
}

fn restore(bookings: &[&Booking]) -> RestoreBooking {
    RestoreBooking { bookings: bookings.iter().map(|booking| booking.id).collect() }
}

fn now(house: &House, booking: &Booking) -> Booking {
    house.desk.read(ReadBooking(booking.id)).unwrap().booking
}

fn waiting(house: &House) -> Vec<WorkId> {
    let items = house.desk.read(ReadWorklist).unwrap();
    items.into_iter().map(|view| view.item.id).collect()
}

fn ids(items: &[WorklistItem]) -> Vec<WorkId> {
    items.iter().map(|item| item.id).collect()
}

fn shows(house: &House, room: &ResourceId, expected: &str) {
    assert_eq!(told(&view(house, room, DAY)), expected);
    house.verified();
}

#[test]
fn a_canceled_booking_stands_again_as_it_was_while_its_time_is_free() {
    let house = House::royal();
    let (studio, _) = rooms(&house);
    let yoga = book(&house, &studio, "Yoga", "2026-12-01 10:05 11:30");
    cancel(&house, &yoga);
    shows(&house, &studio, "08:00 free");
    let again = house.desk.run(restore(&[&yoga])).unwrap();
    assert_eq!(again.first(), Some(&yoga), "the same booking, with all that is known of it");
    let stands = "08:00 free, 09:30 ~Yoga, 10:00 Yoga, 11:30 ~Yoga, 12:00 free";
    shows(&house, &studio, stands);
    // once more changes nothing
    house.desk.run(restore(&[&yoga])).unwrap();
    shows(&house, &studio, stands);
}

#[test]
fn canceled_bookings_come_back_all_or_none() {
    let house = House::royal();
    let (studio, loft) = rooms(&house);
    let yoga = book(&house, &studio, "Yoga", "2026-12-01 10:00 11:00");
    let jazz = book(&house, &loft, "Jazz", "2026-12-01 10:00 11:00");
    cancel(&house, &yoga);
    cancel(&house, &jazz);
    book(&house, &loft, "Choir", "2026-12-01 10:30 12:00");
    let refused = no(&house.desk, restore(&[&yoga, &jazz]));
    assert!(matches!(refused, Refusal::Taken { .. }), "{refused:?}");
    assert_eq!(now(&house, &yoga).state, BookingState::Canceled);
    shows(&house, &studio, "08:00 free");
    shows(&house, &loft, "08:00 free, 10:30 Choir, 12:00 free");
}

#[test]
fn what_was_taken_out_of_use_is_back_with_all_whom_it_displaced() {
    let house = House::royal();
    let (studio, loft) = rooms(&house);
    let yoga = book(&house, &studio, "Yoga", "2026-12-01 10:00 12:00");
    book(&house, &studio, "Choir", "2026-12-01 14:00 15:00");
    let before = told(&view(&house, &studio, DAY));
    for takes_over in [false, true] {
        let done = if takes_over {
            let out = TakeOut {
                resources: vec![studio.clone()],
                count: None,
                from: Some(slot(DAY).from()),
                until: None,
                cause: Cause::OutOfService,
                reason: "wiring".into(),
                displace: Displace::Take,
                past: Past::Refuse,
            };
            house.desk.run(out).unwrap()
        } else {
            house.desk.run(disable(&studio, "2026-12-01 11:00 16:00")).unwrap()
        };
        assert_eq!(done.displaced().len(), 2);
        let undo = UndoOutOfUse {
            id: match &done {
                OutOfUse::Slot { booking, .. } => booking.id,
                OutOfUse::Marked { mark, .. } => mark.id,
            },
            displaced: ids(done.displaced()),
        };
        assert!(house.desk.run(undo).unwrap().is_empty(), "nobody waits");
        assert!(waiting(&house).is_empty());
        shows(&house, &studio, &before);
    }
    // who was given other time meanwhile keeps it
    let done = house.desk.run(disable(&studio, "2026-12-01 11:00 16:00")).unwrap();
    let elsewhere = MoveBooking {
        whose: Whose::Mine,
        booking: yoga.id,
        from: None,
        to: Some(loft.clone()),
        part: None,
        slot: slot("2026-12-01 10:00 12:00"),
        reach: Reach::This,
        past: Past::Refuse,
    };
    house.desk.run(elsewhere).unwrap();
    let OutOfUse::Slot { booking, displaced, .. } = done else {
        panic!("it has an end");
    };
    let undo = UndoOutOfUse { id: booking.id, displaced: ids(&displaced) };
    assert!(house.desk.run(undo).unwrap().is_empty());
    let choir = "08:00 free, 13:30 ~Choir, 14:00 Choir, 15:00 ~Choir, 15:30 free";
    shows(&house, &studio, choir);
    shows(&house, &loft, "08:00 free, 10:00 Yoga, 12:00 free");
}

#[test]
fn time_that_somebody_took_since_is_not_taken_from_them() {
    let house = House::royal();
    let (studio, _) = rooms(&house);
    book(&house, &studio, "Yoga", "2026-12-01 10:00 12:00");
    let out = house.desk.run(disable(&studio, "2026-12-01 10:00 12:00")).unwrap();
    let OutOfUse::Slot { booking, displaced, .. } = out else {
        panic!("it has an end");
    };
    let enable = EnableSlot { id: booking.id, whose: Whose::Mine };
    house.desk.run(enable).unwrap();
    book(&house, &studio, "Choir", "2026-12-01 10:30 11:30");
    let undo = UndoOutOfUse { id: booking.id, displaced: ids(&displaced) };
    let still = house.desk.run(undo).unwrap();
    assert_eq!(ids(&still), waiting(&house), "it waits, and is told");
    shows(&house, &studio, "08:00 free, 09:30 ~Yoga, 10:00 ~Choir, 10:30 Choir, 11:30 ~Choir, 12:00 ~Yoga, 12:30 free");
}

#[test]
fn other_time_for_what_was_displaced_is_given_back_and_it_waits_again() {
    let house = House::royal();
    let (studio, loft) = rooms(&house);
    let yoga = book(&house, &studio, "Yoga", "2026-12-01 10:00 12:00");
    house.desk.run(disable(&studio, "2026-12-01 11:00 16:00")).unwrap();
    let halved = "08:00 free, 09:30 ~Yoga, 10:00 Yoga, 11:00 disabled, 16:00 free";
    shows(&house, &studio, halved);
    let (was, items) = (now(&house, &yoga), waiting(&house));
    let elsewhere = MoveBooking {
        whose: Whose::Mine,
        booking: yoga.id,
        from: Some(studio.clone()),
        to: Some(loft.clone()),
        part: None,
        slot: slot("2026-12-01 10:00 12:00"),
        reach: Reach::This,
        past: Past::Refuse,
    };
    house.desk.run(elsewhere.clone()).unwrap();
    assert!(waiting(&house).is_empty());
    let again = ReturnToWorklist { booking: yoga.id, taken: was.taken.clone(), items: items.clone() };
    house.desk.run(again.clone()).unwrap();
    assert_eq!((now(&house, &yoga), waiting(&house)), (was, items));
    shows(&house, &studio, halved);
    shows(&house, &loft, "08:00 free");
    // what was left to it is somebody else's by now: nothing changes
    house.desk.run(elsewhere).unwrap();
    book(&house, &studio, "Choir", "2026-12-01 09:00 10:00");
    let refused = no(&house.desk, again);
    assert!(matches!(refused, Refusal::Taken { .. }), "{refused:?}");
    shows(&house, &loft, "08:00 free, 10:00 Yoga, 12:00 free");
}

/// Takes seats of tonight out of use; returns what undoes it.
fn broken(house: &House, seats: &str) -> UndoOutOfUse {
    let which = Which::Performance(house.show);
    let done = house.desk.run(DisableSeats { which, seats: names(seats), reason: "broken".into() }).unwrap();
    UndoOutOfUse { id: done.disables.first().unwrap().id, displaced: ids(&done.displaced) }
}

fn stands(house: &House, receipt: &Receipt) {
    let view = house.desk.read(ReadReceipt(receipt.id)).unwrap();
    assert_eq!(view.receipt.lines, receipt.lines);
    house.verified();
}

#[test]
fn a_sold_seat_that_was_out_of_use_is_its_orders_again() {
    let house = House::royal();
    let receipt = house.sold("B6 B7");
    let undo = broken(&house, "B6 B8");
    assert_eq!(house.free(), 77);
    assert!(house.desk.run(undo.clone()).unwrap().is_empty(), "nobody waits");
    assert!(waiting(&house).is_empty());
    assert_eq!(house.free(), 78);
    stands(&house, &receipt);
    // once more changes nothing
    assert!(house.desk.run(undo).unwrap().is_empty());
    stands(&house, &receipt);
}

#[test]
fn tickets_that_have_seats_again_are_told_of_before_the_start() {
    let house = House::royal();
    let receipt = house.sold("B6 B7");
    house.desk.run(HandOver::new(receipt.id, TicketsTo::Desk)).unwrap();
    let undo = broken(&house, "B6 B7");
    house.verified();
    house.desk.run(undo).unwrap();
    stands(&house, &receipt);
    house.pass(Span::minutes(430));
    assert_eq!(house.desk.sweep().unwrap(), 1, "nobody has collected them");
}

#[test]
fn a_seat_that_somebody_has_bought_since_is_not_taken_from_them() {
    let house = House::royal();
    house.sold("B6");
    let undo = broken(&house, "B6");
    let which = Which::Performance(house.show);
    house.desk.run(EnableSeats { which, seats: names("B6"), whose: Whose::Mine }).unwrap();
    let second = house.sold("B6");
    let still = house.desk.run(undo).unwrap();
    assert_eq!(ids(&still), waiting(&house), "the first buyer waits, and is told");
    stands(&house, &second);
}

#[test]
fn who_was_given_the_money_for_a_seat_does_not_get_it_again() {
    let house = House::royal();
    house.sold("B6");
    let undo = broken(&house, "B6");
    let item = waiting(&house)[0];
    house.desk.run(SettleItem { item, act: ItemAct::Waive, reason: "a gift".into() }).unwrap();
    assert!(house.desk.run(undo).unwrap().is_empty());
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn seats_of_a_canceled_night_are_nobodys_again() {
    let house = House::royal();
    house.sold("B6");
    let undo = broken(&house, "B6");
    house.cancel_show();
    house.desk.run(undo).unwrap();
    assert_eq!(waiting(&house).len(), 1, "the money is still to be given back");
    house.verified();
}

#[test]
fn a_reservation_that_lost_a_seat_waits_on_the_worklist_and_an_open_cart_does_not() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    house.desk.run(reserving_for_ida(cart)).unwrap();
    house.cart_with("B8");
    let still = house.desk.run(broken(&house, "B6 B8")).unwrap();
    assert_eq!(ids(&still), waiting(&house));
    assert_eq!(still.len(), 1);
    assert_eq!(house.free(), 80, "both seats are back in use");
    house.verified();
}
