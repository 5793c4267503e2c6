//! Money and seats after the sale against a naive model: random acts of three stations on two nights and in three rooms.
//! After each the till of every station, every credit, every order, every booking and the free seats are as the model has
//! them, and the house verifies.
//!
//! `SEQUENCES=10000 cargo test --test stories in_files::money` plays more; on a server, where each act is a flush, fewer
//! are played.

#![expect(
    clippy::indexing_slicing,
    clippy::similar_names,
    reason = "places of entries that are there, and few names in a model"
)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof};
use proptest::test_runner::TestRunner;
use willcall::domain::correction::BackBy;
use willcall::domain::credit::CreditCode;
use willcall::domain::ids::{CartId, PerformanceId, ReceiptId};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    CancelPerformance, DisableSeats, HoldSeats, HouseSeats, PostponePerformance, SeatChoice, Which,
};
use willcall::engine::reads::catalog::ReadPerformance;
use willcall::engine::reads::receipts::ReadReceipts;
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::{Desk, Failure, Operation};

use super::after_sale::{reread, taken_today};
use super::support::{House, NOON, receipt};
use super::{credits, exchanges};
use bookings::{Booked, BookingAct};
use orders::OrderAct;

#[path = "money/bookings.rs"]
mod bookings;
#[path = "money/losses.rs"]
mod losses;
#[path = "money/orders.rs"]
mod orders;

/// Prices of a seat of the two nights.
const PRICES: [i64; 2] = [1000, 1250];

/// Fee for each seat that is exchanged, unless its night moved.
const FEE: i64 = 150;

/// Starts that a night has at first or after it moved: every hour for two hours of play, or long past.
const STARTS: i64 = 6;

/// Seats of a night: a row of them, so that acts meet.
const SEATS: u32 = 12;

#[derive(Clone, Copy, Debug)]
enum Way {
    Cash,
    Card,
    Owed,
}

#[derive(Clone, Debug)]
enum Act {
    /// Seats from a place on, paid in a way; by a credit as far as it goes.
    Sell {
        night: usize,
        first: u32,
        count: u32,
        way: Way,
    },
    Order(usize, OrderAct),
    Disable {
        night: usize,
        seat: u32,
    },
    Replace {
        item: usize,
    },
    SettleItem {
        item: usize,
        way: Way,
    },
    Cancel {
        night: usize,
    },
    Postpone {
        night: usize,
        start: i64,
    },
    Booking(usize, BookingAct),
    /// A day passes.
    Day,
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![Just(Way::Cash), Just(Way::Card), Just(Way::Owed)]
}

fn act() -> impl Strategy<Value = (usize, Act)> {
    let item = || 0..8_usize;
    let night = || 0..2_usize;
    let act = prop_oneof![
        6 => (night(), 0..SEATS, 1..4_u32, way()).prop_map(|(night, first, count, way)| Act::Sell { night, first, count, way }),
        13 => (0..8_usize, orders::act()).prop_map(|(order, act)| Act::Order(order, act)),
        2 => (night(), 0..SEATS).prop_map(|(night, seat)| Act::Disable { night, seat }),
        2 => item().prop_map(|item| Act::Replace { item }),
        2 => (item(), way()).prop_map(|(item, way)| Act::SettleItem { item, way }),
        1 => night().prop_map(|night| Act::Cancel { night }),
        2 => (night(), 0..=STARTS).prop_map(|(night, start)| Act::Postpone { night, start }),
        14 => (0..4_usize, bookings::act(SEATS)).prop_map(|(booking, act)| Act::Booking(booking, act)),
        1 => Just(Act::Day),
    ];
    (0..3_usize, act)
}

/// An order as the model has it.
#[derive(Clone, Debug)]
struct Order {
    receipt: ReceiptId,
    night: usize,
    /// Start of the night that its tickets show.
    start: i64,
    /// Its seats that did not come back; true for those that it lost.
    seats: BTreeMap<u32, bool>,
    /// Money paid for them and not given back.
    left: i64,
    /// Money paid for a booking and not given back.
    booked: i64,
    /// Part of it that cards paid and that did not go back to a card.
    card: i64,
}

struct Played {
    house: House,
    stations: Vec<Desk>,
    nights: [PerformanceId; 2],
    starts: [i64; 2],
    canceled: [bool; 2],
    out: [BTreeSet<u32>; 2],
    rooms: Vec<ResourceId>,
    booked: Vec<Booked>,
    orders: Vec<Order>,
    /// Money taken at each station, by day.
    days: Vec<BTreeMap<String, i64>>,
    credits: BTreeMap<CreditCode, i64>,
}

/// A start of a night.
fn start_at(start: i64) -> Instant {
    if start == STARTS {
        return NOON;
    }
    NOON + Span::minutes(60 * 24 * 60 + 60 * start)
}

/// The seat of a number: those of the rows behind the first begin at 100 each.
fn seat(number: u32) -> SeatRef {
    SeatRef { row: number / 100, seat: number % 100 }
}

/// Price of seats of a night.
fn price(night: usize, numbers: &[u32]) -> i64 {
    PRICES[night] * i64::try_from(numbers.len()).unwrap()
}

fn number(seat: SeatRef) -> u32 {
    100 * seat.row + seat.seat
}

impl Played {
    fn new() -> Self {
        let house = House::royal();
        exchanges::fee(&house, FEE);
        let starts = [0, 2];
        let night = |night: usize| {
            let prices = [(None, None, PRICES[night])];
            house.performance_at(start_at(starts[night]), "Gala", &prices)
        };
        let stations = ["till-1", "till-2", "till-3"].map(|name| house.at(name)).to_vec();
        Self {
            nights: [night(0), night(1)],
            starts,
            stations,
            canceled: [false; 2],
            out: Default::default(),
            rooms: bookings::rooms(&house),
            booked: Vec::new(),
            orders: Vec::new(),
            days: vec![BTreeMap::new()],
            credits: BTreeMap::new(),
            house,
        }
    }

    fn is_free(&self, night: usize, number: u32) -> bool {
        let taken = |order: &Order| order.night == night && order.seats.get(&number) == Some(&false);
        !self.out[night].contains(&number) && !self.orders.iter().any(taken)
    }

    /// Runs an act at a station; the answer, if the model allows it.
    fn run<O: Operation>(&self, at: usize, operation: O, allowed: bool) -> Option<O::Answer> {
        match self.stations[at].run(operation) {
            Ok(answer) => {
                assert!(allowed, "an act was done that the model refuses");
                Some(answer)
            }
            Err(Failure::Refused(refusal)) => {
                assert!(!allowed, "refused: {refusal:?}");
                None
            }
            Err(Failure::Fault(fault)) => panic!("{fault:?}"),
        }
    }

    fn till(&mut self, at: usize, minor: i64) {
        let station = format!("till-{}", at + 1);
        let today = self.days.last_mut().unwrap();
        *today.entry(station).or_default() += minor;
    }

    /// Notes money given back for the seats of an order, in the way that was asked for.
    fn gave(&mut self, at: usize, (order, minor): (usize, i64), issued: &Receipt) {
        self.orders[order].left -= minor;
        assert_eq!(self.paid_back(at, order, issued), minor, "given back");
    }

    /// Notes where money of a correcting receipt went; the sum.
    fn paid_back(&mut self, at: usize, order: usize, issued: &Receipt) -> i64 {
        let back = issued.correction.as_ref().unwrap();
        assert_eq!(back.of, [self.orders[order].receipt], "of its order");
        for one in &back.paid_back {
            match &one.by {
                BackBy::Cash => self.till(at, -one.minor),
                BackBy::Card { .. } => {
                    self.till(at, -one.minor);
                    let order = &mut self.orders[order];
                    order.card = (order.card - one.minor).max(0);
                }
                BackBy::Owed => *self.credits.entry(one.credit.unwrap()).or_default() += one.minor,
            }
        }
        back.back()
    }

    /// A new order for seats, paid by no card.
    fn order(&self, receipt: ReceiptId, (night, numbers): (usize, Vec<u32>), left: i64) -> Order {
        Order {
            receipt,
            night,
            start: self.starts[night],
            seats: numbers.into_iter().map(|number| (number, false)).collect(),
            left,
            booked: 0,
            card: 0,
        }
    }

    fn take_out(&mut self, order: usize, numbers: &[u32]) {
        self.orders[order].seats.retain(|number, _| !numbers.contains(number));
    }

    fn step(&mut self, at: usize, act: &Act) {
        match act.clone() {
            Act::Sell { night, first, count, way } => self.sell(at, (night, first, count), way),
            Act::Order(index, act) if !self.orders.is_empty() => {
                self.order_step(at, index % self.orders.len(), act);
            }
            Act::Order(..) => {}
            Act::Disable { night, seat: number } => self.disable(at, (night, number)),
            Act::Replace { item } => self.replace(at, item),
            Act::SettleItem { item, way } => self.settle_item(at, item, way),
            Act::Cancel { night } => self.cancel(at, night),
            Act::Postpone { night, start } => self.postpone(at, night, start),
            Act::Booking(index, act) => self.booking_step(at, (index, &act)),
            Act::Day => {
                self.house.pass(Span::DAY);
                self.days.push(BTreeMap::new());
            }
        }
    }

    fn cancel(&mut self, at: usize, night: usize) {
        let cancel = CancelPerformance { performance: self.nights[night], reason: "flooded".into() };
        self.run(at, cancel, true);
        self.canceled[night] = true;
        let orders = self.orders.iter_mut();
        for order in orders.filter(|order| order.night == night) {
            order.seats.values_mut().for_each(|lost| *lost = true);
        }
    }

    fn holding(&self, cart: Option<CartId>, (night, numbers): (usize, &[u32])) -> HoldSeats {
        HoldSeats {
            cart,
            performance: self.nights[night],
            seats: SeatChoice::Seats(numbers.iter().map(|number| seat(*number)).collect()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        }
    }

    fn sell(&mut self, at: usize, (night, first, count): (usize, u32, u32), way: Way) {
        let numbers: Vec<u32> = (first..SEATS.min(first + count)).collect();
        let free = numbers.iter().all(|number| self.is_free(night, *number));
        let allowed = free && !self.canceled[night];
        let hold = self.holding(None, (night, &numbers));
        let Some(cart) = self.run(at, hold, allowed) else {
            return;
        };
        let price = price(night, &numbers);
        let (receipt, card) = self.check_out(at, (cart.id, price), way);
        self.orders.push(Order { card, ..self.order(receipt, (night, numbers), price) });
    }

    /// Pays a cart in a way; by a credit as far as it goes. The receipt, and how much a card paid.
    fn check_out(&mut self, at: usize, (cart, price): (CartId, i64), way: Way) -> (ReceiptId, i64) {
        let credit = self.credits.iter().find(|(_, left)| **left > 0);
        let credit = credit.map(|(code, left)| (*code, (*left).min(price)));
        let cash = Tender::Cash { given: None };
        let (card, taken, tenders) = match (way, credit) {
            (Way::Card, _) => {
                let reference = "R1".to_owned();
                let charged = None;
                (price, price, vec![Tender::Card { reference, charged }])
            }
            (Way::Owed, Some((credit, minor))) => {
                *self.credits.get_mut(&credit).unwrap() -= minor;
                let owed = credits::with(credit, Some(minor));
                (0, price - minor, vec![owed, cash])
            }
            (Way::Cash, _) | (Way::Owed, None) => (0, price, vec![cash]),
        };
        let checkout = credits::by(cart, tenders);
        let issued = receipt(self.run(at, checkout, true).unwrap());
        assert_eq!(issued.total, price);
        self.till(at, taken);
        (issued.id, card)
    }

    fn postpone(&mut self, at: usize, night: usize, start: i64) {
        let other = 1 - night;
        let meets = !self.canceled[other] && (self.starts[other] - start).abs() < 2;
        let is_new = start != self.starts[night] && start != STARTS;
        let postpone = PostponePerformance {
            performance: self.nights[night],
            start: start_at(start),
            end: None,
            reason: "the singer is ill".into(),
        };
        let allowed = is_new && !meets && !self.canceled[night];
        if self.run(at, postpone, allowed).is_some() {
            self.starts[night] = start;
        }
    }

    fn disable(&mut self, at: usize, (night, number): (usize, u32)) {
        let disable = DisableSeats {
            which: Which::Performance(self.nights[night]),
            seats: vec![format!("A{}", number + 1)],
            reason: "leak".into(),
        };
        let is_new = !self.out[night].contains(&number);
        let done = self.stations[at].run(disable);
        if !self.canceled[night] && is_new {
            done.unwrap();
            self.out[night].insert(number);
            for order in self.orders.iter_mut().filter(|order| order.night == night) {
                if let Some(lost) = order.seats.get_mut(&number) {
                    *lost = true;
                }
            }
        }
    }

    /// The house is as the model has it.
    fn holds(&self) {
        let today = self.days.last().unwrap();
        let found: BTreeMap<String, i64> = taken_today(&self.house).into_iter().collect();
        assert_eq!(some_money(&found), some_money(today), "taken today");
        for (code, left) in &self.credits {
            let found = credits::left(&self.house, *code);
            assert_eq!(found, *left, "credit {code}");
        }
        for order in &self.orders {
            let receipt = reread(&self.house, order.receipt);
            let left = receipt.left().unwrap();
            assert_eq!(left, order.left + order.booked, "of {}", receipt.number);
        }
        for night in 0..2 {
            self.night_holds(night);
        }
        self.bookings_hold();
        self.house.verified();
    }

    fn night_holds(&self, night: usize) {
        let id = self.nights[night];
        let performance = self.house.desk.read(ReadPerformance(id)).unwrap();
        let start = performance.performance.start;
        assert_eq!(start, start_at(self.starts[night]), "start of a night");
        if self.canceled[night] {
            return;
        }
        let map = self.house.desk.read(ReadSeatMap(id)).unwrap();
        let live = self.orders.iter().filter(|order| order.night == night);
        let live = live.flat_map(|order| order.seats.values()).filter(|lost| !**lost);
        let gone = live.count() + self.out[night].len();
        assert_eq!(map.free, 80 - u32::try_from(gone).unwrap(), "free seats");
    }

    /// The receipts of each day add up to what its stations took.
    fn days_hold(&self) {
        let mut day = NOON;
        for tills in &self.days {
            let page = ReadReceipts { from: Some(day), before: Some(day + Span::DAY), ..ReadReceipts::default() };
            let mut found: BTreeMap<String, i64> = BTreeMap::new();
            let rows = self.house.desk.read(page).unwrap();
            assert!(rows.len() < 100, "all receipts of a day are on its page");
            for row in rows {
                let receipt = reread(&self.house, row.id);
                *found.entry(row.station).or_default() += receipt.in_cash() + receipt.by_card();
            }
            assert_eq!(some_money(&found), some_money(tills), "taken on a day");
            day = day + Span::DAY;
        }
    }
}

/// Stations that took or gave money.
fn some_money(tills: &BTreeMap<String, i64>) -> BTreeMap<&str, i64> {
    let tills = tills.iter().filter(|(_, minor)| **minor != 0);
    tills.map(|(name, minor)| (name.as_str(), *minor)).collect()
}

fn by(way: Way) -> BackBy {
    match way {
        Way::Cash => BackBy::Cash,
        Way::Card => BackBy::Card { reference: "R9".into() },
        Way::Owed => BackBy::Owed,
    }
}

#[test]
fn money_and_seats_add_up_after_every_act() {
    let sequences = std::env::var("SEQUENCES").ok().and_then(|text| text.parse().ok());
    let usual = match super::ground().folder() {
        Some(_) => 16,
        None => 4,
    };
    let mut runner = TestRunner::new(ProptestConfig {
        cases: sequences.unwrap_or(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let acts = proptest::collection::vec(act(), 1..30);
    let played = runner.run(&acts, |acts| {
        let mut played = Played::new();
        for (at, act) in &acts {
            played.house.pass(Span::minutes(1));
            played.step(*at, act);
            played.holds();
        }
        played.days_hold();
        Ok(())
    });
    played.unwrap();
}
