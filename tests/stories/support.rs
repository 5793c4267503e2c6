//! A house to tell stories in: The Royal, 5 rows of 16 seats, on a clock that stands still until it is moved.

use std::sync::Arc;

use chrono_tz::Tz;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::customer::Customer;
use willcall::domain::ids::{CartId, PerformanceId, TheaterId};
use willcall::domain::plan::{Plan, SeatRef};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Local, Span};
use willcall::engine::clock::{Clock, ManualClock};
use willcall::engine::ops::{
    AddPerformance, AddTheater, CancelPerformance, CheckedOut, Checkout, DisableSeats, HoldSeats, HouseSeats,
    NamedPrice, OpenCart, PayBy, ReserveCart, SeatChoice, Which,
};
use willcall::engine::reads::carts::{CartView, ReadCart};
use willcall::engine::reads::catalog::ReadTheater;
use willcall::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use willcall::engine::verify::{Report, Verify};
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Operation, Ticker};
use willcall::formats::rows;
use willcall::store::Missing;

use crate::ground::Ground;

/// Noon of 21 November 2026.
pub(crate) const NOON: Instant = Instant::from_millis(1_795_262_400_000);

/// The present where sentences are read.
pub(crate) const HERE: Local = Local { now: NOON, zone: Tz::UTC };

pub(crate) struct House {
    pub(crate) desk: Desk,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) theater: TheaterId,
    pub(crate) show: PerformanceId,
    pub(crate) ground: Ground,
    engine: Option<Engine>,
}

impl House {
    /// The Royal, with "Action Movie 5" tonight at 10.00.
    pub(crate) fn royal() -> Self {
        Self::of(rows::parse("5x16").unwrap(), &[(None, None, 1000)])
    }

    pub(crate) fn of(plan: Plan, prices: &[(Option<&str>, Option<&str>, i64)]) -> Self {
        let ground = super::ground();
        let clock = Arc::new(ManualClock::at(NOON));
        let engine = open(&ground, &clock);
        let desk = engine.desk(actor("ada", "till-1"));
        let theater = desk.run(AddTheater { name: "The Royal".into(), plan, time_zone: Some(Tz::UTC) }).unwrap().id;
        let mut house = Self { desk, clock, theater, show: PerformanceId::random(), ground, engine: Some(engine) };
        house.show = house.performance("Action Movie 5", prices);
        house
    }

    /// A performance tonight: the first at half past seven, each other when the one before is over.
    pub(crate) fn performance(&self, title: &str, prices: &[(Option<&str>, Option<&str>, i64)]) -> PerformanceId {
        let mut start = NOON + Span::minutes(450);
        loop {
            match self.desk.run(adding(self.theater, (start, title), prices)) {
                Err(Failure::Refused(Refusal::Taken { .. })) => {
                    start = start + Span::minutes(120);
                }
                added => return added.unwrap().performance.id,
            }
        }
    }

    /// A performance at a time: at The Royal, or at a theater like it when something else is on there then.
    pub(crate) fn performance_at(
        &self,
        start: Instant,
        title: &str,
        prices: &[(Option<&str>, Option<&str>, i64)],
    ) -> PerformanceId {
        let at = |theater| self.desk.run(adding(theater, (start, title), prices));
        let added = match at(self.theater) {
            Err(Failure::Refused(Refusal::Taken { .. })) => {
                let (_, royal) = self.desk.read(ReadTheater(self.theater)).unwrap();
                let like_it = self.desk.run(AddTheater {
                    name: format!("Theater {}", TheaterId::random()),
                    plan: Plan::clone(&royal.plan),
                    time_zone: Some(Tz::UTC),
                });
                at(like_it.unwrap().id)
            }
            added => added,
        };
        added.unwrap().performance.id
    }

    pub(crate) fn at(&self, station: &str) -> Desk {
        self.desk.with_actor(actor("ben", station))
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, span: Span) {
        self.clock.set(self.desk.now() + span);
    }

    pub(crate) fn open_cart(&self) -> CartId {
        self.desk.run(OpenCart::default()).unwrap().id
    }

    pub(crate) fn hold(&self, cart: CartId, seats: &str) -> Result<Cart, Failure> {
        self.desk.run(self.holding(cart, seats))
    }

    pub(crate) fn holding(&self, cart: CartId, seats: &str) -> HoldSeats {
        HoldSeats {
            cart: Some(cart),
            performance: self.show,
            seats: named(seats),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        }
    }

    /// A cart with seats.
    pub(crate) fn cart_with(&self, seats: &str) -> CartId {
        let cart = self.open_cart();
        self.hold(cart, seats).unwrap();
        cart
    }

    pub(crate) fn pay(&self, cart: CartId, cash: i64) -> Result<Receipt, Failure> {
        self.desk.run(paying(cart, cash)).map(receipt)
    }

    /// A paid receipt for seats.
    pub(crate) fn sold(&self, seats: &str) -> Receipt {
        let cart = self.cart_with(seats);
        receipt(self.desk.run(Checkout::new(cart, vec![Tender::Cash { given: None }])).unwrap())
    }

    pub(crate) fn map(&self) -> SeatMap {
        self.desk.read(ReadSeatMap(self.show)).unwrap()
    }

    pub(crate) fn free(&self) -> u32 {
        self.map().free
    }

    pub(crate) fn cart(&self, cart: CartId) -> CartView {
        self.desk.read(ReadCart(cart)).unwrap()
    }

    pub(crate) fn state(&self, cart: CartId) -> CartState {
        self.cart(cart).state
    }

    /// The engine stops and starts again on the same file.
    pub(crate) fn restart(&mut self) {
        self.engine = None;
        let engine = open(&self.ground, &self.clock);
        self.desk = engine.desk(actor("ada", "till-1"));
        self.engine = Some(engine);
    }

    /// Another engine on the same file, as another process would have.
    pub(crate) fn second(&self) -> Engine {
        open(&self.ground, &self.clock)
    }

    /// Another engine on the same file, by a clock of its own.
    pub(crate) fn second_by(&self, clock: &Arc<ManualClock>) -> Engine {
        open(&self.ground, clock)
    }

    /// Another engine on the same file that runs what comes due, at till-9.
    pub(crate) fn running(&self) -> Engine {
        self.running_by(Arc::<ManualClock>::clone(&self.clock))
    }

    /// The same, by a clock of its own.
    pub(crate) fn running_by(&self, clock: Arc<dyn Clock>) -> Engine {
        let config =
            Config { ticker: Ticker::On, station: "till-9".into(), clock, ..config(&self.ground, &self.clock) };
        Engine::open(config).unwrap()
    }

    /// Takes seats of tonight's performance out of use.
    pub(crate) fn disable(&self, seats: &str) {
        let leak = DisableSeats { which: Which::Performance(self.show), seats: names(seats), reason: "broken".into() };
        self.desk.run(leak).unwrap();
    }

    /// Cancels tonight's performance.
    pub(crate) fn cancel_show(&self) {
        let cancel = CancelPerformance { performance: self.show, reason: "flooded".into() };
        self.desk.run(cancel).unwrap();
    }

    /// The end of every story: all invariants of the house hold.
    pub(crate) fn verified(&self) -> Report {
        let report = self.desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
        report
    }
}

/// Opening a performance of two hours.
pub(crate) fn adding(
    theater: TheaterId,
    (start, title): (Instant, &str),
    prices: &[(Option<&str>, Option<&str>, i64)],
) -> AddPerformance {
    let price = |(category, ticket_type, minor): &(Option<&str>, Option<&str>, i64)| NamedPrice {
        category: category.map(Into::into),
        ticket_type: ticket_type.map(Into::into),
        ..NamedPrice::all(*minor)
    };
    AddPerformance::new(theater, title, (start, start + Span::minutes(120)), prices.iter().map(price).collect())
}

fn open(ground: &Ground, clock: &Arc<ManualClock>) -> Engine {
    Engine::open(config(ground, clock)).unwrap()
}

fn config(ground: &Ground, clock: &Arc<ManualClock>) -> Config {
    Config { missing: Missing::Create, clock: Arc::<ManualClock>::clone(clock), ..Config::new(ground.place()) }
}

pub(crate) fn actor(operator: &str, station: &str) -> Actor {
    Actor { operator: operator.into(), station: station.into() }
}

pub(crate) fn named(seats: &str) -> SeatChoice {
    SeatChoice::Named(names(seats))
}

pub(crate) fn names(seats: &str) -> Vec<String> {
    seats.split_whitespace().map(Into::into).collect()
}

pub(crate) fn seat(row: u32, seat: u32) -> SeatRef {
    SeatRef { row, seat }
}

pub(crate) fn paying(cart: CartId, cash: i64) -> Checkout {
    Checkout::new(cart, vec![Tender::Cash { given: Some(cash) }])
}

pub(crate) fn receipt(answer: CheckedOut) -> Receipt {
    match answer {
        CheckedOut::Receipt(receipt) => receipt,
        CheckedOut::Owed(_, item) | CheckedOut::Unissued(item) => {
            panic!("no receipt alone but {item:?}")
        }
    }
}

/// The refusal that an act has to meet.
pub(crate) fn refused<T: std::fmt::Debug>(answer: Result<T, Failure>) -> Refusal {
    match answer {
        Err(Failure::Refused(refusal)) => refusal,
        other => panic!("not refused but {other:?}"),
    }
}

/// Runs an operation whose refusal is the point.
pub(crate) fn no<O: Operation>(desk: &Desk, operation: O) -> Refusal
where
    O::Answer: std::fmt::Debug,
{
    refused(desk.run(operation))
}

/// A reservation of a cart for Ida, to be paid by the usual time.
pub(crate) fn reserving_for_ida(cart: CartId) -> ReserveCart {
    ReserveCart {
        cart,
        customer: Some(Customer { name: "Ida".into(), ..Customer::default() }),
        pay_by: PayBy::Usual,
        alert: None,
        last: None,
    }
}

/// SQL that gives rows another key; a distributed server changes no shard key in place.
pub(crate) fn rekeyed(table: &str, set: &str, of: &str) -> String {
    format!(
        "CREATE TEMP TABLE moved AS SELECT * FROM {table} WHERE {of}; DELETE FROM {table} WHERE {of}; \
         UPDATE moved SET {set}; INSERT INTO {table} SELECT * FROM moved; DROP TABLE moved"
    )
}
