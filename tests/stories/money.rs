//! Money and seats after the sale against a naive model: random acts of three stations on two nights and in three rooms.
//! After each the till of every station, every credit, every order, every booking and the free seats are as the model has
//! them, no means got back more than it paid unless that was overridden, and the house verifies.
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
use willcall::domain::back::{Back, BackPart, Beyond};
use willcall::domain::correction::{BackBy, PaidBack};
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

/// Way of paying, and of giving back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Paid in cash; given back as it was paid.
    AsPaid,
    Cash,
    /// Two thirds by a card of its own, the rest in cash; given back to the latest card that paid.
    Card,
    Owed,
    /// Half to that card, the rest in cash.
    Both,
    /// In cash, whoever paid.
    Override,
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
    let named = prop_oneof![Just(Way::Cash), Just(Way::Card), Just(Way::Owed), Just(Way::Both), Just(Way::Override)];
    prop_oneof![1 => Just(Way::AsPaid), 1 => named]
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
    /// Number of what the means paid for it and the orders that it was exchanged from or for.
    ledger: usize,
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
    ledgers: Vec<Ledger>,
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
            ledgers: Vec::new(),
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
    fn gave(&mut self, at: usize, (order, minor): (usize, i64), (way, issued): (Way, &Receipt)) {
        self.orders[order].left -= minor;
        assert_eq!(self.paid_back(at, order, (way, issued)), minor, "given back");
    }

    /// Notes where money of a correcting receipt went; the sum.
    fn paid_back(&mut self, at: usize, order: usize, (way, issued): (Way, &Receipt)) -> i64 {
        let back = issued.correction.as_ref().unwrap();
        assert_eq!(back.of, [self.orders[order].receipt], "of its order");
        for one in &back.paid_back {
            match &one.by {
                BackBy::Cash | BackBy::Card { .. } => self.till(at, -one.minor),
                BackBy::Owed => *self.credits.entry(one.credit.unwrap()).or_default() += one.minor,
            }
        }
        let ledger = &mut self.ledgers[self.orders[order].ledger];
        assert_eq!(back.beyond, ledger.give(&back.paid_back), "beyond what its means paid");
        assert!(back.beyond == 0 || way == Way::Override, "more than its means paid");
        if way == Way::AsPaid {
            ledger.was_as_paid(&back.paid_back);
        }
        back.back()
    }

    /// A new order for seats, of which nothing is paid yet.
    fn order(&self, receipt: ReceiptId, (night, numbers): (usize, Vec<u32>), left: i64) -> Order {
        Order {
            receipt,
            night,
            start: self.starts[night],
            seats: numbers.into_iter().map(|number| (number, false)).collect(),
            left,
            booked: 0,
            ledger: self.ledgers.len(),
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
        let (receipt, ledger) = self.check_out(at, (cart.id, price), way);
        self.orders.push(self.order(receipt, (night, numbers), price));
        self.ledgers.push(ledger);
    }

    /// Pays a cart in a way; by a credit as far as it goes. The receipt, and what its means paid.
    fn check_out(&mut self, at: usize, (cart, price): (CartId, i64), way: Way) -> (ReceiptId, Ledger) {
        let credit = self.credits.iter().find(|(_, left)| **left > 0);
        let credit = credit.map(|(code, left)| (*code, (*left).min(price)));
        let cash = Tender::Cash { given: None };
        let mut paid = Ledger::default();
        let mut tenders = match (way, credit) {
            (Way::Card | Way::Both, _) => {
                let (reference, minor) = (format!("R{}", self.ledgers.len()), price * 2 / 3);
                paid.cards.push((reference.clone(), minor));
                vec![Tender::Card { reference, charged: Some(minor) }]
            }
            (Way::Owed, Some((credit, minor))) => {
                *self.credits.get_mut(&credit).unwrap() -= minor;
                paid.credits.insert(credit, minor);
                vec![credits::with(credit, Some(minor))]
            }
            (Way::AsPaid | Way::Cash | Way::Override | Way::Owed, _) => Vec::new(),
        };
        paid.cash = price - paid.cards.iter().map(|(_, minor)| minor).sum::<i64>();
        paid.cash -= paid.credits.values().sum::<i64>();
        tenders.push(cash);
        let taken = price - paid.credits.values().sum::<i64>();
        let issued = receipt(self.run(at, credits::by(cart, tenders), true).unwrap());
        assert_eq!(issued.total, price);
        self.till(at, taken);
        (issued.id, paid)
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

/// Money that means paid and did not get back.
#[derive(Clone, Debug, Default)]
struct Ledger {
    credits: BTreeMap<CreditCode, i64>,
    /// Cards, the latest last.
    cards: Vec<(String, i64)>,
    cash: i64,
}

impl Ledger {
    /// The latest card, or one that never paid.
    fn card(&self) -> (BackBy, Option<i64>) {
        let latest = self.cards.last().cloned();
        let (reference, left) = latest.map_or(("X9".to_owned(), None), |(reference, left)| (reference, Some(left)));
        (BackBy::Card { reference }, left)
    }

    /// The means of giving an amount back in a way; returns whether they may give that.
    fn by(&self, way: Way, minor: i64) -> (Back, bool) {
        let (card, left) = self.card();
        let part = |by: &BackBy, minor| BackPart { by: by.clone(), minor };
        match way {
            Way::AsPaid => (Back::default(), true),
            Way::Owed => (BackBy::Owed.into(), true),
            Way::Cash => (BackBy::Cash.into(), minor <= self.cash),
            Way::Override => (Back { beyond: Beyond::Override, ..BackBy::Cash.into() }, true),
            Way::Card => (card.into(), minor == 0 || left.is_some_and(|left| minor <= left)),
            Way::Both => {
                let half = minor / 2;
                let parts = vec![part(&card, Some(half)), part(&BackBy::Cash, None)];
                let allowed = left.is_some_and(|left| half <= left) && minor - half <= self.cash;
                (Back { parts, ..Back::default() }, minor == 0 || allowed)
            }
        }
    }

    /// Takes out what went back; returns how much of it no means had paid.
    fn give(&mut self, back: &[PaidBack]) -> i64 {
        let mut beyond = 0;
        for one in back {
            let left = match &one.by {
                BackBy::Cash => Some(&mut self.cash),
                BackBy::Card { reference } => {
                    let card = self.cards.iter_mut().find(|(known, _)| known == reference);
                    Some(&mut card.unwrap().1)
                }
                BackBy::Owed => one.credit.and_then(|code| self.credits.get_mut(&code)),
            };
            if let Some(left) = left {
                beyond += (one.minor - *left).max(0);
                *left = (*left - one.minor).max(0);
            }
        }
        beyond
    }

    /// Money went back through each means to its end before the next: credits, cards from the latest, cash.
    fn was_as_paid(&self, back: &[PaidBack]) {
        let got = |by: &BackBy, credit: Option<CreditCode>| {
            let of = back.iter().filter(|one| one.by == *by && (credit.is_none() || one.credit == credit));
            of.map(|one| one.minor).sum::<i64>()
        };
        let credits = self.credits.iter().map(|(code, left)| (*left, got(&BackBy::Owed, Some(*code))));
        let cards = self.cards.iter().rev();
        let cards = cards.map(|(reference, left)| (*left, got(&BackBy::Card { reference: reference.clone() }, None)));
        let mut rest = false;
        for (left, got) in credits.chain(cards).chain([(self.cash, got(&BackBy::Cash, None))]) {
            assert!(got == 0 || !rest, "{back:?} though more was left before: {self:?}");
            rest |= left > 0;
        }
        let known = |one: &PaidBack| one.by != BackBy::Owed || self.credits.contains_key(&one.credit.unwrap());
        assert!(back.iter().all(known), "a new credit: {back:?}");
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
