//! Wrong clocks: one machine goes ahead or behind, and nothing is harmed once it is right again.

use std::sync::Arc;

use willcall::domain::cart::CartState;
use willcall::domain::receipt::Receipt;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{
    BePresent, BeginPayment, BeginTidying, CancelCart, ChangeSettings, ConfirmClock, ExtendCart, HandOver, HoldSeats,
    HouseSeats, OpenCart, TicketsTo, Tidy,
};
use willcall::engine::reads::jobs::{ReadJobs, WhichJobs};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::verify::{RemarkKind, Verify};
use willcall::engine::{Desk, Engine, Failure};

use super::support::{House, NOON, actor, named, paying, receipt, refused};
use crate::limit::until;

/// How far a clock is ahead: an hour, a day, sixty days, ten years.
const AHEAD: [Span; 4] =
    [Span::minutes(60), Span::minutes(24 * 60), Span::minutes(60 * 24 * 60), Span::minutes(3653 * 24 * 60)];

/// A clock further ahead of the journal than this is asked about.
const ASKED_FROM: Span = Span::minutes(28 * 24 * 60);

/// Another machine's engine, whose clock is ahead by a span, and its desk at a station. One so far ahead that it is
/// asked about was confirmed all the same.
fn ahead_by(house: &House, span: Span, station: &str) -> (Engine, Desk) {
    let (engine, desk) = with_clock_at(house, house.desk.now() + span, station);
    if span > ASKED_FROM {
        desk.run(ConfirmClock).unwrap();
    }
    (engine, desk)
}

fn behind_by(house: &House, span: Span, station: &str) -> (Engine, Desk) {
    with_clock_at(house, house.desk.now() - span, station)
}

fn with_clock_at(house: &House, now: Instant, station: &str) -> (Engine, Desk) {
    let clock = Arc::new(ManualClock::at(now));
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
    HoldSeats { cart: None, ..house.holding(house.open_cart(), seats) }
}

/// A sale at a desk: one seat of the house's show.
fn sells(house: &House, desk: &Desk, seats: &str) -> Result<Receipt, Failure> {
    let hold = HoldSeats {
        cart: None,
        performance: house.show,
        seats: named(seats),
        ticket_type: None,
        kept: HouseSeats::Refuse,
    };
    let cart = desk.run(hold)?;
    desk.run(paying(cart.id, 1000)).map(receipt)
}

fn doubted(answer: Result<Receipt, Failure>) -> (Instant, Instant, String) {
    let refusal = refused(answer);
    let Refusal::ClockInDoubt { at, seen, station } = refusal else { panic!("no doubt but {refusal:?}") };
    (at, seen, station)
}

/// The times in the journal, oldest first.
fn journal(house: &House) -> Vec<Instant> {
    let (mut times, mut after) = (Vec::new(), 0);
    loop {
        let page = house.desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap();
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
        let (_engine, wrong) = ahead_by(&house, ahead, "till-1");
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
    let (_engine, wrong) = ahead_by(&house, AHEAD[2], "office");
    let twelve = ChangeSettings::to("seats-max", &12);
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
    let (_engine, wrong) = ahead_by(&house, AHEAD[0], "till-2");
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
    house.desk.run(ExtendCart { cart: house.cart_with("A4") }).unwrap();
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
    house.ground.meddle("UPDATE cart SET recorded_at = recorded_at - 1");
    let report = house.desk.read(Verify::default()).unwrap();
    let names: Vec<&str> = report.violations.iter().map(|found| found.detail.as_str()).collect();
    assert_eq!(names, ["its recorded time is not the latest of its changes"]);
}

#[test]
fn a_machine_that_starts_behind_writes_nothing_before_its_clock_is_confirmed() {
    let house = House::royal();
    let (_engine, near) = behind_by(&house, Span::minutes(2), "till-3");
    sells(&house, &near, "B1").unwrap();
    house.sold("A1");
    let before = journal(&house).len();
    let (_engine, behind) = behind_by(&house, Span::minutes(60), "till-2");
    let told = doubted(sells(&house, &behind, "A2"));
    assert_eq!(told, (NOON - Span::minutes(60), NOON, "till-1".into()));
    refused(behind.run(BePresent::At("Hamlet".into())));
    assert_eq!((house.free(), journal(&house).len()), (78, before));
    assert!(behind.clock_doubt().is_some());
    // questions are answered all the same
    assert_eq!(behind.read(ReadJournal::default()).unwrap().len(), before);
    // whoever knows better says so, and sells at once
    behind.run(ConfirmClock).unwrap();
    assert_eq!(behind.clock_doubt(), None);
    sells(&house, &behind, "A2").unwrap();
    house.verified();
}

#[test]
fn a_machine_far_ahead_of_everything_ends_nothing_before_its_clock_is_confirmed() {
    let house = House::royal();
    let mine = house.cart_with("A1");
    let before = journal(&house).len();
    let (_engine, morning) = with_clock_at(&house, NOON + ASKED_FROM, "till-3");
    morning.run(BePresent::Off).unwrap();
    let ahead = Span::minutes(28 * 24 * 60 + 1);
    let (_engine, wrong) = with_clock_at(&house, NOON + ahead, "till-2");
    let told = doubted(sells(&house, &wrong, "A2"));
    assert_eq!(told, (NOON + ahead, NOON, "till-1".into()));
    assert!(wrong.sweep().is_err(), "holds are ended by it");
    assert!(wrong.run(Tidy).is_err(), "history is forgotten by it");
    assert_eq!(house.state(mine), CartState::Active);
    assert_eq!(journal(&house).len(), before);
    assert!(wrong.clock_doubt().is_some());
    wrong.run(ConfirmClock).unwrap();
    wrong.sweep().unwrap();
    assert_eq!(house.state(mine), CartState::Expired);
    house.verified();
}

#[test]
fn after_a_machine_ahead_one_confirmation_lets_every_station_sell() {
    for ahead in AHEAD {
        let mut house = House::royal();
        far_show(&mut house);
        let (engine, wrong) = ahead_by(&house, ahead, "till-9");
        sells(&house, &wrong, "A1").unwrap();
        drop((engine, wrong));
        let (_engine, first) = ahead_by(&house, Span::default(), "till-1");
        let told = doubted(sells(&house, &first, "A2"));
        assert_eq!(told, (NOON, NOON + ahead, "till-9".into()));
        first.run(ConfirmClock).unwrap();
        sells(&house, &first, "A2").unwrap();
        let (engine, again) = ahead_by(&house, Span::default(), "till-9");
        sells(&house, &again, "A6").unwrap();
        drop((engine, again));
        // no other station is asked, though the machine ahead goes on
        for (station, seat) in [("till-1", "A3"), ("till-2", "A4"), ("till-3", "A5")] {
            let (_engine, wrong) = with_clock_at(&house, NOON + ahead, "till-9");
            let opened = wrong.run(OpenCart::default());
            assert_eq!(opened.is_err(), ahead > ASKED_FROM);
            let (_engine, desk) = ahead_by(&house, Span::default(), station);
            sells(&house, &desk, seat).unwrap();
        }
        house.verified();
    }
}

#[test]
fn after_a_command_ahead_at_the_same_station_one_confirmation_is_enough() {
    let mut house = House::royal();
    far_show(&mut house);
    let (engine, wrong) = ahead_by(&house, AHEAD[1], "till-1");
    sells(&house, &wrong, "A1").unwrap();
    drop((engine, wrong));
    let (engine, first) = ahead_by(&house, Span::default(), "till-1");
    doubted(sells(&house, &first, "A2"));
    first.run(ConfirmClock).unwrap();
    drop((engine, first));
    for seat in ["A2", "A3"] {
        let (_engine, right) = ahead_by(&house, Span::default(), "till-1");
        sells(&house, &right, seat).unwrap();
    }
    house.verified();
}

#[test]
fn a_machine_ahead_of_a_station_that_is_on_ends_no_carts_before_it_is_confirmed() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.desk.run(BePresent::At("Hamlet".into())).unwrap();
    let clock = Arc::new(ManualClock::at(NOON + Span::minutes(60)));
    let engine = house.running_by(clock);
    let ahead = engine.desk(actor("ben", "till-2"));
    let told = doubted(sells(&house, &ahead, "A2"));
    assert_eq!(told, (NOON + Span::minutes(60), NOON, "till-1".into()));
    refused(ahead.sweep());
    assert_eq!(house.state(cart), CartState::Active);
    house.pay(cart, 1000).unwrap();
    // a station that went off says nothing of the time
    house.desk.run(BePresent::Off).unwrap();
    let (_engine, next_morning) = ahead_by(&house, Span::minutes(20 * 60), "till-3");
    next_morning.run(OpenCart::default()).unwrap();
    house.verified();
}

#[test]
fn a_confirmation_lets_every_desk_write_that_agrees_with_it_and_stops_none_at_work() {
    let mut house = House::royal();
    far_show(&mut house);
    let (engine, wrong) = ahead_by(&house, AHEAD[1], "till-9");
    sells(&house, &wrong, "A1").unwrap();
    let (_engine, right) = ahead_by(&house, Span::default(), "till-2");
    doubted(sells(&house, &right, "A2"));
    let (_other, other) = behind_by(&house, Span::minutes(60), "till-3");
    doubted(sells(&house, &other, "A3"));
    house.desk.run(ConfirmClock).unwrap();
    until("the clock is followed", || right.clock_doubt().is_none());
    sells(&house, &right, "A2").unwrap();
    doubted(sells(&house, &other, "A3"));
    wrong.run(OpenCart::default()).unwrap();
    drop(engine);
    house.verified();
}

/// The remarks of verify on times to come; nothing may be broken.
fn ahead(house: &House) -> Vec<String> {
    let remarks = house.verified().remarks;
    let ahead = remarks.into_iter().filter(|remark| remark.about == RemarkKind::Ahead);
    ahead.map(|remark| remark.subject).collect()
}

#[test]
fn verify_names_every_time_to_come_and_a_hold_of_a_clock_ahead_is_sold() {
    for ahead_by_so_much in AHEAD {
        let mut house = House::royal();
        far_show(&mut house);
        house.sold("A1");
        assert_eq!(ahead(&house), [""; 0]);
        let (engine, wrong) = ahead_by(&house, ahead_by_so_much, "till-1");
        let early = sells(&house, &wrong, "A2").unwrap();
        let held = wrong.run(hold(&house, "A3")).unwrap();
        let began = wrong.run(hold(&house, "A4")).unwrap();
        wrong.run(BeginPayment { cart: began.id }).unwrap();
        drop((engine, wrong));
        house.desk.run(ConfirmClock).unwrap();
        house.sold("B1");
        let named = ahead(&house);
        for subject in [
            format!("cart {}", held.id),
            format!("the end of cart {}", held.id),
            format!("the issue of receipt {}", early.number),
            "station till-1".to_owned(),
        ] {
            assert!(named.contains(&subject), "{subject}: {named:?}");
        }
        assert!(named.iter().any(|subject| subject.starts_with("journal ")));
        house.pay(held.id, 1000).unwrap();
        house.desk.run(CancelCart { cart: began.id }).unwrap();
        let named = ahead(&house);
        assert!(!named.iter().any(|subject| subject.starts_with("the end of cart ")), "{named:?}");
    }
}

#[test]
fn what_recurs_by_the_time_of_a_clock_ahead_recurs_again_as_a_desk_opens() {
    let house = House::royal();
    let clock = Arc::new(ManualClock::at(NOON + AHEAD[1]));
    let engine = house.running_by(clock);
    let tidying = |house: &House| {
        let all = ReadJobs { which: WhichJobs::All, kind: None };
        let jobs = house.desk.read(all).unwrap();
        let found = jobs.into_iter().find(|job| job.kind == "tidying");
        found.map(|job| job.next_check_at)
    };
    until("a job that tidies", || tidying(&house).is_some());
    drop(engine);
    assert!(tidying(&house).unwrap() > NOON + AHEAD[1]);
    house.desk.run(BeginTidying).unwrap();
    assert_eq!(tidying(&house), Some(NOON));
}

/// The check ended by a clock after the show, without a mark on the receipt, and `verify` missed it by the right clock.
#[test]
fn tickets_whose_check_ended_by_a_clock_ahead_miss_no_check_and_may_be_kept_again() {
    let house = House::royal();
    let receipt = house.sold("A1 A2").id;
    let to = |to| house.desk.run(HandOver::new(receipt, to)).unwrap();
    to(TicketsTo::Desk);
    let (_engine, wrong) = ahead_by(&house, AHEAD[1], "till-2");
    wrong.sweep().unwrap();
    house.verified();
    to(TicketsTo::Customer);
    to(TicketsTo::Desk);
    house.clock.set(NOON + Span::minutes(420));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    house.verified();
}
