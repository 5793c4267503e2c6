//! Tills: a station's drawer from its opening to its count.
//!
//! A till is opened with a float, counted and closed; the next one of its station has the next number. Every receipt that
//! the station issues meanwhile counts on it, in the drawer of its currency.
//!
//! # Invariants
//! - A drawer has its float, what was added and what came in as cash, less what was taken out and given back in cash.
//! - The sums of a till are those of its receipts, which are the station's after [`Till::after`], up to the last one.

use serde::{Deserialize, Serialize};

use crate::domain::correction::BackBy;
use crate::domain::is_default;
use crate::domain::money::{Currency, Price};
use crate::domain::private;
use crate::domain::receipt::{Means, Receipt};
use crate::domain::refusal::{Problem, Refusal, TillRefusal};
use crate::domain::time::Instant;

/// Most times that cash is put into a till or taken out.
pub const MOVES_MAX: usize = 500;

/// A station's drawer from its opening to its count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Till {
    pub station: String,
    /// Number, without gaps per station.
    pub number: u64,
    pub opened_at: Instant,
    pub operator: String,
    /// Number of the station's last receipt before it.
    pub after: u64,
    /// Number of the last receipt that counts on it.
    pub last: u64,
    /// Money by currency, sorted.
    pub drawers: Vec<Drawer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<CashMove>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closing>,
}

/// End of a till.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    pub at: Instant,
    pub operator: String,
}

/// Money of a till in one currency, in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawer {
    pub currency: Currency,
    /// Cash that it was opened with.
    pub float: i64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub added: i64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub dropped: i64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub cash: MoneyFlow,
    #[serde(default, skip_serializing_if = "is_default")]
    pub card: MoneyFlow,
    #[serde(default, skip_serializing_if = "is_default")]
    pub owed: MoneyFlow,
    /// Cash that was counted in it at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<i64>,
}

/// Money that was taken, and given back, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyFlow {
    pub taken: i64,
    pub back: i64,
}

/// Means by which money comes in and goes back.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Deserialize,
    Serialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum MeansKind {
    Cash,
    Card,
    Owed,
}

worded!(MeansKind);

/// Cash that was put into a drawer, or taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CashMove {
    pub way: CashWay,
    /// Amount in minor units, above zero.
    pub minor: i64,
    pub currency: Currency,
    #[serde(with = "private")]
    pub reason: String,
    pub operator: String,
    pub at: Instant,
}

/// Way of cash that no receipt moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CashWay {
    Add,
    /// Out, to the bank or the safe.
    Drop,
}

worded!(CashWay);

impl Till {
    /// Key of its document: `till-1/3`.
    pub fn key(&self) -> String {
        Self::key_of(&self.station, self.number)
    }

    /// Key of the till of a station with a number.
    pub fn key_of(station: &str, number: u64) -> String {
        format!("{station}/{number}")
    }

    /// Number of receipts that count on it.
    pub const fn receipts(&self) -> u64 {
        self.last - self.after
    }

    /// Drawer of a currency; an empty one is added.
    pub fn drawer(&mut self, currency: Currency) -> &mut Drawer {
        let at = self.drawers.partition_point(|one| one.currency < currency);
        if self.drawers.get(at).is_none_or(|one| one.currency != currency) {
            self.drawers.insert(at, Drawer::empty(currency));
        }
        self.drawers.get_mut(at).unwrap_or_else(|| unreachable!("it stands where it was put"))
    }

    /// Counts the money of a receipt of its station.
    pub fn count(&mut self, receipt: &Receipt) {
        self.last += 1;
        if receipt.payments.is_empty() && receipt.back() == 0 {
            return;
        }
        let drawer = self.drawer(receipt.currency);
        for (means, flow) in flows(receipt) {
            let kept = match means {
                MeansKind::Cash => &mut drawer.cash,
                MeansKind::Card => &mut drawer.card,
                MeansKind::Owed => &mut drawer.owed,
            };
            kept.add(flow);
        }
    }

    /// Moves cash into its drawer or out of it.
    ///
    /// # Errors
    /// An amount that is not above zero, more than is in, or too many moves.
    pub fn shift(&mut self, moved: CashMove) -> Result<(), Refusal> {
        if self.moves.len() >= MOVES_MAX {
            return Err(TillRefusal::TillFull { station: self.station.clone(), most: MOVES_MAX }.into());
        }
        above_zero("amount", moved.minor)?;
        let drawer = self.drawer(moved.currency);
        match moved.way {
            CashWay::Add => drawer.added += moved.minor,
            CashWay::Drop if moved.minor > drawer.expected() => {
                let (left, currency) = (drawer.expected().max(0), moved.currency);
                return Err(TillRefusal::MoreThanInTill { left, currency }.into());
            }
            CashWay::Drop => drawer.dropped += moved.minor,
        }
        self.moves.push(moved);
        Ok(())
    }

    /// Ends it with the cash that was counted in its drawers.
    ///
    /// # Errors
    /// A count below zero, one that is given twice, or a drawer that was not counted.
    pub fn close(&mut self, counted: &[Price], closing: Closing) -> Result<(), Refusal> {
        for price in each_once("counted", counted)? {
            self.drawer(price.currency).counted = Some(price.minor);
        }
        let uncounted = self.drawers.iter().filter(|drawer| drawer.counted.is_none() && drawer.has_cash());
        let currencies: Vec<Currency> = uncounted.map(|drawer| drawer.currency).collect();
        if !currencies.is_empty() {
            return Err(TillRefusal::NotCounted { currencies }.into());
        }
        self.closed = Some(closing);
        Ok(())
    }
}

impl Drawer {
    /// Drawer without money.
    const fn empty(currency: Currency) -> Self {
        let none = MoneyFlow { taken: 0, back: 0 };
        Self { currency, float: 0, added: 0, dropped: 0, cash: none, card: none, owed: none, counted: None }
    }

    /// Cash that has to be in it, in minor units.
    pub const fn expected(&self) -> i64 {
        self.float + self.added - self.dropped + self.cash.net()
    }

    /// Cash that was counted beyond what has to be in it, in minor units; below zero what is missing.
    pub fn difference(&self) -> Option<i64> {
        self.counted.map(|counted| counted - self.expected())
    }

    /// Flows by means.
    pub const fn flows(&self) -> [(MeansKind, MoneyFlow); 3] {
        [(MeansKind::Cash, self.cash), (MeansKind::Card, self.card), (MeansKind::Owed, self.owed)]
    }

    /// Returns whether cash ever was in it.
    fn has_cash(&self) -> bool {
        [self.float, self.added, self.cash.taken, self.cash.back].iter().any(|minor| *minor != 0)
    }
}

impl MoneyFlow {
    /// Money taken less what was given back, in minor units.
    pub const fn net(self) -> i64 {
        self.taken - self.back
    }

    /// Adds another flow.
    pub const fn add(&mut self, other: Self) {
        self.taken += other.taken;
        self.back += other.back;
    }
}

/// Money of a receipt by means.
pub fn flows(receipt: &Receipt) -> impl Iterator<Item = (MeansKind, MoneyFlow)> {
    let taken = receipt.payments.iter().map(|payment| {
        let means = match payment.means {
            Means::Cash { .. } => MeansKind::Cash,
            Means::Card { .. } => MeansKind::Card,
            Means::Owed { .. } => MeansKind::Owed,
        };
        (means, MoneyFlow { taken: payment.minor, back: 0 })
    });
    let back = receipt.correction.iter().flat_map(|one| &one.paid_back).map(|back| {
        let means = match back.by {
            BackBy::Cash => MeansKind::Cash,
            BackBy::Card { .. } => MeansKind::Card,
            BackBy::Owed => MeansKind::Owed,
        };
        (means, MoneyFlow { taken: 0, back: back.minor })
    });
    taken.chain(back)
}

/// Amounts in several currencies.
///
/// # Errors
/// An amount below zero, or two amounts in one currency.
pub fn each_once<'a>(field: &str, amounts: &'a [Price]) -> Result<&'a [Price], Refusal> {
    for (place, amount) in amounts.iter().enumerate() {
        if amount.minor < 0 {
            return Err(Refusal::bad(field, Problem::Negative));
        }
        if amounts.iter().take(place).any(|other| other.currency == amount.currency) {
            return Err(Refusal::bad(field, Problem::Twice(amount.currency)));
        }
    }
    Ok(amounts)
}

/// Checks an amount that moves.
fn above_zero(field: &str, minor: i64) -> Result<(), Refusal> {
    match minor {
        0 => Err(Refusal::bad(field, Problem::Nothing)),
        minor if minor < 0 => Err(Refusal::bad(field, Problem::Negative)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CashMove, CashWay, Closing, Drawer, MeansKind, MoneyFlow, Till};
    use crate::domain::money::{Currency, Price};
    use crate::domain::time::Instant;

    const AT: Instant = Instant::from_millis(0);

    fn moved(way: CashWay, minor: i64) -> CashMove {
        CashMove { way, minor, currency: Currency::EUR, reason: "bank".into(), operator: "ada".into(), at: AT }
    }

    fn opened(float: i64) -> Till {
        let drawers = vec![Drawer { float, ..Drawer::empty(Currency::EUR) }];
        let (station, operator) = ("till-1".to_owned(), "ada".to_owned());
        Till { station, number: 1, opened_at: AT, operator, after: 0, last: 0, drawers, moves: vec![], closed: None }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn a_drawer_has_what_went_in_less_what_went_out(
            float in 0..50_000_i64,
            acts in prop::collection::vec((0..4_u8, -10..20_000_i64), 0..30),
            counted in 0..90_000_i64,
        ) {
            let mut till = opened(float);
            let (mut cash, mut card) = (float, 0);
            for (act, minor) in acts {
                let money = minor.max(0);
                let drawer = till.drawer(Currency::EUR);
                match act {
                    0 => {
                        drawer.cash.add(MoneyFlow { taken: money, back: 0 });
                        cash += money;
                    }
                    1 => {
                        drawer.cash.add(MoneyFlow { taken: 0, back: money });
                        cash -= money;
                    }
                    2 => {
                        drawer.card.add(MoneyFlow { taken: money, back: 0 });
                        card += money;
                    }
                    _ => {
                        let (way, sign) = if minor % 2 == 0 { (CashWay::Add, 1) } else { (CashWay::Drop, -1) };
                        let done = till.shift(moved(way, minor)).is_ok();
                        prop_assert_eq!(done, minor > 0 && (sign > 0 || minor <= cash));
                        cash += if done { sign * minor } else { 0 };
                    }
                }
            }
            let end = Closing { at: AT, operator: "ben".into() };
            till.close(&[Price { minor: counted, currency: Currency::EUR }], end).unwrap();
            let drawer = &till.drawers[0];
            prop_assert_eq!((drawer.expected(), drawer.difference()), (cash, Some(counted - cash)));
            prop_assert_eq!(drawer.flows()[1], (MeansKind::Card, MoneyFlow { taken: card, back: 0 }));
        }
    }
}
