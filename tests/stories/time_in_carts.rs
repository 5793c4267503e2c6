//! Time in carts beside seats, halls of performances, repeats and horizons: cases T13, T17, A17.

use willcall::domain::booking::{Booking, Cause, Details};
use willcall::domain::calendar::State;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::customer::Customer;
use willcall::domain::ids::CartId;
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Span, parse_date};
use willcall::engine::Failure;
use willcall::engine::ops::{
    AddPerformance, AddToSeries, BeginPayment, BookSeries, CancelBooking, CancelCart, CancelPerformance, CheckedOut,
    Checkout, CloseDays, Conflicts, GiveBack, HoldSlot, MoveBooking, NamedPrice, Past, PayBy, Reach, ReserveCart,
    ReviveCart, SetHall, SlotWanted, TakeOut, WhatStands, Whose,
};
use willcall::engine::reads::catalog::ReadPerformance;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::resources::ReadChunks;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::verify::{Verify, Violation};

use super::calendar::{add, book, booking, resource, room, slot, told, view};
use super::support::{House, NOON, no, paying, receipt, refused, rekeyed};

/// A room of ten an hour.
fn paid_room(house: &House, name: &str) -> ResourceId {
    let mut wanted = resource(name, 60);
    wanted.price = Some(Price { minor: 1000, currency: Currency::EUR });
    add(house, wanted)
}

fn hold(house: &House, cart: CartId, room: &ResourceId, when: &str) -> Result<Cart, Failure> {
    house.desk.run(HoldSlot {
        cart: Some(cart),
        wants: vec![SlotWanted { count: None, resource: room.clone(), slot: slot(when) }],
        past: Past::Refuse,
    })
}

fn states(house: &House, room: &ResourceId) -> Vec<State> {
    let view = view(house, room, "2026-12-01 2026-12-02");
    view.periods.iter().map(|period| period.state).collect()
}

const FREE: [State; 1] = [State::Free];

#[test]
fn t13_seats_of_two_performances_and_a_room_are_settled_by_one_receipt() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let other = house.performance("Late show", &[(None, None, 500)]);
    let cart = house.cart_with("A1 A2");
    house.hold(cart, "B1").unwrap();
    let mut second = house.holding(cart, "C1");
    second.performance = other;
    house.desk.run(second).unwrap();
    hold(&house, cart, &gala, "2026-12-01 20:00 22:00").unwrap();
    assert_eq!(states(&house, &gala), [State::Free, State::Held, State::Free]);
    // a refused fourth add leaves what is there
    book(&house, &gala, "taken", "2026-12-01 10:00 12:00");
    assert!(matches!(refused(hold(&house, cart, &gala, "2026-12-01 11:00 13:00")), Refusal::Taken { .. }));
    let view = house.cart(cart);
    assert_eq!((view.lines.len(), view.total), (4, 5500));
    let paid = house.pay(cart, 5500).unwrap();
    assert_eq!((paid.lines.len(), paid.total), (4, 5500));
    let read = house.desk.read(ReadReceipt(paid.id)).unwrap();
    let time = read.lines[3].time().unwrap();
    assert_eq!(time.when(NOON), "Tue 1 Dec 20:00-22:00");
    assert!(matches!(no(&house.desk, booking(&gala, "x", slot("2026-12-01 21:00 22:00"))), Refusal::Taken { .. }));
    house.verified();
}

#[test]
fn two_rooms_go_into_a_cart_both_or_neither() {
    let house = House::royal();
    let (gala, studio) = (paid_room(&house, "Gala room"), paid_room(&house, "Studio"));
    book(&house, &studio, "taken", "2026-12-01 10:00 12:00");
    let both = |when| HoldSlot {
        cart: None,
        wants: [&gala, &studio].map(|room| SlotWanted { count: None, resource: room.clone(), slot: slot(when) }).into(),
        past: Past::Refuse,
    };
    let taken = no(&house.desk, both("2026-12-01 11:00 13:00"));
    assert!(matches!(taken, Refusal::Taken { .. }), "{taken:?}");
    assert_eq!(states(&house, &gala), FREE);
    let cart = house.desk.run(both("2026-12-01 20:00 22:00")).unwrap();
    assert_eq!(cart.lines.len(), 2);
    house.verified();
}

#[test]
fn t13_expiry_cancel_and_give_back_free_time_as_they_free_seats() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let cart = house.cart_with("A1");
    hold(&house, cart, &gala, "2026-12-01 20:00 22:00").unwrap();
    house.pass(Span::minutes(30));
    assert_eq!(states(&house, &gala), FREE, "free at that instant, without a sweep");
    house.desk.sweep().unwrap();
    assert_eq!(house.state(cart), CartState::Expired);
    house.verified();
    // its choice comes back as a new cart, and that is given up line by line
    let again = house.desk.run(ReviveCart { cart }).unwrap();
    assert_eq!((again.total(), states(&house, &gala).len()), (Ok(3000), 3));
    let give = GiveBack::line(again.id, again.lines.last().unwrap().number, None);
    let left = house.desk.run(give).unwrap();
    assert_eq!((left.total(), states(&house, &gala)), (Ok(1000), FREE.to_vec()));
    hold(&house, again.id, &gala, "2026-12-01 08:00 09:00").unwrap();
    house.desk.run(CancelCart { cart: again.id }).unwrap();
    assert_eq!((states(&house, &gala), house.free()), (FREE.to_vec(), 80));
    house.verified();
}

#[test]
fn a_reservation_and_a_late_card_keep_time_too() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let cart = house.open_cart();
    hold(&house, cart, &gala, "2026-12-01 20:00 22:00").unwrap();
    let reserve = ReserveCart {
        cart,
        customer: Some(Customer { name: "Ruiz".into(), ..Customer::default() }),
        pay_by: PayBy::At(NOON + Span::minutes(24 * 60)),
        alert: None,
        last: None,
    };
    house.desk.run(reserve).unwrap();
    house.pass(Span::minutes(120));
    assert_eq!(states(&house, &gala), [State::Free, State::Held, State::Free]);
    house.verified();
    house.pass(Span::minutes(24 * 60 - 121));
    house.desk.run(BeginPayment { cart }).unwrap();
    house.pass(Span::minutes(10));
    let by_slip =
        Checkout { tenders: vec![Tender::Card { reference: "R1".into(), charged: Some(2000) }], ..paying(cart, 0) };
    let paid = receipt(house.desk.run(by_slip).unwrap());
    assert_eq!((paid.total, paid.lines.len()), (2000, 1));
    house.verified();
}

#[test]
fn a_late_card_for_time_that_is_gone_waits_on_the_worklist() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let cart = house.open_cart();
    hold(&house, cart, &gala, "2026-12-01 20:00 22:00").unwrap();
    house.desk.run(BeginPayment { cart }).unwrap();
    house.pass(Span::minutes(31));
    book(&house, &gala, "quicker", "2026-12-01 21:00 22:00");
    let by_slip =
        Checkout { tenders: vec![Tender::Card { reference: "R1".into(), charged: Some(2000) }], ..paying(cart, 0) };
    assert!(matches!(house.desk.run(by_slip), Ok(CheckedOut::Unissued(_))));
    house.verified();
}

#[test]
fn t17_a_taker_ends_a_late_cart_whole_in_three_performances_and_a_room() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let late = house.cart_with("A1 A2");
    hold(&house, late, &gala, "2026-12-01 20:00 22:00").unwrap();
    let shows: Vec<_> =
        ["Second", "Third"].iter().map(|title| house.performance(title, &[(None, None, 500)])).collect();
    for show in &shows {
        let mut more = house.holding(late, "D4");
        more.performance = *show;
        house.desk.run(more).unwrap();
    }
    house.pass(Span::minutes(30));
    book(&house, &gala, "taker", "2026-12-01 21:00 22:00");
    let ended = house.cart(late);
    assert_eq!((ended.cart.state, house.free()), (CartState::Expired, 80));
    assert_eq!(told(&view(&house, &gala, "2026-12-01 2026-12-02")), "00:00 free, 21:00 taker, 22:00 free");
    assert_eq!(house.desk.sweep().unwrap(), 0, "its check ended with it");
    house.verified();
}

#[test]
fn a_disable_takes_time_from_carts_and_receipts() {
    let house = House::royal();
    let gala = paid_room(&house, "Gala room");
    let sold = house.open_cart();
    hold(&house, sold, &gala, "2026-12-01 08:00 10:00").unwrap();
    house.pay(sold, 2000).unwrap();
    let open = house.cart_with("A1");
    hold(&house, open, &gala, "2026-12-01 10:00 13:00").unwrap();
    let when = slot("2026-12-01 09:00 12:00");
    let disable = TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![gala.clone()], when) };
    let out = house.at("till-2").run(disable.clone()).unwrap();
    assert_eq!(out.displaced().len(), 1, "the receipt waits, the open cart has simply less");
    assert_eq!(house.desk.read(ReadWorklist).unwrap()[0].owner, "receipt till-1/1");
    assert_eq!(house.cart(open).total, 2000);
    house.verified();
    let paid = house.pay(open, 2000).unwrap();
    house.verified();
    let lost = || house.desk.read(ReadReceipt(paid.id)).unwrap().lost;
    assert!(lost().is_empty(), "what it lost before was not paid: {:?}", lost());
    let second = slot("2026-12-01 12:00 13:00");
    house.at("till-2").run(TakeOut { from: Some(second.from()), until: Some(second.until()), ..disable }).unwrap();
    assert_eq!(lost(), ["Gala room Tue 1 Dec 12:00-13:00"]);
    house.verified();
}

fn show_at(house: &House, hour: i64, title: &str) -> AddPerformance {
    let start = NOON + Span::minutes(hour * 60);
    AddPerformance::new(house.theater, title, (start, start + Span::minutes(120)), vec![NamedPrice::all(1000)])
}

#[test]
fn a17_a_performance_takes_its_hall_from_get_in_to_get_out() {
    let house = House::royal();
    let mut stage = resource("Main House", 30);
    stage.before = Span::minutes(120);
    stage.after = Span::minutes(60);
    let stage = add(&house, stage);
    let (theater, hall) = (house.theater, stage.clone());
    house.desk.run(SetHall { theater, hall }).unwrap();
    let hamlet = house.desk.run(show_at(&house, 48, "Hamlet")).unwrap().performance;
    let day = "2026-11-23 2026-11-24";
    assert_eq!(told(&view(&house, &stage, day)), "00:00 free, 10:00 ~Hamlet, 12:00 Hamlet, 14:00 ~Hamlet, 15:00 free");
    assert!(matches!(no(&house.desk, show_at(&house, 52, "Lear")), Refusal::Taken { .. }));
    let read = |house: &House| house.desk.read(ReadPerformance(hamlet.id)).unwrap().hall.unwrap();
    assert!(read(&house).lost.is_empty());
    assert!(matches!(
        no(&house.desk, CancelBooking { whose: Whose::Mine, booking: read(&house).booking, reach: Reach::This }),
        Refusal::HallOfPerformance { .. }
    ));
    let when = slot("2026-11-23 13:00 14:00");
    let disable = TakeOut { reason: "smoke".into(), ..TakeOut::of(Cause::Disable, vec![stage.clone()], when) };
    house.desk.run(disable).unwrap();
    assert_eq!(read(&house).lost, [when], "a disabled hall shows on the performance");
    assert_eq!(house.desk.read(ReadWorklist).unwrap()[0].owner, "Hamlet");
    house.verified();
    let cancel = CancelPerformance { performance: hamlet.id, reason: "flooded".into() };
    house.desk.run(cancel).unwrap();
    assert_eq!(told(&view(&house, &stage, day)), "00:00 free, 13:00 disabled, 14:00 free");
    house.desk.run(show_at(&house, 52, "Lear")).unwrap();
    house.verified();
}

/// Three Mondays of yoga.
fn mondays(room: &ResourceId, conflicts: Conflicts) -> BookSeries {
    BookSeries {
        resources: vec![room.clone()],
        any: None,
        slots: ["2026-12-07", "2026-12-14", "2026-12-21"]
            .iter()
            .map(|day| slot(&format!("{day} 18:00 20:00")))
            .collect(),
        details: Details { title: "Yoga".into(), ..Details::default() },
        conflicts,
        past: Past::Refuse,
    }
}

fn yoga(house: &House, room: &ResourceId) -> Vec<String> {
    view(house, room, "2026-12-01 2027-02-01")
        .periods
        .iter()
        .filter(|period| period.title == "Yoga")
        .map(|period| period.slot.from().format(chrono_tz::Tz::UTC, "%-d %b %H:%M"))
        .collect()
}

#[test]
fn what_repeats_tells_its_conflicts_skips_them_and_takes_them_later() {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    let jazz = book(&house, &hall, "Jazz", "2026-12-14 19:00 22:00");
    let Refusal::Taken { facts, .. } = no(&house.desk, mondays(&hall, Conflicts::Refuse)) else {
        panic!("another refusal")
    };
    assert_eq!(facts[0].by.to_string(), "Jazz");
    assert!(yoga(&house, &hall).is_empty(), "nothing was booked");
    let done = house.desk.run(mondays(&hall, Conflicts::Skip)).unwrap();
    assert_eq!((done.bookings.len(), done.skipped.len()), (2, 1));
    assert_eq!(yoga(&house, &hall), ["7 Dec 18:00", "21 Dec 18:00"]);
    let cancel = |booking: &Booking, reach| CancelBooking { whose: Whose::Mine, booking: booking.id, reach };
    house.desk.run(cancel(&jazz, Reach::This)).unwrap();
    let add = AddToSeries { series: done.series.id, slot: done.skipped[0].slot, past: Past::Refuse };
    let added = house.desk.run(add).unwrap();
    assert_eq!(yoga(&house, &hall), ["7 Dec 18:00", "14 Dec 18:00", "21 Dec 18:00"]);
    // from the second on they move by a day and an hour, all or none
    let later = MoveBooking {
        whose: Whose::Mine,
        booking: added.id,
        from: None,
        to: None,
        part: None,
        slot: slot("2026-12-15 19:00 21:00"),
        reach: Reach::FromHere,
        past: Past::Refuse,
    };
    assert_eq!(house.desk.run(later).unwrap().len(), 2);
    assert_eq!(yoga(&house, &hall), ["7 Dec 18:00", "15 Dec 19:00", "22 Dec 19:00"]);
    house.desk.run(cancel(&added, Reach::FromHere)).unwrap();
    assert_eq!(yoga(&house, &hall), ["7 Dec 18:00"]);
    house.desk.run(cancel(&done.bookings[0], Reach::All)).unwrap();
    assert!(yoga(&house, &hall).is_empty());
    house.verified();
}

#[test]
fn what_repeats_leaves_out_the_days_when_the_house_is_closed() {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    let close =
        CloseDays { close: vec![parse_date("2026-12-21").unwrap()], open: Vec::new(), stands: WhatStands::Stays };
    house.desk.run(close).unwrap();
    let done = house.desk.run(mondays(&hall, Conflicts::Refuse)).unwrap();
    assert_eq!(yoga(&house, &hall), ["7 Dec 18:00", "14 Dec 18:00"]);
    assert_eq!(done.skipped[0].why, None);
    house.verified();
}

#[test]
fn a_horizon_rolls_with_the_days() {
    let house = House::royal();
    let mut bed = resource("Bed", 1440);
    bed.policy = Policy::Preallocated { horizon: None, roll_days: Some(30) };
    let bed = add(&house, bed);
    let open = |house: &House| {
        let chunks = ReadChunks {
            resource: bed.clone(),
            from: parse_date("2026-11-01").unwrap(),
            until: parse_date("2027-11-01").unwrap(),
        };
        house.desk.read(chunks).unwrap().len()
    };
    assert_eq!(open(&house), 30, "at once");
    assert_eq!(house.desk.sweep().unwrap(), 0);
    house.pass(Span::minutes(7 * 24 * 60));
    house.desk.sweep().unwrap();
    assert_eq!(open(&house), 37);
    house.verified();
}

/// A clock far ahead opened its own days and moved the horizon there: the days between could not be opened again.
#[test]
fn a_clock_that_is_ahead_leaves_no_days_closed_before_the_horizon() {
    let house = House::royal();
    let mut bed = resource("Bed", 1440);
    bed.policy = Policy::Preallocated { horizon: None, roll_days: Some(2) };
    let bed = add(&house, bed);
    house.desk.sweep().unwrap();
    let ahead = 10 * 24 * 60;
    house.pass(Span::minutes(ahead));
    house.desk.sweep().unwrap();
    house.pass(Span::minutes(-ahead));
    let chunks =
        ReadChunks { resource: bed, from: parse_date("2026-11-01").unwrap(), until: parse_date("2027-11-01").unwrap() };
    let open = house.desk.read(chunks).unwrap();
    assert_eq!(open.len(), 12);
    house.verified();
}

/// What `verify` names when a calendar is broken by hand.
fn broken(sql: &str) -> Vec<String> {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    book(&house, &hall, "Yoga", "2026-12-01 10:00 12:00");
    let cart = house.open_cart();
    hold(&house, cart, &hall, "2026-12-01 14:00 15:00").unwrap();
    house.verified();
    house.ground.meddle(sql);
    let report = house.desk.read(Verify::default()).unwrap();
    let name = |violation: &Violation| {
        let word = serde_json::to_value(violation.invariant).unwrap();
        word.as_str().unwrap().to_owned()
    };
    let mut names: Vec<String> = report.violations.iter().map(name).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn a_calendar_that_was_broken_is_named() {
    for (sql, invariant) in [
        ("UPDATE chunk SET free = free + 1 WHERE key LIKE 'hall_2%'", "counts"),
        ("UPDATE chunk SET body = replace(body, '[10,11,', '[10,12,') WHERE key LIKE 'hall_2%'", "live_cells"),
        ("UPDATE chunk SET body = replace(body, '[24,', '[25,') WHERE key LIKE 'hall_2%'", "counts"),
        (
            "UPDATE booking SET body = replace(body, '\"live\":[{', '\"live\":[{\"from\":0,\"until\":3600000},{')",
            "all_or_none",
        ),
        ("DELETE FROM chunk WHERE key LIKE 'hall_2%'", "live_cells"),
        ("DELETE FROM resource WHERE key = 'hall'", "counts"),
        (&rekeyed("chunk", "key = 'hall_00005'", "key LIKE 'hall_2%'"), "counts"),
        ("UPDATE resource SET body = replace(body, '\"zone\"', '\"children\":[\"wing\"],\"zone\"')", "cells"),
    ] {
        let found = broken(sql);
        assert!(found.contains(&invariant.to_owned()), "{sql}: {found:?}");
    }
}
