//! Money and seats after the sale against a naive model: random acts of three stations on two nights. After each the till of
//! every station, every credit, every order and the free seats are as the model has them, and the house verifies.
//!
//! `SEQUENCES=10000 cargo test --test stories money` plays more.

#![expect(
    clippy::indexing_slicing,
    clippy::similar_names,
    reason = "places of entries that are there, and few names in a model"
)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;
use willcall::domain::correction::{BackBy, ReturnTerms};
use willcall::domain::credit::CreditCode;
use willcall::domain::ids::{PerformanceId, ReceiptId};
use willcall::domain::loss::CellGroup;
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::engine::ops::{
    CancelPerformance, CheckedOut, Checkout, CorrectReceipt, CorrectionAct, DisableSeats, Exchange,
    HoldSeats, HouseSeats, ItemAct, SeatChoice, SettleBy, SettleItem, Take, Which,
};
use willcall::engine::reads::credits::ReadCredit;
use willcall::engine::reads::offers::ReadOffers;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::{Desk, Failure, Operation};

use super::after_sale::taken_today;
use super::support::{House, paying};

/// Prices of a seat of the two nights.
const PRICES: [i64; 2] = [1000, 1250];

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
    /// Some seats of an order, and at most an amount.
    Refund {
        order: usize,
        some: u16,
        way: Way,
        most: Option<i64>,
    },
    Release {
        order: usize,
        some: u16,
    },
    Goodwill {
        order: usize,
        minor: i64,
        way: Way,
    },
    Exchange {
        order: usize,
        some: u16,
        night: usize,
        first: u32,
    },
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
    Settle {
        order: usize,
        as_paid: bool,
    },
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        proptest::strategy::Just(Way::Cash),
        proptest::strategy::Just(Way::Card),
        proptest::strategy::Just(Way::Owed)
    ]
}

fn act() -> impl Strategy<Value = (usize, Act)> {
    let order = || 0..8_usize;
    let night = || 0..2_usize;
    let some = || any::<u16>();
    let act = prop_oneof![
        6 => (night(), 0..SEATS, 1..4_u32, way()).prop_map(|(night, first, count, way)| Act::Sell { night, first, count, way }),
        4 => (order(), some(), way(), proptest::option::of(0..2500_i64)).prop_map(|(order, some, way, most)| Act::Refund { order, some, way, most }),
        1 => (order(), some()).prop_map(|(order, some)| Act::Release { order, some }),
        2 => (order(), 1..1500_i64, way()).prop_map(|(order, minor, way)| Act::Goodwill { order, minor, way }),
        4 => (order(), some(), night(), 0..SEATS).prop_map(|(order, some, night, first)| Act::Exchange { order, some, night, first }),
        2 => (night(), 0..SEATS).prop_map(|(night, seat)| Act::Disable { night, seat }),
        2 => order().prop_map(|item| Act::Replace { item }),
        1 => (order(), way()).prop_map(|(item, way)| Act::SettleItem { item, way }),
        1 => night().prop_map(|night| Act::Cancel { night }),
        2 => (order(), any::<bool>()).prop_map(|(order, as_paid)| Act::Settle { order, as_paid }),
    ];
    (0..3_usize, act)
}

/// An order as the model has it.
#[derive(Clone, Debug)]
struct Order {
    receipt: ReceiptId,
    night: usize,
    /// Its seats that did not come back; true for those that it lost.
    seats: BTreeMap<u32, bool>,
    /// Money paid for them and not given back.
    left: i64,
    /// Part of it that cards paid and that did not go back to a card.
    card: i64,
}

struct Played {
    house: House,
    stations: Vec<Desk>,
    nights: [PerformanceId; 2],
    canceled: [bool; 2],
    out: [BTreeSet<u32>; 2],
    orders: Vec<Order>,
    tills: BTreeMap<String, i64>,
    credits: BTreeMap<CreditCode, i64>,
}

/// The seat of a number: those of the rows behind the first begin at 100 each.
fn seat(number: u32) -> SeatRef {
    SeatRef {
        row: number / 100,
        seat: number % 100,
    }
}

fn number(seat: SeatRef) -> u32 {
    100 * seat.row + seat.seat
}

impl Played {
    fn new() -> Self {
        let house = House::royal();
        let second = house.performance("Second night", &[(None, None, PRICES[1])]);
        let stations = ["till-1", "till-2", "till-3"]
            .map(|name| house.at(name))
            .to_vec();
        Self {
            nights: [house.show, second],
            stations,
            canceled: [false; 2],
            out: Default::default(),
            orders: Vec::new(),
            tills: BTreeMap::new(),
            credits: BTreeMap::new(),
            house,
        }
    }

    fn is_free(&self, night: usize, number: u32) -> bool {
        let taken =
            |order: &Order| order.night == night && order.seats.get(&number) == Some(&false);
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
        *self.tills.entry(station).or_default() += minor;
    }

    /// Notes money given back by a receipt, in the way that was asked for.
    fn gave(&mut self, at: usize, (order, minor): (usize, i64), issued: &Receipt) {
        self.orders[order].left -= minor;
        let back = issued.correction.as_ref().unwrap();
        let mut given = 0;
        for one in &back.paid_back {
            given += one.minor;
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
        assert_eq!(given, minor, "given back");
    }

    /// The seats of an order that are meant: those whose bit is set, or its first.
    fn some(&self, order: usize, some: u16) -> Vec<u32> {
        let all: Vec<u32> = self.orders[order].seats.keys().copied().collect();
        let mut meant = all.clone();
        meant.retain(|number| some >> (number % 16) & 1 == 1);
        if meant.is_empty() {
            meant.extend(all.first());
        }
        meant
    }

    fn cells(&self, night: usize, numbers: &[u32]) -> CellGroup {
        CellGroup::Seats {
            performance: self.nights[night],
            seats: numbers.iter().map(|number| seat(*number)).collect(),
        }
    }

    fn correct(&self, order: usize, act: CorrectionAct) -> CorrectReceipt {
        CorrectReceipt {
            receipt: self.orders[order].receipt,
            act,
            reason: "ill".into(),
            keep: None,
        }
    }

    fn take_out(&mut self, order: usize, numbers: &[u32]) {
        self.orders[order]
            .seats
            .retain(|number, _| !numbers.contains(number));
    }

    fn step(&mut self, at: usize, act: &Act) {
        let orders = self.orders.len();
        let order_of = |index: usize| (orders > 0).then(|| index % orders);
        match act.clone() {
            Act::Sell {
                night,
                first,
                count,
                way,
            } => self.sell(at, (night, first, count), way),
            Act::Refund {
                order,
                some,
                way,
                most,
            } => {
                if let Some(order) = order_of(order) {
                    self.refund(at, (order, some), (way, most));
                }
            }
            Act::Release { order, some } => {
                let Some(order) = order_of(order) else { return };
                let numbers = self.some(order, some);
                let cells = Some(vec![self.cells(self.orders[order].night, &numbers)]);
                let act = CorrectionAct::Release { cells };
                if self
                    .run(at, self.correct(order, act), !numbers.is_empty())
                    .is_some()
                {
                    self.take_out(order, &numbers);
                }
            }
            Act::Goodwill { order, minor, way } => {
                let Some(order) = order_of(order) else { return };
                let allowed = minor <= self.orders[order].left;
                let act = CorrectionAct::Goodwill {
                    by: by(way),
                    amount: minor,
                };
                if let Some(issued) = self.run(at, self.correct(order, act), allowed) {
                    self.gave(at, (order, minor), &issued);
                }
            }
            Act::Exchange {
                order,
                some,
                night,
                first,
            } => {
                if let Some(order) = order_of(order) {
                    self.exchange(at, (order, some), (night, first));
                }
            }
            Act::Disable {
                night,
                seat: number,
            } => self.disable(at, (night, number)),
            Act::Replace { item } => self.replace(at, item),
            Act::SettleItem { item, way } => self.settle_item(at, item, way),
            Act::Cancel { night } => self.cancel(at, night),
            Act::Settle { order, as_paid } => {
                if let Some(order) = order_of(order) {
                    self.settle(at, order, as_paid);
                }
            }
        }
    }

    fn refund(&mut self, at: usize, (order, some): (usize, u16), (way, most): (Way, Option<i64>)) {
        let numbers = self.some(order, some);
        let of = &self.orders[order];
        let price = PRICES[of.night] * i64::try_from(numbers.len()).unwrap();
        let whole = price.min(of.left);
        let minor = most.unwrap_or(whole);
        let allowed = !numbers.is_empty() && minor <= whole;
        let act = CorrectionAct::Refund {
            cells: Some(vec![self.cells(of.night, &numbers)]),
            by: by(way),
            amount: most,
        };
        if let Some(issued) = self.run(at, self.correct(order, act), allowed) {
            self.gave(at, (order, minor), &issued);
            self.take_out(order, &numbers);
        }
    }

    fn cancel(&mut self, at: usize, night: usize) {
        let cancel = CancelPerformance {
            performance: self.nights[night],
            reason: "flooded".into(),
        };
        self.run(at, cancel, true);
        self.canceled[night] = true;
        let orders = self.orders.iter_mut();
        for order in orders.filter(|order| order.night == night) {
            order.seats.values_mut().for_each(|lost| *lost = true);
        }
    }

    fn sell(&mut self, at: usize, (night, first, count): (usize, u32, u32), way: Way) {
        let numbers: Vec<u32> = (first..SEATS.min(first + count)).collect();
        let free = numbers.iter().all(|number| self.is_free(night, *number));
        let allowed = free && !self.canceled[night];
        let hold = HoldSeats {
            cart: None,
            performance: self.nights[night],
            seats: SeatChoice::Seats(numbers.iter().map(|number| seat(*number)).collect()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        let Some(cart) = self.run(at, hold, allowed) else {
            return;
        };
        let price = PRICES[night] * i64::try_from(numbers.len()).unwrap();
        let credit = self.credits.iter().find(|(_, left)| **left > 0);
        let credit = credit.map(|(code, left)| (*code, (*left).min(price)));
        let reference = "R1".to_owned();
        let mut card = 0;
        let mut taken = price;
        let tenders = match (way, credit) {
            (Way::Card, _) => {
                card = price;
                vec![Tender::Card {
                    reference,
                    charged: None,
                }]
            }
            (Way::Owed, Some((credit, minor))) => {
                taken -= minor;
                *self.credits.get_mut(&credit).unwrap() -= minor;
                vec![
                    Tender::Owed {
                        credit,
                        amount: Some(minor),
                    },
                    Tender::Cash { given: None },
                ]
            }
            (Way::Cash, _) | (Way::Owed, None) => vec![Tender::Cash { given: None }],
        };
        let checkout = Checkout {
            tenders,
            ..paying(cart.id, 0)
        };
        let issued = self
            .run(at, checkout, true)
            .map(super::support::receipt)
            .unwrap();
        self.till(at, taken);
        self.orders.push(Order {
            receipt: issued.id,
            night,
            seats: numbers.into_iter().map(|number| (number, false)).collect(),
            left: price,
            card,
        });
    }

    /// Seats of an order for as many of a night; the difference is paid in cash, or given back so.
    fn exchange(&mut self, at: usize, (order, some): (usize, u16), (night, first): (usize, u32)) {
        let numbers = self.some(order, some);
        let count = u32::try_from(numbers.len()).unwrap();
        let take: Vec<u32> = (first..first + count).collect();
        let of = self.orders[order].clone();
        let many = i64::from(count);
        let (old, new) = (PRICES[of.night] * many, PRICES[night] * many);
        let free = take.iter().all(|number| self.is_free(night, *number));
        let short = (old - of.left).max(0);
        let allowed = count > 0 && free && !self.canceled[night] && short <= new;
        let tenders = if new > old {
            vec![Tender::Cash { given: None }]
        } else {
            Vec::new()
        };
        let exchange = Exchange {
            receipt: of.receipt,
            cells: Some(vec![self.cells(of.night, &numbers)]),
            take: Take::Seats {
                performance: self.nights[night],
                seats: SeatChoice::Seats(take.iter().map(|number| seat(*number)).collect()),
                ticket_type: None,
            },
            tenders,
            terms: ReturnTerms {
                reason: "another night".into(),
                by: (new < old).then_some(BackBy::Cash),
                ..ReturnTerms::default()
            },
        };
        if let Some(done) = self.run(at, exchange, allowed) {
            self.till(at, new - old);
            self.orders[order].left -= old.min(of.left);
            self.take_out(order, &numbers);
            self.issued(done, (night, take), new - short);
        }
    }

    /// A new order by an exchange.
    fn issued(&mut self, done: CheckedOut, (night, numbers): (usize, Vec<u32>), left: i64) {
        self.orders.push(Order {
            receipt: super::support::receipt(done).id,
            night,
            seats: numbers.into_iter().map(|number| (number, false)).collect(),
            left,
            card: 0,
        });
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

    /// The order and the lost seats of an item.
    fn lost(
        &self,
        index: usize,
    ) -> Option<(willcall::domain::house::WorklistItem, usize, Vec<u32>)> {
        let items = self.house.desk.read(ReadWorklist).unwrap();
        let view = items.get(index % items.len().max(1))?.clone();
        let willcall::domain::house::WorkKind::Displaced { loss, .. } = &view.item.what else {
            panic!("{view:?}");
        };
        let numbers = |performance| -> Vec<u32> {
            let seats = loss.cells.seats_of(performance);
            seats.iter().copied().map(number).collect()
        };
        let order = self.orders.iter().position(|order| {
            let lost = numbers(self.nights[order.night]);
            let has = |number| order.seats.get(number) == Some(&true);
            !lost.is_empty() && lost.iter().all(has) && view.owner == self.owner_of(order)
        })?;
        let lost = numbers(self.nights[self.orders[order].night]);
        Some((view.item, order, lost))
    }

    fn owner_of(&self, order: &Order) -> String {
        let receipt = self.house.desk.read(ReadReceipt(order.receipt)).unwrap();
        format!("receipt {}", receipt.receipt.number)
    }

    fn replace(&mut self, at: usize, index: usize) {
        let Some((item, order, numbers)) = self.lost(index) else {
            return;
        };
        let offers = self.house.desk.read(ReadOffers(item.clone())).unwrap();
        let Some(first) = offers.into_iter().next() else {
            return;
        };
        let ItemAct::Reseat {
            seats: SeatChoice::Named(names),
            ..
        } = &first.act
        else {
            panic!("{first:?}");
        };
        let of = self.orders[order].clone();
        let price = PRICES[of.night] * i64::try_from(numbers.len()).unwrap();
        let take: Vec<u32> = names
            .iter()
            .map(|name| {
                let row = u32::from(name.as_bytes()[0] - b'A');
                100 * row + name[1..].parse::<u32>().unwrap() - 1
            })
            .collect();
        let act = SettleItem {
            item: item.id,
            act: first.act,
            reason: String::new(),
        };
        if let Some(done) = self.run(at, act, true) {
            self.orders[order].left -= price.min(of.left);
            self.take_out(order, &numbers);
            self.orders.push(Order {
                receipt: done.receipts.first().unwrap().id,
                night: of.night,
                seats: take.into_iter().map(|number| (number, false)).collect(),
                left: price.min(of.left),
                card: 0,
            });
        }
    }

    fn settle_item(&mut self, at: usize, index: usize, way: Way) {
        let Some((item, order, numbers)) = self.lost(index) else {
            return;
        };
        let of = &self.orders[order];
        let price = PRICES[of.night] * i64::try_from(numbers.len()).unwrap();
        let minor = price.min(of.left);
        let act = SettleItem {
            item: item.id,
            act: ItemAct::Refund(by(way)),
            reason: "leak".into(),
        };
        if let Some(done) = self.run(at, act, true) {
            self.gave(at, (order, minor), done.receipts.first().unwrap());
            self.take_out(order, &numbers);
        }
    }

    fn settle(&mut self, at: usize, order: usize, as_paid: bool) {
        let of = self.orders[order].clone();
        let numbers: Vec<u32> = of.seats.keys().copied().collect();
        let price = PRICES[of.night] * i64::try_from(numbers.len()).unwrap();
        let minor = price.min(of.left);
        let act = CorrectionAct::Settle {
            performance: self.nights[of.night],
            by: if as_paid {
                SettleBy::AsPaid
            } else {
                SettleBy::Owed
            },
        };
        let allowed = self.canceled[of.night] && !numbers.is_empty();
        if let Some(issued) = self.run(at, self.correct(order, act), allowed) {
            let card: i64 = issued.by_card();
            let expected = if as_paid { of.card.min(minor) } else { 0 };
            assert_eq!(-card, expected, "back to the card");
            self.gave(at, (order, minor), &issued);
            self.take_out(order, &numbers);
        }
    }

    /// The house is as the model has it.
    fn holds(&self) {
        let tills: BTreeMap<String, i64> = taken_today(&self.house).into_iter().collect();
        let known = |tills: &BTreeMap<String, i64>| -> BTreeMap<String, i64> {
            tills
                .iter()
                .filter(|(_, minor)| **minor != 0)
                .map(|(name, minor)| (name.clone(), *minor))
                .collect()
        };
        assert_eq!(known(&tills), known(&self.tills), "taken today");
        for (code, left) in &self.credits {
            let credit = self.house.desk.read(ReadCredit(*code)).unwrap().credit;
            assert_eq!(credit.left(), *left, "credit {code}");
        }
        for order in &self.orders {
            let receipt = self
                .house
                .desk
                .read(ReadReceipt(order.receipt))
                .unwrap()
                .receipt;
            assert_eq!(
                receipt.left().unwrap(),
                order.left,
                "left of {}",
                receipt.number
            );
        }
        for night in 0..2 {
            if self.canceled[night] {
                continue;
            }
            let map = self
                .house
                .desk
                .read(ReadSeatMap(self.nights[night]))
                .unwrap();
            let live = self.orders.iter().filter(|order| order.night == night);
            let live = live
                .flat_map(|order| order.seats.values())
                .filter(|lost| !**lost);
            let gone = live.count() + self.out[night].len();
            assert_eq!(map.free, 80 - u32::try_from(gone).unwrap(), "free seats");
        }
        self.house.verified();
    }
}

fn by(way: Way) -> BackBy {
    match way {
        Way::Cash => BackBy::Cash,
        Way::Card => BackBy::Card {
            reference: "R9".into(),
        },
        Way::Owed => BackBy::Owed,
    }
}

#[test]
fn money_and_seats_add_up_after_every_act() {
    let sequences = std::env::var("SEQUENCES")
        .ok()
        .and_then(|text| text.parse().ok());
    let mut runner = TestRunner::new(ProptestConfig {
        cases: sequences.unwrap_or(48),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let acts = proptest::collection::vec(act(), 1..24);
    let played = runner.run(&acts, |acts| {
        let mut played = Played::new();
        for (at, act) in &acts {
            played.step(*at, act);
            played.holds();
        }
        Ok(())
    });
    played.unwrap();
}
