//! Acts on orders in the model of money: refund, release, goodwill, exchange, settling.

use proptest::option;
use proptest::prelude::{Strategy, any, prop_oneof};
use willcall::domain::back::{ReturnTerms, Share};

use willcall::domain::loss::CellGroup;
use willcall::domain::receipt::Tender;
use willcall::engine::ops::{CorrectReceipt, CorrectionAct, Exchange, HoldSeats, SettleBy, Take};

use super::super::support::receipt;
use super::{FEE, Ledger, Order, Played, SEATS, Way, price, seat, way};

#[derive(Clone, Copy, Debug)]
pub(super) enum OrderAct {
    /// Some seats of an order, and at most an amount.
    Refund {
        some: u16,
        way: Way,
        most: Option<i64>,
    },
    Release {
        some: u16,
    },
    Goodwill {
        minor: i64,
        way: Way,
    },
    Exchange {
        some: u16,
        night: usize,
        first: u32,
    },
    Settle {
        as_paid: bool,
    },
}

pub(super) fn act() -> impl Strategy<Value = OrderAct> {
    let some = || any::<u16>();
    prop_oneof![
        4 => (some(), way(), option::of(0..2500_i64)).prop_map(|(some, way, most)| OrderAct::Refund { some, way, most }),
        1 => some().prop_map(|some| OrderAct::Release { some }),
        2 => (1..1500_i64, way()).prop_map(|(minor, way)| OrderAct::Goodwill { minor, way }),
        4 => (some(), 0..2_usize, 0..SEATS).prop_map(|(some, night, first)| OrderAct::Exchange { some, night, first }),
        2 => any::<bool>().prop_map(|as_paid| OrderAct::Settle { as_paid }),
    ]
}

impl Played {
    pub(super) fn order_step(&mut self, at: usize, order: usize, act: OrderAct) {
        match act {
            OrderAct::Refund { some, way, most } => self.refund(at, (order, some), (way, most)),
            OrderAct::Release { some } => {
                let numbers = self.some(order, some);
                let cells = Some(vec![self.cells(self.orders[order].night, &numbers)]);
                let act = CorrectionAct::Release { cells };
                let release = self.correct(order, act);
                if self.run(at, release, !numbers.is_empty()).is_some() {
                    self.take_out(order, &numbers);
                }
            }
            OrderAct::Goodwill { minor, way } => {
                let of = &self.orders[order];
                let (back, may) = self.ledgers[of.ledger].by(way, minor);
                let act = CorrectionAct::Goodwill { back, amount: minor };
                if let Some(issued) = self.run(at, self.correct(order, act), may && minor <= of.left) {
                    self.gave(at, (order, minor), (way, &issued));
                }
            }
            OrderAct::Exchange { some, night, first } => {
                self.exchange(at, (order, some), (night, first));
            }
            OrderAct::Settle { as_paid } => self.settle(at, order, as_paid),
        }
    }

    fn refund(&mut self, at: usize, (order, some): (usize, u16), (way, most): (Way, Option<i64>)) {
        let numbers = self.some(order, some);
        let of = &self.orders[order];
        let whole = price(of.night, &numbers).min(of.left);
        let minor = most.unwrap_or(whole);
        let (back, may) = self.ledgers[of.ledger].by(way, minor);
        let allowed = may && !numbers.is_empty() && minor <= whole;
        let cells = Some(vec![self.cells(of.night, &numbers)]);
        // what is not given back is kept
        let share = most.map_or(Share::All, |minor| Share::AllBut(whole - minor));
        let act = CorrectionAct::Refund { cells, back, share };
        if let Some(issued) = self.run(at, self.correct(order, act), allowed) {
            self.gave(at, (order, minor), (way, &issued));
            self.take_out(order, &numbers);
        }
    }

    /// Seats of an order for as many of a night; the difference is paid in cash, or given back as it was paid.
    fn exchange(&mut self, at: usize, (order, some): (usize, u16), (night, first): (usize, u32)) {
        let numbers = self.some(order, some);
        let count = u32::try_from(numbers.len()).unwrap();
        let take: Vec<u32> = (first..first + count).collect();
        let of = self.orders[order].clone();
        let (old, new) = (price(of.night, &numbers), price(night, &take));
        let fee = if self.starts[of.night] == of.start { FEE * i64::from(count) } else { 0 };
        let total = new - old + fee;
        let credited = (old - fee).min(of.left);
        let short = old - fee - credited;
        let free = take.iter().all(|number| self.is_free(night, *number));
        let allowed = count > 0 && free && !self.canceled[night] && short <= new;
        let HoldSeats { performance, seats, ticket_type, .. } = self.holding(None, (night, &take));
        let exchange = Exchange {
            receipt: of.receipt,
            cells: Some(vec![self.cells(of.night, &numbers)]),
            take: Take::Seats { performance, seats, ticket_type },
            tenders: vec![Tender::Cash { given: None }; usize::from(total > 0)],
            terms: ReturnTerms { reason: "another night".into(), ..ReturnTerms::default() },
        };
        if let Some(done) = self.run(at, exchange, allowed) {
            let issued = receipt(done);
            assert_eq!(issued.total, total);
            self.till(at, total.max(0));
            self.ledgers[of.ledger].cash += total.max(0);
            assert_eq!(self.paid_back(at, order, (Way::AsPaid, &issued)), (-total).max(0));
            self.orders[order].left -= credited;
            self.take_out(order, &numbers);
            let new = self.order(issued.id, (night, take), new - short);
            self.orders.push(Order { ledger: of.ledger, ..new });
        }
    }

    fn settle(&mut self, at: usize, order: usize, as_paid: bool) {
        let of = self.orders[order].clone();
        let numbers: Vec<u32> = of.seats.keys().copied().collect();
        let minor = price(of.night, &numbers).min(of.left);
        let act = CorrectionAct::Settle {
            performance: self.nights[of.night],
            by: if as_paid { SettleBy::AsPaid } else { SettleBy::Owed },
        };
        let allowed = self.canceled[of.night] && !numbers.is_empty();
        if let Some(issued) = self.run(at, self.correct(order, act), allowed) {
            let in_cash = issued.in_cash();
            assert_eq!(in_cash, 0, "nothing out of a drawer");
            let before = self.ledgers[of.ledger].clone();
            self.gave(at, (order, minor), (Way::Owed, &issued));
            let after = &self.ledgers[of.ledger];
            let cards = |ledger: &Ledger| ledger.cards.iter().map(|(_, left)| left).sum::<i64>();
            let credits = |ledger: &Ledger| ledger.credits.values().sum::<i64>();
            if as_paid {
                let to_credits = credits(&before).min(minor);
                let to_cards = cards(&before).min(minor - to_credits);
                let gone = (credits(&before) - credits(after), cards(&before) - cards(after));
                assert_eq!(gone, (to_credits, to_cards), "back as it was paid");
            } else {
                assert_eq!((credits(&before), cards(&before)), (credits(after), cards(after)), "all by a credit");
            }
            self.take_out(order, &numbers);
        }
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
        CorrectReceipt { receipt: self.orders[order].receipt, act, reason: "ill".into(), keep: None }
    }
}
