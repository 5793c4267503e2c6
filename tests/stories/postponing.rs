//! A night that moves: its seats stay, its hall, deadlines and jobs move along or nothing does, and old tickets are void.

use proptest::prelude::{ProptestConfig, proptest};
use willcall::domain::cart::{AlertRaised, CartState};
use willcall::domain::correction::BackBy;
use willcall::domain::job::JobKind;
use willcall::domain::performance::Performance;
use willcall::domain::receipt::{Papers, Receipt, Tender};
use willcall::domain::refusal::{NightRefusal, Problem, Refusal, Requirement};
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    CancelPerformance, HandOver, ItemAct, KeepSeats, PostponePerformance, PrintPapers, SettleItem, TicketsTo,
};
use willcall::engine::reads::catalog::ReadPerformance;
use willcall::engine::reads::customers::ReadPerformanceCustomers;
use willcall::engine::reads::jobs::{ReadJobs, WhichJobs};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::verify::{Invariant, Verify};
use willcall::words;

use super::after_sale::refund;
use super::calendar::{told, view};
use super::exchanges::{exchange, fee};
use super::reservations::reserving;
use super::support::{HERE, House, NOON, adding, names, no, paying, receipt, seat};
use super::tickets::waiting;

const DAY: Span = Span::DAY;

/// The start of the show before it moves.
fn start() -> Instant {
    NOON + Span::minutes(450)
}

fn moving(house: &House, start: Instant) -> PostponePerformance {
    PostponePerformance { performance: house.show, start, end: None, reason: "the singer is ill".into() }
}

fn moved(house: &House, start: Instant) -> Performance {
    house.desk.run(moving(house, start)).unwrap()
}

/// When the job of a kind looks next, if there is one.
fn due(house: &House, kind: JobKind) -> Option<Instant> {
    let jobs = ReadJobs { which: WhichJobs::All, kind: Some(kind.word().into()) };
    let jobs = house.desk.read(jobs).unwrap();
    assert!(jobs.len() < 2, "{jobs:?}");
    jobs.first().map(|job| job.next_check_at)
}

/// The days that tickets of a receipt show, though their performance moved.
fn void(house: &House, receipt: &Receipt) -> Vec<String> {
    let view = house.desk.read(ReadReceipt(receipt.id)).unwrap();
    let words = view.void.iter();
    words.map(|void| words::void_tickets(void.start, HERE)).collect()
}

fn sentence(refusal: &Refusal) -> String {
    words::refusal(refusal, HERE)
}

#[test]
fn seats_stay_and_what_is_due_before_the_start_moves_with_it() {
    let house = House::royal();
    let sold = house.sold("A1 A2");
    let (reserved, open) = (house.cart_with("B1 B2"), house.cart_with("C1"));
    house.desk.run(reserving(reserved, NOON + Span::minutes(240))).unwrap();
    let keep = KeepSeats {
        performance: house.show,
        seats: names("D1 D2"),
        reason: "press".into(),
        until: start() - Span::minutes(60),
    };
    house.desk.run(keep).unwrap();
    let before = house.cart(reserved).cart;
    let alerts = before.reservation.unwrap();
    let deadline = house.cart(open).cart.expires_at;

    let night = moved(&house, start() + DAY);
    assert_eq!((night.start, night.end), (start() + DAY, start() + DAY + Span::minutes(120)));
    assert_eq!(words::postponed(&night, HERE), ["postponed from Sat 21 Nov 19:30: the singer is ill"]);
    assert_eq!(house.free(), 80 - 2 - 2 - 1 - 2);
    let cart = house.cart(reserved).cart;
    assert_eq!(cart.expires_at, before.expires_at + DAY);
    let reservation = cart.reservation.unwrap();
    assert_eq!(reservation.alert_at, alerts.alert_at + DAY);
    assert_eq!(reservation.final_at, alerts.final_at + DAY);
    assert_eq!(house.cart(open).cart.expires_at, deadline, "a cart in progress stays");
    assert_eq!(due(&house, JobKind::SalesClose), Some(night.start));
    assert_eq!(due(&house, JobKind::Reservation), Some(alerts.alert_at + DAY));
    assert_eq!(due(&house, JobKind::KeepRelease), Some(start() - Span::minutes(60) + DAY));
    house.verified();
    // each is as it says: the cart is paid now, the reservation and the keep hold until their new times
    house.pay(open, 1000).unwrap();
    house.clock.set(start());
    house.desk.sweep().unwrap();
    assert_eq!(house.state(reserved), CartState::Active);
    assert_eq!(house.free(), 80 - 2 - 2 - 1 - 2);
    house.clock.set(before.expires_at + DAY);
    house.desk.sweep().unwrap();
    assert_eq!(house.state(reserved), CartState::Expired);
    house.clock.set(start() - Span::minutes(60) + DAY);
    assert_eq!(house.free(), 80 - 2 - 1);
    house.desk.sweep().unwrap();
    house.verified();
    assert_eq!(house.desk.read(ReadReceipt(sold.id)).unwrap().receipt.lines, sold.lines);
    let journal = house.desk.read(ReadJournal::default()).unwrap();
    assert!(journal.iter().any(|entry| entry.request.contains("the singer is ill")));
}

#[test]
fn the_hall_moves_or_nothing_does() {
    let house = House::royal();
    let hall = house.desk.read(ReadPerformance(house.show)).unwrap().theater.hall;
    let tomorrow = start() + DAY;
    house.desk.run(adding(house.theater, (tomorrow, "Hamlet"), &[(None, None, 900)])).unwrap();
    let cart = house.cart_with("B1");
    house.desk.run(reserving(cart, NOON + Span::minutes(240))).unwrap();
    let before = house.cart(cart).cart;
    let taken = no(&house.desk, moving(&house, tomorrow + Span::minutes(30)));
    let said = sentence(&taken);
    assert!(said.contains("Hamlet") && said.contains("Choose another time"), "{said}");
    assert_eq!(house.cart(cart).cart, before);
    assert_eq!(
        told(&view(&house, &hall, "2026-11-21 2026-11-23")),
        "00:00 free, 19:30 Action Movie 5, 21:30 free, 19:30 Hamlet, 21:30 free"
    );
    // a new time may overlap the old one
    moved(&house, start() + Span::minutes(60));
    assert_eq!(told(&view(&house, &hall, "2026-11-21 2026-11-22")), "00:00 free, 20:30 Action Movie 5, 22:30 free");
    house.verified();
}

#[test]
fn tickets_are_void_until_they_are_printed_again() {
    let house = House::royal();
    let sold = house.sold("A1 A2");
    let waits = receipt(house.desk.run(waiting(paying(house.cart_with("B1"), 1000))).unwrap());
    moved(&house, start() + DAY);
    let void_words = ["tickets of Sat 21 Nov are void: print again"];
    assert_eq!(void(&house, &sold), void_words);
    assert_eq!(due(&house, JobKind::TicketsUncollected), Some(start() + DAY - Span::minutes(30)));
    house.verified();
    house.pass(Span::minutes(1));
    assert_eq!(void(&house, &house.sold("C1")), [""; 0], "sold after the move");
    let collect = HandOver::new(waits.id, TicketsTo::Customer);
    let refused = no(&house.desk, collect.clone());
    assert_eq!(
        sentence(&refused),
        format!(
            "The tickets of {} are of Sat 21 Nov 19:30, and the performance moved. Print them again, then hand them over.",
            waits.number
        )
    );
    for (papers, left) in [(Papers::Receipt, 1), (Papers::Tickets, 0)] {
        for of in [&sold, &waits] {
            house.desk.run(PrintPapers::new(of.id, papers)).unwrap();
            assert_eq!(void(&house, of).len(), left, "{papers:?}");
        }
    }
    assert_eq!(house.desk.run(collect).unwrap().tickets.word(), "collected");
    // a second move voids them again; the way back makes them good again
    house.pass(Span::minutes(1));
    moved(&house, start() + DAY + DAY);
    assert_eq!(void(&house, &sold), ["tickets of Sun 22 Nov are void: print again"]);
    house.pass(Span::minutes(1));
    moved(&house, start() + DAY);
    assert!(void(&house, &sold).is_empty());
    house.verified();
}

#[test]
fn who_does_not_want_the_new_date_gets_all_back_and_exchanges_without_a_fee() {
    let house = House::royal();
    fee(&house, 200);
    let (sold, other) = (house.sold("A1 A2"), house.sold("A3"));
    moved(&house, start() + DAY);
    let back = house.desk.run(refund(&sold, None, BackBy::Cash)).unwrap();
    assert_eq!((back.back(), back.correction.as_ref().unwrap().fee), (2000, 0));
    assert!(void(&house, &sold).is_empty(), "nothing is left to print");
    let swapped = exchange(&house, &other, &[seat(0, 2)], "C1");
    let swapped = receipt(house.desk.run(swapped).unwrap());
    assert_eq!((swapped.total, swapped.correction.as_ref().unwrap().fee), (0, 0));
    // who bought for the new date pays the fee
    house.pass(Span::minutes(1));
    let late = house.sold("D1");
    let mut swap = exchange(&house, &late, &[seat(3, 0)], "D2");
    assert!(matches!(no(&house.desk, swap.clone()), Refusal::PaymentShort { missing: 200, .. }));
    swap.tenders = vec![Tender::Cash { given: None }];
    house.desk.run(swap).unwrap();
    house.verified();
}

#[test]
fn what_can_not_move_is_refused_with_a_sentence_of_its_own() {
    let house = House::royal();
    let title = || "Action Movie 5".to_owned();
    let journal = || house.desk.read(ReadJournal::default()).unwrap().len();
    let before = journal();
    let refused = |operation: PostponePerformance, wanted: Refusal| {
        let refusal = no(&house.desk, operation);
        assert_eq!(refusal, wanted);
        sentence(&refusal)
    };
    let silent = PostponePerformance { reason: " ".into(), ..moving(&house, start() + DAY) };
    let missing = Problem::Missing(Requirement::Reason);
    refused(silent, Refusal::bad("reason", missing));
    let at = NOON - Span::minutes(1);
    let said = refused(moving(&house, at), Refusal::InThePast { at });
    assert_eq!(said, "Sat 21 Nov 2026 11:59 is past. Choose a time to come.");
    let (performance, at) = (title(), start());
    let same = NightRefusal::SameStart { performance, start: at };
    let said = refused(moving(&house, at), same.into());
    assert_eq!(said, "Action Movie 5 starts Sat 21 Nov 19:30 already. Choose another start.");
    let early = PostponePerformance { end: Some(start() + DAY), ..moving(&house, start() + DAY) };
    refused(early, Refusal::EndsBeforeStart);
    assert_eq!(journal(), before, "nothing changed");
    house.clock.set(start() + Span::minutes(120));
    let end = start() + Span::minutes(120);
    let over = NightRefusal::NightOver { performance: title(), end };
    let said = refused(moving(&house, end + DAY), over.into());
    assert!(said.contains("ended Sat 21 Nov 21:30"), "{said}");
    let cancel = CancelPerformance { performance: house.show, reason: "flooded".into() };
    house.desk.run(cancel).unwrap();
    let canceled = NightRefusal::NightCanceled { performance: title() };
    let said = refused(moving(&house, end + DAY), canceled.into());
    assert!(said.contains("was canceled"), "{said}");
    house.verified();
}

#[test]
fn a_night_that_moves_to_an_earlier_start_leaves_nobody_a_deadline_that_is_past() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, start() - Span::minutes(30))).unwrap();
    house.clock.set(NOON + Span::minutes(200));
    house.desk.sweep().unwrap();
    assert_eq!(house.cart(cart).cart.reservation.unwrap().told, AlertRaised::Alert);
    let night = moved(&house, NOON + Span::minutes(220));
    let reserved = house.cart(cart).cart;
    assert_eq!(reserved.expires_at, NOON + Span::minutes(210), "half-way to the start");
    assert_eq!(due(&house, JobKind::SalesClose), Some(night.start));
    house.verified();
    // and back: the alert is raised again in time
    moved(&house, start() + DAY);
    let reserved = house.cart(cart).cart;
    assert_eq!(reserved.reservation.unwrap().told, AlertRaised::Nothing);
    house.verified();
}

#[test]
fn customers_of_any_night_are_listed_to_be_called() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, NOON + Span::minutes(240))).unwrap();
    let sold = house.sold("A1");
    let listed = || {
        let customers = house.desk.read(ReadPerformanceCustomers(house.show)).unwrap();
        let one = customers.into_iter().map(|one| (one.customer.phone, one.number, one.seats));
        one.collect::<Vec<_>>()
    };
    let before = listed();
    assert_eq!(before.len(), 2);
    assert!(before.contains(&("030 1234".into(), None, names("B1 B2"))));
    assert!(before.contains(&(String::new(), Some(sold.number), names("A1"))));
    moved(&house, start() + DAY);
    assert_eq!(listed(), before);
    house.verified();
}

#[test]
fn seats_that_an_order_lost_are_listed_until_that_is_settled() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(reserving(cart, NOON + Span::minutes(240))).unwrap();
    let listed = || {
        let customers = house.desk.read(ReadPerformanceCustomers(house.show)).unwrap();
        customers.into_iter().map(|one| one.seats).collect::<Vec<_>>()
    };
    house.disable("B1");
    assert_eq!(listed(), [names("B1 B2")]);
    let item = house.desk.read(ReadWorklist).unwrap().pop().unwrap().item.id;
    house.desk.run(SettleItem { item, act: ItemAct::Waive, reason: "comes alone".into() }).unwrap();
    assert_eq!(listed(), [names("B2")]);
    house.verified();
}

#[test]
fn a_moved_night_with_the_hall_or_the_job_of_its_old_time_is_named() {
    for (sql, invariant) in [
        ("UPDATE job SET next_check_at = next_check_at + 86400000 WHERE kind = 'sales_close'", Invariant::Jobs),
        ("DELETE FROM job WHERE kind = 'sales_close'", Invariant::Jobs),
    ] {
        let house = House::royal();
        moved(&house, start() + DAY);
        house.verified();
        house.ground.meddle(sql);
        let report = house.desk.read(Verify::default()).unwrap();
        let found = report.violations.iter().map(|one| one.invariant);
        assert_eq!(found.collect::<Vec<_>>(), [invariant], "{sql}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn deadlines_stay_as_long_before_the_start_as_they_were(
        days in 1_i64..200, minutes in 0_i64..1440, keep in 1_i64..400, pay in 31_i64..400,
    ) {
        let house = House::royal();
        let cart = house.cart_with("B1");
        house.desk.run(reserving(cart, start() - Span::minutes(pay))).unwrap();
        let kept = KeepSeats {
            performance: house.show,
            seats: names("D1"),
            reason: "press".into(),
            until: start() - Span::minutes(keep),
        };
        house.desk.run(kept).unwrap();
        let to = start() + Span::minutes(days * 1440 + minutes);
        moved(&house, to);
        assert_eq!(house.cart(cart).cart.expires_at, to - Span::minutes(pay));
        assert_eq!(due(&house, JobKind::KeepRelease), Some(to - Span::minutes(keep)));
        house.verified();
    }
}
