//! Paid bookings: deposits and rests paid in carts, and money to give back when a booking costs less.

use willcall::domain::back::Share;
use willcall::domain::booking::Booking;
use willcall::domain::correction::BackBy;
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, Problem, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BeginPayment, CancelBooking, ChangeBooking, ChargeBooking, CheckedOut, Checkout, CorrectionAct, ItemAct, Reach,
    RefundBooking, ReleaseSlot, RestoreBooking, SettleItem, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;

use super::after_sale::{back, correct, refund, taken_today, worklist};
use super::calendar::{add, booking, resource, room, slot};
use super::giving_back::moving;
use super::support::{House, no, paying, refused};

/// A booking of a room of ten an hour, and its title.
pub(super) fn booked(house: &House, when: &str) -> Booking {
    let mut wanted = resource("Studio", 60);
    wanted.price = Some(Price { minor: 1000, currency: Currency::EUR });
    let room = add(house, wanted);
    house.desk.run(booking(&room, "Gala", slot(when))).unwrap()
}

pub(super) fn charge(house: &House, booking: &Booking, amount: Option<i64>) -> ChargeBooking {
    let cart = Some(house.open_cart());
    let booking = booking.id;
    ChargeBooking { cart, booking, amount }
}

fn reread_booking(house: &House, booking: &Booking) -> Booking {
    house.desk.read(ReadBooking(booking.id)).unwrap().booking
}

#[test]
fn a_booking_is_paid_by_carts_a_deposit_first() {
    let house = House::royal();
    let gala = booked(&house, "2026-12-01 20:00 23:00");
    assert_eq!((gala.open(), gala.paid()), (3000, 0));
    let deposit = house.desk.run(charge(&house, &gala, Some(1000))).unwrap();
    assert_eq!(deposit.total(), Ok(1000));
    assert_eq!(reread_booking(&house, &gala).paid(), 0, "before the checkout");
    let first = house.pay(deposit.id, 1000).unwrap();
    let paid = reread_booking(&house, &gala);
    assert_eq!((paid.open(), paid.paid()), (2000, 1000));
    assert_eq!(paid.payments[0].receipt, first.id);
    let refusal = no(&house.desk, charge(&house, &gala, Some(2001)));
    let Refusal::Correction(CorrectionRefusal::BookingPaid { open, .. }) = refusal else { panic!("{refusal:?}") };
    assert_eq!(open, 2000);
    // two carts want the rest: the first to check out has paid it
    let (one, two) = (charge(&house, &gala, None), charge(&house, &gala, None));
    let (one, two) = (house.desk.run(one).unwrap(), house.desk.run(two).unwrap());
    house.pay(one.id, 2000).unwrap();
    assert!(matches!(
        refused(house.pay(two.id, 2000)),
        Refusal::Correction(CorrectionRefusal::BookingPaid { open: 0, .. })
    ));
    assert_eq!(reread_booking(&house, &gala).open(), 0);
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 3000)]);
    house.verified();
}

#[test]
fn a_paid_booking_that_costs_less_leaves_money_to_give_back() {
    let house = House::royal();
    let gala = booked(&house, "2026-12-01 20:00 23:00");
    let cart = house.desk.run(charge(&house, &gala, None)).unwrap();
    house.pay(cart.id, 3000).unwrap();
    let shorter =
        ReleaseSlot { booking: gala.id, resource: None, slot: slot("2026-12-01 22:00 23:00"), whose: Whose::Mine };
    house.desk.run(shorter).unwrap();
    let items = worklist(&house);
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].price.map(|price| price.minor), Some(1000));
    let cancel = CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine };
    house.desk.run(cancel).unwrap();
    let items = worklist(&house);
    assert_eq!(items.len(), 1, "one item, of all that is owed");
    assert_eq!(items[0].price.map(|price| price.minor), Some(3000));
    let settle = |act| SettleItem { item: items[0].item.id, act, reason: "canceled".into() };
    assert!(matches!(no(&house.desk, settle(ItemAct::Waive)), Refusal::Correction(CorrectionRefusal::MoneyNotWaived)));
    let settled = house.desk.run(settle(ItemAct::Refund { back: BackBy::Cash.into(), share: Share::All })).unwrap();
    assert_eq!(back(&settled.receipts[0]), 3000);
    assert!(worklist(&house).is_empty());
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 0)]);
    let again = RefundBooking {
        booking: gala.id,
        back: BackBy::Cash.into(),
        share: Share::All,
        reason: "canceled".into(),
        cancels: None,
    };
    assert!(matches!(no(&house.desk, again), Refusal::Correction(CorrectionRefusal::NothingPaid)));
    house.verified();
}

#[test]
fn a_booking_paid_by_two_receipts_is_given_back_from_both() {
    let house = House::royal();
    let gala = booked(&house, "2026-12-01 20:00 23:00");
    for _ in 0..3 {
        let part = house.desk.run(charge(&house, &gala, Some(1000))).unwrap();
        house.pay(part.id, 1000).unwrap();
    }
    let refund = RefundBooking {
        booking: gala.id,
        back: BackBy::Cash.into(),
        share: Share::Only(1500),
        reason: "goodwill".into(),
        cancels: None,
    };
    let issued = house.desk.run(refund).unwrap();
    let given: Vec<i64> = issued.iter().map(back).collect();
    assert_eq!(given, [1000, 500]);
    let after = reread_booking(&house, &gala);
    assert_eq!((after.paid(), after.open()), (1500, 1500), "open again");
    house.verified();
}

fn canceling(booking: &Booking) -> CancelBooking {
    CancelBooking { booking: booking.id, reach: Reach::This, whose: Whose::Mine }
}

/// A booking of 30.00 that was paid, and its receipt.
fn paid(house: &House) -> (Booking, Receipt) {
    let gala = booked(house, "2026-12-01 20:00 23:00");
    let cart = house.desk.run(charge(house, &gala, None)).unwrap();
    let receipt = house.pay(cart.id, 3000).unwrap();
    (gala, receipt)
}

fn listed(house: &House) -> Vec<i64> {
    let items = worklist(house).into_iter();
    items.map(|one| one.price.map_or(0, |price| price.minor)).collect()
}

#[test]
fn a_paid_booking_that_moves_to_a_room_without_a_price_leaves_all_to_give_back() {
    let house = House::royal();
    let (gala, _) = paid(&house);
    let free = room(&house, "Foyer", 60);
    let mut there = moving(&gala, None, "2026-12-01 20:00 23:00");
    there.to = Some(free);
    let moved = house.desk.run(there).unwrap();
    assert_eq!((moved[0].price, moved[0].open()), (None, -3000));
    assert_eq!(listed(&house), [3000]);
    house.verified();
}

#[test]
fn money_for_a_booking_is_given_back_by_the_booking_and_not_by_its_receipt_too() {
    let house = House::royal();
    let gala = booked(&house, "2026-12-01 20:00 23:00");
    let cart = house.desk.run(charge(&house, &gala, None)).unwrap();
    house.hold(cart.id, "A1").unwrap();
    let receipt = house.pay(cart.id, 4000).unwrap();
    let goodwill = |amount| {
        let by = BackBy::Cash;
        correct(&receipt, CorrectionAct::Goodwill { back: by.into(), amount })
    };
    let more = no(&house.desk, goodwill(1001));
    let expected =
        CorrectionRefusal::MoreThanPaid { receipt: receipt.number.clone(), left: 1000, currency: Currency::EUR };
    assert_eq!(more, Refusal::from(expected));
    house.desk.run(goodwill(600)).unwrap();
    let seat = refund(&receipt, None, BackBy::Cash);
    assert_eq!(back(&house.desk.run(seat).unwrap()), 400);
    house.desk.run(canceling(&gala)).unwrap();
    assert_eq!(listed(&house), [3000]);
    let all = RefundBooking {
        booking: gala.id,
        back: BackBy::Cash.into(),
        share: Share::All,
        reason: "canceled".into(),
        cancels: None,
    };
    house.desk.run(all).unwrap();
    assert!(listed(&house).is_empty());
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 0)]);
    house.verified();
}

#[test]
fn a_booking_that_gave_all_its_time_back_is_not_restored() {
    let house = House::royal();
    let (gala, _) = paid(&house);
    let release =
        ReleaseSlot { booking: gala.id, resource: None, slot: slot("2026-12-01 20:00 23:00"), whose: Whose::Mine };
    house.desk.run(release).unwrap();
    let restore = RestoreBooking { bookings: vec![gala.id] };
    let title = "Gala".into();
    assert_eq!(no(&house.desk, restore), Refusal::BookingCanceled { title });
    assert_eq!(listed(&house), [3000]);
    house.verified();
}

#[test]
fn an_overpaid_booking_has_nothing_to_pay() {
    let house = House::royal();
    let (gala, _) = paid(&house);
    let cheaper =
        ChangeBooking { price: Some(Price { minor: 2000, currency: Currency::EUR }), ..ChangeBooking::of(gala.id) };
    house.desk.run(cheaper).unwrap();
    assert_eq!(listed(&house), [1000]);
    let refusal = no(&house.desk, charge(&house, &gala, None));
    assert!(matches!(refusal, Refusal::Correction(CorrectionRefusal::BookingPaid { open: 0, .. })), "{refusal:?}");
    house.verified();
}

#[test]
fn a_paid_booking_keeps_the_currency_that_it_was_paid_in() {
    let house = House::royal();
    let (gala, _) = paid(&house);
    let dollars = ChangeBooking {
        price: Some(Price { minor: 2000, currency: "USD".parse().unwrap() }),
        ..ChangeBooking::of(gala.id)
    };
    let expected = Refusal::bad("price", Problem::PaidIn(Currency::EUR));
    assert_eq!(no(&house.desk, dollars), expected);
    house.verified();
}

#[test]
fn a_late_card_for_a_booking_that_is_canceled_or_paid_waits_on_the_worklist() {
    let between: [fn(&House, &Booking); 2] = [
        |house, gala| drop(house.desk.run(canceling(gala)).unwrap()),
        |house, gala| {
            let other = house.desk.run(charge(house, gala, None)).unwrap();
            house.pay(other.id, 3000).unwrap();
        },
    ];
    for between in between {
        let house = House::royal();
        let gala = booked(&house, "2026-12-01 20:00 23:00");
        let cart = house.desk.run(charge(&house, &gala, None)).unwrap().id;
        house.desk.run(BeginPayment { cart }).unwrap();
        house.pass(Span::minutes(40));
        between(&house, &gala);
        let late =
            Checkout { tenders: vec![Tender::Card { reference: "X1".into(), charged: Some(3000) }], ..paying(cart, 0) };
        let done = house.desk.run(late).unwrap();
        assert!(matches!(done, CheckedOut::Unissued(_)), "{done:?}");
        assert_eq!(listed(&house), [3000]);
        house.verified();
    }
}
