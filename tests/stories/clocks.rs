//! Wrong clocks: one machine goes ahead or behind, and nothing is harmed once it is right again.

use std::sync::Arc;

use willcall::domain::cart::CartState;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{ChangeSettings, ExtendCart, HoldSeats, OpenCart};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::{Desk, Engine};

use super::support::{House, NOON, actor, paying, receipt, refused};

/// How far a clock is ahead: an hour, a day, sixty days, ten years.
const AHEAD: [Span; 4] = [
    Span::minutes(60),
    Span::minutes(24 * 60),
    Span::minutes(60 * 24 * 60),
    Span::minutes(3653 * 24 * 60),
];

/// Another machine's engine, whose clock is wrong by a span, and its desk at a station.
fn wrong_by(house: &House, span: Span, station: &str) -> (Engine, Desk) {
    let clock = Arc::new(ManualClock::at(house.desk.now() + span));
    let engine = house.second_by(&clock);
    let desk = engine.desk(actor("ben", station));
    (engine, desk)
}

/// A show that is far enough away to be sold by a clock that is ahead.
fn far_show(house: &mut House) {
    let start = NOON + Span::minutes(4000 * 24 * 60);
    house.show = house.performance_at(start, "Much later", &[(None, None, 1000)]);
}

fn hold(house: &House, seats: &str) -> HoldSeats {
    HoldSeats {
        cart: None,
        ..house.holding(house.open_cart(), seats)
    }
}

/// The times in the journal, oldest first.
fn journal(house: &House) -> Vec<Instant> {
    let (mut times, mut after) = (Vec::new(), 0);
    loop {
        let page = house.desk.read(ReadJournal { after }).unwrap();
        let Some(last) = page.last() else {
            return times;
        };
        after = last.seq;
        times.extend(page.iter().map(|entry| entry.at));
    }
}

#[test]
fn a_sale_by_a_clock_ahead_leaves_its_till_and_its_row_on_sale() {
    for ahead in AHEAD {
        let mut house = House::royal();
        far_show(&mut house);
        let (_engine, wrong) = wrong_by(&house, ahead, "till-1");
        let cart = wrong.run(hold(&house, "A1")).unwrap();
        let early = receipt(wrong.run(paying(cart.id, 1000)).unwrap());
        assert_eq!(early.issued_at, NOON + ahead);
        // the same till, the same row, by the right clock
        let paid = house.sold("A2");
        assert_eq!((paid.number.as_str(), paid.issued_at), ("till-1/2", NOON));
        house.verified();
    }
}

#[test]
fn settings_changed_by_a_clock_ahead_close_no_sales() {
    let house = House::royal();
    let (_engine, wrong) = wrong_by(&house, AHEAD[2], "office");
    let twelve = ChangeSettings {
        seats_max: Some(12),
        ..ChangeSettings::default()
    };
    wrong.run(twelve).unwrap();
    let cart = house.desk.run(OpenCart::default()).unwrap();
    assert_eq!(cart.created_at, NOON);
    house.hold(cart.id, "B1").unwrap();
    house.pay(cart.id, 1000).unwrap();
    house.verified();
}

#[test]
fn a_hold_by_a_clock_ahead_leaves_the_rest_of_its_row_on_sale() {
    let mut house = House::royal();
    far_show(&mut house);
    let mine = house.cart_with("A1");
    let (_engine, wrong) = wrong_by(&house, AHEAD[0], "till-2");
    let held = wrong.run(hold(&house, "A2")).unwrap();
    assert_eq!(held.expires_at, NOON + AHEAD[0] + Span::minutes(30));
    house.sold("A3 A4");
    // a hold that is seen by two clocks ends by the clock of whoever takes its seat
    assert_eq!(house.state(mine), CartState::Active);
    wrong.run(hold(&house, "A1")).unwrap();
    let told = refused(house.pay(mine, 1000));
    assert!(matches!(told, Refusal::CartExpired { .. }), "{told:?}");
    house.verified();
}

#[test]
fn a_clock_set_back_sells_and_says_nothing_that_is_not_so() {
    let house = House::royal();
    house.sold("A1 A2");
    house.clock.set(NOON - Span::minutes(59));
    let cart = house.open_cart();
    let held = house.hold(cart, "A3").unwrap();
    assert_eq!(held.expires_at, NOON - Span::minutes(29));
    house.pay(cart, 1000).unwrap();
    house
        .desk
        .run(ExtendCart {
            cart: house.cart_with("A4"),
        })
        .unwrap();
    house.verified();
}

#[test]
fn the_recorded_time_of_a_document_never_goes_back() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.clock.set(NOON - Span::minutes(20));
    let held = house.hold(cart, "A2").unwrap();
    assert_eq!(held.modified_at, NOON - Span::minutes(20), "the present");
    assert_eq!(journal(&house).last(), Some(&held.modified_at));
    // the stamp of the row is the latest of its changes
    house.verified();
    house
        .ground
        .meddle("UPDATE cart SET recorded_at = recorded_at - 1");
    let report = willcall::engine::verify::verify(&house.desk).unwrap();
    let names: Vec<&str> = report
        .violations
        .iter()
        .map(|found| found.detail.as_str())
        .collect();
    assert_eq!(
        names,
        ["its recorded time is not the latest of its changes"]
    );
}
