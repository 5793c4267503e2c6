//! Reservations: case J2, and how a cart under a customer's name is moved, paid, displaced and given back.

use willcall::domain::cart::{AlertRaised, CartState};
use willcall::domain::customer::Customer;
use willcall::domain::house::WorkKind;
use willcall::domain::ids::CartId;
use willcall::domain::job::{JobKind, PolicyChange};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::Failure;
use willcall::engine::ops::{CancelCart, ChangeSettings, DisableSeats, PayBy, ReserveCart, TakeFrom, TakeOver, Which};
use willcall::engine::reads::carts::ReadReservations;
use willcall::engine::reads::jobs::{ReadJobs, WhichJobs};
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::seat_map::SeatState;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::reads::{Question, Snapshot};

use super::support::{House, NOON, names, no, refused, seat};

fn hours(hours: i64) -> Span {
    Span::minutes(60 * hours)
}

/// A reservation for Weber until a time, with the house's alerts.
pub(super) fn reserving(cart: CartId, pay_by: Instant) -> ReserveCart {
    ReserveCart {
        cart,
        customer: Some(Customer { name: "Weber".into(), phone: "030 1234".into(), ..Customer::default() }),
        pay_by: PayBy::At(pay_by),
        alert: None,
        last: None,
    }
}

/// Asks for the words of all events, oldest first.
struct ReadWords;

impl Question for ReadWords {
    type Answer = Vec<String>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let rows = snapshot.query("SELECT word FROM event ORDER BY seq", &[])?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }
}

/// What has been told of reservations so far, oldest first.
pub(super) fn told(house: &House) -> Vec<String> {
    let words = house.desk.read(ReadWords).unwrap();
    let tells = |word: &String| word.starts_with("reservation") || word == "cart_expired";
    words.into_iter().filter(tells).collect()
}

#[test]
fn j2_what_is_not_paid_is_told_then_told_again_then_given_back() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    let own = ReserveCart { alert: Some(hours(1)), last: Some(hours(2)), ..reserving(cart, NOON + hours(3)) };
    house.desk.run(own).unwrap();
    let moment = Span::from_millis(1);
    let mut so_far = Vec::new();
    for (hour, word) in [(1, "reservation_alert"), (2, "reservation_final"), (3, "cart_expired")] {
        house.clock.set(NOON + hours(hour) - moment);
        house.desk.sweep().unwrap();
        assert_eq!(told(&house), so_far, "not before {hour} h");
        house.pass(moment);
        house.desk.sweep().unwrap();
        house.desk.sweep().unwrap();
        so_far.push(word.to_owned());
        assert_eq!(told(&house), so_far, "once, at {hour} h");
        house.verified();
    }
    assert_eq!((house.cart(cart).cart.state, house.free()), (CartState::Expired, 80));
}

#[test]
fn j2_paid_in_between_it_ends_without_a_word() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, NOON + hours(7))).unwrap();
    house.pass(hours(3));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house), ["reservation_alert"]);
    assert_eq!(house.cart(cart).cart.reservation.unwrap().told, AlertRaised::Alert);
    house.pay(cart, 2000).unwrap();
    house.clock.set(NOON + Span::minutes(440));
    assert_eq!(house.desk.sweep().unwrap(), 0, "no check is left");
    assert_eq!(told(&house), ["reservation_alert"]);
    house.verified();
}

#[test]
fn j3_everything_was_down_over_the_alerts_and_the_escalation_is_not_lost() {
    let mut house = House::royal();
    let (paid_late, never) = (house.cart_with("B1"), house.cart_with("C1"));
    for (cart, pay_by) in [(paid_late, hours(7)), (never, hours(5))] {
        let own = ReserveCart { alert: Some(hours(1)), last: Some(hours(2)), ..reserving(cart, NOON + pay_by) };
        house.desk.run(own).unwrap();
    }
    house.pass(hours(6));
    house.restart();
    house.desk.sweep().unwrap();
    assert_eq!(
        told(&house),
        ["reservation_final", "reservation_final", "cart_expired"],
        "the last word of each, before the end of one"
    );
    house.pay(paid_late, 1000).unwrap();
    house.verified();
}

#[test]
fn a_moved_pay_by_is_told_of_anew() {
    let house = House::royal();
    let cart = house.cart_with("B1");
    let own = |pay_by| ReserveCart { alert: Some(hours(1)), last: Some(Span::minutes(90)), ..reserving(cart, pay_by) };
    house.desk.run(own(NOON + hours(2))).unwrap();
    house.pass(Span::minutes(90));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house), ["reservation_final"]);
    house.desk.run(own(NOON + hours(5))).unwrap();
    house.verified();
    house.pass(hours(1));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house), ["reservation_final", "reservation_alert"]);
    house.verified();
}

/// Jobs of a cart: kind, first check, number of checks.
fn jobs_of(house: &House, cart: CartId) -> Vec<(String, Instant, u32)> {
    let mut jobs = house.desk.read(ReadJobs { which: WhichJobs::All, kind: None }).unwrap();
    jobs.retain(|job| job.subject == cart.to_string());
    jobs.into_iter().map(|job| (job.kind, job.first_check_at, job.check_count)).collect()
}

#[test]
fn a_renewed_reservation_keeps_its_first_check_and_counts_its_alerts_on() {
    let house = House::royal();
    let cart = house.cart_with("B1");
    let own = |alert, pay_by| ReserveCart { alert: Some(alert), last: Some(hours(3)), ..reserving(cart, pay_by) };
    house.desk.run(own(hours(2), NOON + hours(4))).unwrap();
    house.desk.run(own(hours(1), NOON + hours(4))).unwrap();
    house.verified();
    house.pass(hours(1));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house), ["reservation_alert"]);
    house.desk.run(own(hours(1), NOON + hours(6))).unwrap();
    assert_eq!(
        jobs_of(&house, cart),
        [("reservation".into(), NOON + hours(2), 1), ("cart_expiry".into(), NOON + Span::minutes(30), 0)]
    );
    house.verified();
    house.pass(hours(1));
    house.desk.sweep().unwrap();
    assert_eq!(jobs_of(&house, cart).first(), Some(&("reservation".into(), NOON + hours(2), 2)));
    house.verified();
}

#[test]
fn a_limit_of_checks_parks_the_alerts_of_a_reservation_and_a_setting_that_would_do_nothing_is_refused() {
    let house = House::royal();
    let guard = |kind, change| ChangeSettings::of_job(kind, change);
    let checks = PolicyChange { checks: Some(1), ..PolicyChange::default() };
    let horizon = PolicyChange { horizon: Some(Span::minutes(1)), ..PolicyChange::default() };
    house.desk.run(guard(JobKind::Reservation, checks)).unwrap();
    let nothing = [(JobKind::Reservation, horizon), (JobKind::CartExpiry, horizon), (JobKind::CartExpiry, checks)];
    for (kind, change) in nothing {
        assert_eq!(no(&house.desk, guard(kind, change)).kind(), "setting_not_of_kind", "{kind:?} {change:?}");
    }
    let cart = house.cart_with("B1");
    house.desk.run(reserving(cart, NOON + hours(7))).unwrap();
    house.pass(hours(3));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house), ["reservation_alert"]);
    let parked = house.desk.read(ReadJobs { which: WhichJobs::Parked, kind: None }).unwrap();
    let reason = parked.first().unwrap().parked.as_ref().unwrap().to_string();
    assert_eq!(reason, "it wanted to run again after 1 check");
    house.verified();
}

#[test]
fn a_reservation_holds_its_seats_beyond_the_cap_until_its_pay_by() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    let pay_by = NOON + hours(6);
    let reserved = house.desk.run(reserving(cart, pay_by)).unwrap();
    assert_eq!((reserved.expires_at, house.cart(cart).customer.name.as_str()), (pay_by, "Weber"));
    assert!(
        matches!(house.map().state(seat(1, 0)), Some(SeatState::Held(holder)) if holder.reserved.as_deref() == Some("Weber"))
    );
    let other = house.open_cart();
    let Refusal::Taken { facts, .. } = refused(house.hold(other, "B1")) else { panic!("another refusal") };
    assert_eq!((facts[0].state(), facts[0].by.to_string().as_str()), ("reserved", "Weber"));
    house.pass(Span::from_millis(hours(6).millis() - 1));
    house.desk.sweep().unwrap();
    assert_eq!((house.free(), house.state(cart)), (78, CartState::Active));
    house.pass(Span::from_millis(1));
    assert_eq!((house.free(), house.state(cart)), (80, CartState::Expired));
    house.desk.sweep().unwrap();
    let view = house.cart(cart);
    assert_eq!((view.cart.state, view.lines[0].seats().len()), (CartState::Expired, 2), "its history is kept");
    house.verified();
}

#[test]
fn reserving_again_moves_the_pay_by_both_ways() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    for hour in [3, 6, 1, 2] {
        let pay_by = NOON + hours(hour);
        let again = ReserveCart { customer: None, ..reserving(cart, pay_by) };
        let moving = if hour == 3 { reserving(cart, pay_by) } else { again };
        assert_eq!(house.desk.run(moving).unwrap().expires_at, pay_by);
        house.verified();
    }
    house.pass(hours(2));
    assert_eq!(house.free(), 80);
    house.desk.sweep().unwrap();
    house.verified();
}

#[test]
fn anybody_pays_a_reservation() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, NOON + hours(6))).unwrap();
    house.pass(hours(5));
    let till = house.at("till-9");
    let taken = till.run(TakeOver { cart, from: TakeFrom::SetAside }).unwrap();
    assert_eq!(taken.station, "till-9");
    let receipt = house.pay(cart, 2000).unwrap();
    let receipt = house.desk.read(ReadReceipt(receipt.id)).unwrap();
    assert_eq!(receipt.customer.name, "Weber");
    assert_eq!(house.desk.read(ReadReservations::default()).unwrap(), []);
    house.pass(hours(2));
    assert_eq!(house.free(), 78);
    house.verified();
}

#[test]
fn a_pay_by_that_makes_no_sense_is_refused_with_what_would_do() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    let start = NOON + Span::minutes(450);
    assert!(matches!(no(&house.desk, reserving(cart, NOON)), Refusal::InThePast { .. }));
    let latest = start - Span::minutes(30);
    assert!(
        matches!(no(&house.desk, reserving(cart, latest + Span::from_millis(1))), Refusal::PayByTooLate { until, .. } if until == latest)
    );
    let nameless = ReserveCart { customer: None, ..reserving(cart, latest) };
    assert_eq!(no(&house.desk, nameless), Refusal::NameMissing);
    let late = ReserveCart { last: Some(hours(7)), ..reserving(cart, latest) };
    assert!(matches!(no(&house.desk, late), Refusal::AlertsOutOfOrder { .. }));
    let swapped = ReserveCart { alert: Some(hours(2)), last: Some(hours(1)), ..reserving(cart, latest) };
    assert!(matches!(no(&house.desk, swapped), Refusal::AlertsOutOfOrder { .. }));
    let empty = house.open_cart();
    assert_eq!(no(&house.desk, reserving(empty, latest)), Refusal::CartEmpty);
    assert_eq!(house.cart(cart).cart.reservation, None, "nothing has changed");
    let usual = ReserveCart { pay_by: PayBy::Usual, ..reserving(cart, latest) };
    assert_eq!(house.desk.run(usual).unwrap().expires_at, latest, "the house's day, cut by the start");
    let soon = house.cart_with("C1");
    house.pass(Span::minutes(25));
    house.hold(soon, "C2").unwrap();
    house.desk.run(ChangeSettings::to("reserve-before", &hours(8))).unwrap();
    assert!(matches!(no(&house.desk, reserving(soon, NOON + hours(1))), Refusal::TooLateToReserve { .. }));
    house.verified();
}

#[test]
fn alerts_that_nobody_asked_for_come_before_a_near_pay_by() {
    let house = House::royal();
    let cart = house.cart_with("B1");
    let reserved = house.desk.run(reserving(cart, NOON + hours(4))).unwrap();
    let reservation = reserved.reservation.unwrap();
    assert_eq!(
        (reservation.alert_at, reservation.final_at, reservation.told),
        (NOON + hours(2), NOON + hours(3), AlertRaised::Nothing)
    );
    let own = ReserveCart {
        alert: Some(Span::minutes(20)),
        last: Some(Span::minutes(40)),
        ..reserving(cart, NOON + hours(4))
    };
    let reservation = house.desk.run(own).unwrap().reservation.unwrap();
    assert_eq!((reservation.alert_at, reservation.final_at), (NOON + Span::minutes(20), NOON + Span::minutes(40)));
    house.verified();
}

#[test]
fn a_disable_puts_reserved_seats_on_the_worklist() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2 B3");
    house.desk.run(reserving(cart, NOON + hours(6))).unwrap();
    let taken = house.at("till-9").run(TakeOver { cart, from: TakeFrom::SetAside }).unwrap();
    assert!(!taken.set_aside, "it is worked on, and still reserved");
    house
        .desk
        .run(DisableSeats { which: Which::Performance(house.show), seats: names("B2"), reason: "broken".into() })
        .unwrap();
    let items = house.desk.read(ReadWorklist).unwrap();
    assert_eq!((items.len(), items[0].seats.clone()), (1, names("B2")));
    assert!(matches!(items[0].item.what, WorkKind::Displaced { .. }));
    assert_eq!(house.cart(cart).cart.seat_count(), 2);
    house.pay(cart, 2000).unwrap();
    house.verified();
}

#[test]
fn a_list_of_reservations_goes_on_behind_the_last_one() {
    let house = House::royal();
    for (seats, hours_left) in [("A1", 6), ("A2", 3), ("A3", 6)] {
        let cart = house.cart_with(seats);
        house.desk.run(reserving(cart, NOON + hours(hours_left))).unwrap();
    }
    let all = house.desk.read(ReadReservations::default()).unwrap();
    assert_eq!(all.len(), 3);
    for (at, row) in all.iter().enumerate() {
        let after = Some(row.id);
        let rest = house.desk.read(ReadReservations { after }).unwrap();
        assert_eq!(rest, all[at + 1..]);
    }
    house.verified();
}

#[test]
fn a_canceled_reservation_gives_everything_back() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, NOON + hours(6))).unwrap();
    assert_eq!(house.desk.read(ReadReservations::default()).unwrap().len(), 1);
    house.at("till-3").run(CancelCart { cart }).unwrap();
    assert_eq!((house.free(), house.desk.read(ReadReservations::default()).unwrap().len()), (80, 0));
    house.verified();
}
