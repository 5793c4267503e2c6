//! Races: desks of several engines want at the same instant what cannot all be had. Cases T18 and A18.
//!
//! Fifty times each, or as often as `WILLCALL_ROUNDS` says.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Barrier;

use willcall::domain::back::{ReturnTerms, Share};
use willcall::domain::booking::Cause;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::correction::BackBy;
use willcall::domain::ids::{CartId, PerformanceId};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Slot, Span, parse_date};
use willcall::engine::ops::{
    CancelCart, CancelPerformance, Checkout, CorrectReceipt, CorrectionAct, DisableSeats, Displace, Exchange,
    HoldSeats, HouseSeats, Past, ReturnCells, SettleBy, Take, TakeOut, Which,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::{Desk, Engine, Failure};

use super::after_sale::reread;
use super::calendar::{add, booking, resource, room, slot};
use super::credits;
use super::support::{House, NOON, actor, named, paying, seat};
use crate::limit;

/// How often each race is run.
const ROUNDS: u32 = 50;

/// How many rounds are made ready at a time.
const READY: u32 = 50;

/// Desks of engines of their own on one house, as those of other processes.
pub(crate) struct Rivals {
    pub(crate) house: House,
    desks: Vec<Desk>,
    _engines: Vec<Engine>,
}

impl Rivals {
    pub(crate) fn of(count: usize) -> Self {
        let house = House::royal();
        let engines: Vec<Engine> = (1..count).map(|_| house.second()).collect();
        let actor = house.desk.actor().clone();
        let mut desks = vec![house.desk.clone()];
        desks.extend(engines.iter().map(|engine| engine.desk(actor.clone())));
        Self { house, desks, _engines: engines }
    }

    /// Runs rounds of a race: each is made ready, run by all desks at once, and judged by who was not refused.
    pub(crate) fn race<R: Sync>(
        &self,
        ready: impl Fn(&House, u32) -> R,
        act: impl Fn(&Desk, usize, &R) -> Result<(), Failure> + Sync,
        judge: impl Fn(&[bool], &R),
    ) {
        let rounds = std::env::var("WILLCALL_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
        let mut run = 0;
        while run < rounds {
            limit::step();
            let count = READY.min(rounds - run);
            let some: Vec<R> = (run..run + count).map(|round| ready(&self.house, round)).collect();
            for (outcome, round) in self.run(&some, &act).into_iter().zip(&some) {
                judge(&outcome, round);
            }
            run += count;
        }
        self.house.verified();
    }

    /// Outcomes of each round by desk. A rival that meets a fault stays in the race until its end, for the others wait for
    /// each other.
    fn run<R: Sync>(
        &self,
        rounds: &[R],
        act: &(impl Fn(&Desk, usize, &R) -> Result<(), Failure> + Sync),
    ) -> Vec<Vec<bool>> {
        let start = Barrier::new(self.desks.len());
        let noted = |mut done: Vec<bool>, came_to| {
            done.push(match came_to {
                Ok(()) => true,
                Err(Failure::Refused(_)) => false,
                Err(Failure::Fault(fault)) => panic!("nobody sees {fault}"),
            });
            done
        };
        let of_desk = |(number, desk): (usize, &Desk)| {
            let mut done = Ok(Vec::new());
            for round in rounds {
                start.wait();
                done = done.and_then(|done| catch_unwind(AssertUnwindSafe(|| noted(done, act(desk, number, round)))));
            }
            done
        };
        let done: Vec<Vec<bool>> = std::thread::scope(|scope| {
            let of_desk = &of_desk;
            let start = |desk| scope.spawn(move || of_desk(desk));
            let threads: Vec<_> = self.desks.iter().enumerate().map(start).collect();
            let answers: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            answers.into_iter().map(|done| done.unwrap_or_else(|fault| resume_unwind(fault))).collect()
        });
        let in_round = |round| done.iter().filter_map(|mine| mine.get(round).copied()).collect();
        (0..rounds.len()).map(in_round).collect()
    }
}

fn one_of_them(done: &[bool]) {
    assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
}

fn seats(cart: Option<CartId>, performance: PerformanceId, seats: &str) -> HoldSeats {
    HoldSeats { cart, performance, seats: named(seats), ticket_type: None, kept: HouseSeats::Refuse }
}

/// Prices of a seat for an adult and for a child.
const PRICES: [(Option<&str>, Option<&str>, i64); 2] = [(None, None, 1000), (None, Some("Child"), 600)];

/// A cart with seats of a performance of its own.
fn cart_of_its_own(house: &House, round: u32) -> (PerformanceId, CartId) {
    let start = NOON + Span::minutes(60 * 24 * 30 + 120 * i64::from(round));
    let show = house.performance_at(start, "Race", &PRICES);
    let cart = house.desk.run(seats(None, show, "A1")).unwrap().id;
    (show, cart)
}

#[test]
fn t18_seats_are_added_to_a_cart_or_it_is_checked_out_as_it_was_seen() {
    Rivals::of(2).race(
        cart_of_its_own,
        |desk, number, (show, cart)| {
            if number == 0 {
                desk.run(seats(Some(*cart), *show, "A2")).map(drop)
            } else {
                let checkout =
                    Checkout { seen: Some(1000), ..Checkout::new(*cart, vec![Tender::Cash { given: None }]) };
                desk.run(checkout).map(drop)
            }
        },
        |done, _| one_of_them(done),
    );
}

#[test]
fn t18_a_cart_that_is_canceled_keeps_nothing_that_was_added_meanwhile() {
    let rivals = Rivals::of(2);
    rivals.race(
        cart_of_its_own,
        |desk, number, (show, cart)| {
            if number == 0 {
                desk.run(seats(Some(*cart), *show, "A2")).map(drop)
            } else {
                desk.run(CancelCart { cart: *cart }).map(drop)
            }
        },
        |done, (_, cart)| {
            assert!(done[1], "a cancel is never refused");
            assert_eq!(rivals.house.state(*cart), CartState::Canceled);
        },
    );
}

#[test]
fn t18_nobody_holds_seats_of_a_performance_that_is_canceled() {
    let rivals = Rivals::of(2);
    rivals.race(
        cart_of_its_own,
        |desk, number, (show, cart)| {
            if number == 0 {
                desk.run(seats(Some(*cart), *show, "A2")).map(drop)
            } else {
                let performance = *show;
                desk.run(CancelPerformance { performance, reason: "flooded".into() }).map(drop)
            }
        },
        |done, (_, cart)| {
            assert!(done[1], "a cancel is never refused");
            let lines = rivals.house.cart(*cart).lines;
            assert!(lines.iter().all(|line| line.seats().is_empty()), "{lines:?}");
        },
    );
}

/// Seat A1 of a performance of its own, sold.
fn sold_of_its_own(house: &House, round: u32) -> (PerformanceId, Receipt) {
    let (show, cart) = cart_of_its_own(house, round);
    (show, house.pay(cart, 1000).unwrap())
}

fn refund(receipt: &Receipt) -> CorrectReceipt {
    CorrectReceipt {
        receipt: receipt.id,
        act: CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::All },
        reason: "ill".into(),
        keep: None,
    }
}

#[test]
fn t18_a_seat_comes_back_once() {
    Rivals::of(2).race(
        sold_of_its_own,
        |desk, _, (_, receipt)| desk.run(refund(receipt)).map(drop),
        |done, _| one_of_them(done),
    );
}

#[test]
fn t18_a_seat_comes_back_by_a_refund_or_by_an_exchange() {
    Rivals::of(2).race(
        |house, round| {
            let (show, receipt) = sold_of_its_own(house, round);
            let bring = ReturnCells { cart: None, receipt: receipt.id, cells: None };
            let cart = house.desk.run(bring).unwrap().id;
            house.desk.run(seats(Some(cart), show, "B1")).unwrap();
            (receipt, cart)
        },
        |desk, number, (receipt, cart)| {
            if number == 0 {
                return desk.run(refund(receipt)).map(drop);
            }
            let exchange = Checkout {
                returns: Some(ReturnTerms { reason: "ill".into(), ..ReturnTerms::default() }),
                tenders: Vec::new(),
                ..paying(*cart, 0)
            };
            desk.run(exchange).map(drop)
        },
        |done, _| one_of_them(done),
    );
}

/// An exchange that gives a child's seat for an adult's: 4.00 go back in cash.
fn cheaper() -> ReturnTerms {
    ReturnTerms { reason: "a child comes".into(), back: BackBy::Cash.into(), ..ReturnTerms::default() }
}

/// A seat was exchanged once, for another and 4.00, or is still its customer's and somebody else has the other.
fn exchanged_or_still_sold(house: &House, (show, receipt): &(PerformanceId, Receipt), exchanged: bool) {
    let after = reread(house, receipt.id);
    let free = house.desk.read(ReadSeatMap(*show)).unwrap().free;
    if !exchanged {
        assert_eq!((&after, free), (receipt, 78));
        return;
    }
    let goods = &after.lines.first().unwrap().goods;
    assert_eq!((goods.seats(), goods.returned()), (&[][..], &[seat(0, 0)][..]));
    let [by] = after.corrected_by.as_slice() else {
        panic!("{after:?}");
    };
    let by = reread(house, *by);
    let taken = by.lines.first().unwrap().goods.seats();
    assert_eq!((by.in_cash(), taken, free), (-400, &[seat(1, 0)][..], 79));
}

#[test]
fn t18_an_exchange_takes_a_seat_or_another_does_and_the_old_one_stays() {
    let rivals = Rivals::of(2);
    rivals.race(
        sold_of_its_own,
        |desk, number, (show, receipt)| {
            if number == 0 {
                return desk.run(seats(None, *show, "B1")).map(drop);
            }
            let exchange = Exchange {
                receipt: receipt.id,
                cells: None,
                take: Take::Seats { performance: *show, seats: named("B1"), ticket_type: Some("Child".into()) },
                tenders: Vec::new(),
                terms: cheaper(),
            };
            desk.run(exchange).map(drop)
        },
        |done, sold| {
            one_of_them(done);
            exchanged_or_still_sold(&rivals.house, sold, done[1]);
        },
    );
}

/// A cart with an exchange of a sold seat for another. Each has its own deadline.
fn exchange_of_its_own(house: &House, round: u32) -> ((PerformanceId, Receipt), Cart) {
    house.pass(Span::seconds(1));
    let (show, receipt) = sold_of_its_own(house, round);
    let bring = ReturnCells { cart: None, receipt: receipt.id, cells: None };
    let cart = house.desk.run(bring).unwrap().id;
    let child = HoldSeats { ticket_type: Some("Child".into()), ..seats(Some(cart), show, "B1") };
    ((show, receipt), house.desk.run(child).unwrap())
}

#[test]
fn t18_an_exchange_is_checked_out_before_its_deadline_or_its_seat_is_taken() {
    let rivals = Rivals::of(2);
    let clock = &rivals.house.clock;
    rivals.race(
        |house, round| (round, exchange_of_its_own(house, round)),
        |desk, number, (round, ((show, _), cart))| {
            if number == 0 {
                // the clock moves a little later each time, so that either may come first
                for _ in 0..round % 8 {
                    desk.read(ReadCart(cart.id)).unwrap();
                }
                clock.set(cart.expires_at);
                return desk.run(seats(None, *show, "B1")).map(drop);
            }
            let checkout = Checkout { tenders: Vec::new(), returns: Some(cheaper()), ..paying(cart.id, 0) };
            desk.run(checkout).map(drop)
        },
        |done, (_, (sold, cart))| {
            one_of_them(done);
            exchanged_or_still_sold(&rivals.house, sold, done[1]);
            let state = rivals.house.state(cart.id);
            let is_done = matches!(state, CartState::Done(_));
            assert!(is_done == done[1] && (is_done || state == CartState::Expired));
        },
    );
}

#[test]
fn t18_one_credit_is_spent_at_one_of_two_stations() {
    let rivals = Rivals::of(2);
    rivals.race(
        |house, round| {
            let (show, receipt) = sold_of_its_own(house, round);
            let mut owed = refund(&receipt);
            owed.act = CorrectionAct::Refund { cells: None, back: BackBy::Owed.into(), share: Share::All };
            let credit = credits::code(&house.desk.run(owed).unwrap());
            let carts = ["B1", "C1"].map(|wanted| {
                let child = HoldSeats { ticket_type: Some("Child".into()), ..seats(None, show, wanted) };
                house.desk.run(child).unwrap().id
            });
            (credit, carts)
        },
        |desk, number, (credit, carts)| {
            let station = desk.with_actor(actor("ben", ["till-1", "till-2"][number]));
            let all = vec![credits::with(*credit, Some(600))];
            station.run(credits::by(carts[number], all)).map(drop)
        },
        |done, (credit, carts)| {
            one_of_them(done);
            assert_eq!(credits::left(&rivals.house, *credit), 400);
            for (done, cart) in done.iter().zip(carts) {
                let state = rivals.house.state(*cart);
                assert!(matches!(state, CartState::Done(_)) == *done, "{state:?}");
            }
        },
    );
}

#[test]
fn t18_a_seat_that_is_given_back_beside_a_disable_leaves_nothing_to_settle() {
    let rivals = Rivals::of(2);
    rivals.race(
        sold_of_its_own,
        |desk, number, (show, receipt)| {
            if number == 0 {
                return desk.run(refund(receipt)).map(drop);
            }
            let disable =
                DisableSeats { which: Which::Performance(*show), seats: vec!["A1".into()], reason: "leak".into() };
            desk.run(disable).map(drop)
        },
        |done, _| {
            assert_eq!(done, [true, true]);
            let open = rivals.house.desk.read(ReadWorklist).unwrap();
            assert!(open.is_empty(), "{open:?}");
        },
    );
}

#[test]
fn t18_an_order_of_a_canceled_performance_is_settled_or_refunded() {
    Rivals::of(2).race(
        |house, round| {
            let (performance, receipt) = sold_of_its_own(house, round);
            let reason = "flooded".into();
            let cancel = CancelPerformance { performance, reason };
            house.desk.run(cancel).unwrap();
            (performance, receipt)
        },
        |desk, number, (performance, receipt)| {
            let act = CorrectionAct::Settle { performance: *performance, by: SettleBy::Owed };
            let settle = CorrectReceipt { act, ..refund(receipt) };
            let correct = if number == 0 { settle } else { refund(receipt) };
            desk.run(correct).map(drop)
        },
        |done, _| one_of_them(done),
    );
}

#[test]
fn t18_a_booking_and_an_out_of_service_never_stand_together() {
    Rivals::of(2).race(
        |house, round| room(house, &format!("Car {round}"), 60),
        |desk, number, car| {
            if number == 0 {
                let when = slot("2026-12-01 10:00 12:00");
                desk.run(booking(car, "Ruiz", when)).map(drop)
            } else {
                let out = TakeOut {
                    resources: vec![car.clone()],
                    count: None,
                    from: None,
                    until: None,
                    cause: Cause::OutOfService,
                    reason: "clutch".into(),
                    displace: Displace::Ask,
                    past: Past::Refuse,
                };
                desk.run(out).map(drop)
            }
        },
        |done, _| one_of_them(done),
    );
}

#[test]
fn t18_a_parent_and_its_child_are_never_booked_by_two() {
    Rivals::of(2).race(
        |house, round| -> [ResourceId; 2] {
            let hall = room(house, &format!("Hall {round}"), 60);
            let mut wing = resource(&format!("Wing {round}"), 60);
            wing.parent = Some(hall.clone());
            let wing = add(house, wing);
            [hall, wing]
        },
        |desk, number, both| {
            let when = slot("2026-12-01 10:00 12:00");
            desk.run(booking(&both[number], "race", when)).map(drop)
        },
        |done, _| one_of_them(done),
    );
}

#[test]
fn t18_two_who_make_the_same_day_both_find_it_made() {
    let rivals = Rivals::of(2);
    let hall = room(&rivals.house, "Hall", 60);
    rivals.race(
        |_, round| round,
        |desk, number, round| {
            let day = parse_date("2026-12-01").unwrap() + chrono::Days::new(u64::from(*round));
            let when = slot(&format!("{day} 1{number}:00 1{}:00", number + 1));
            desk.run(booking(&hall, "hour", when)).map(drop)
        },
        |done, _| assert_eq!(done, [true, true]),
    );
}

#[test]
fn a18_overlapping_slots_have_one_winner() {
    let rivals = Rivals::of(8);
    let hall = room(&rivals.house, "Hall", 60);
    rivals.race(
        |_, round| {
            let day = parse_date("2026-12-01").unwrap() + chrono::Days::new(u64::from(round));
            slot(&format!("{day} 12:00 13:00"))
        },
        |desk, number, slot| {
            let hours = i64::try_from(number).unwrap() + 1;
            let until = slot.from() + Span::minutes(60 * hours);
            let overlapping = Slot::new(slot.from(), until).unwrap();
            desk.run(booking(&hall, "overlap", overlapping)).map(drop)
        },
        |done, _| one_of_them(done),
    );
}
