//! Money that goes back: by the means that paid, each at most what it paid less what went back to it.
//!
//! Credits come first, then cards, the latest first, then cash. A fee that the house keeps stays with the last of them.

use serde::{Deserialize, Serialize};

use crate::domain::correction::{BackBy, ExchangeFee, PaidBack};
use crate::domain::is_default;
use crate::domain::money::Currency;
use crate::domain::private;
use crate::domain::receipt::{Means, Receipt};
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal, Requirement};
use crate::domain::text::clean;

/// Means by which money goes back; as it was paid if none is named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Back {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<BackPart>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub beyond: Beyond,
}

/// Means named for money that goes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackPart {
    #[serde(flatten)]
    pub by: BackBy,
    /// Amount in minor units; what the others leave if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<i64>,
}

/// Treatment of more than a means paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    #[default]
    Refuse,
    /// Given, and listed for a supervisor.
    Override,
}

/// Share of what was paid that goes back. Amounts in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    #[default]
    All,
    Only(i64),
    /// All but a fee that the house keeps.
    AllBut(i64),
}

/// Money that goes back, by its means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    pub by: Vec<PaidBack>,
    /// Part of it beyond what its means paid, in minor units.
    pub beyond: i64,
}

/// Amounts that means paid and that did not go back to them, in the order in which they go back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paid(Vec<PaidBack>);

/// Receipts that give money back together, in the order in which they do.
#[derive(Clone, Debug, Default)]
pub struct Purses {
    paid: Vec<Paid>,
    purses: Vec<Purse>,
}

/// Money that a receipt can give back.
#[derive(Clone, Debug)]
struct Purse {
    /// Number of the payments that paid for it, which other receipts may share.
    paid: usize,
    /// Amount in minor units that it can still give.
    left: i64,
    given: Given,
}

impl From<BackBy> for Back {
    fn from(by: BackBy) -> Self {
        Self { parts: vec![BackPart { by, minor: None }], beyond: Beyond::Refuse }
    }
}

impl Back {
    /// Checks the references and amounts of the named means, and cleans them.
    ///
    /// # Errors
    /// A card without a reference, or an amount below zero.
    pub fn checked(&self) -> Result<Self, Refusal> {
        let mut checked = self.clone();
        for part in &mut checked.parts {
            if let BackBy::Card { reference } = &mut part.by {
                *reference = clean(reference);
                if reference.is_empty() {
                    return Err(Refusal::CardReferenceMissing);
                }
            }
            if part.minor.is_some_and(|minor| minor < 0) {
                return Err(Refusal::bad("back", Problem::Negative));
            }
        }
        Ok(checked)
    }

    /// The named means with their amounts.
    fn split(&self, minor: i64, currency: Currency) -> Result<Vec<(&BackBy, i64)>, CorrectionRefusal> {
        let said = self.parts.iter().filter_map(|part| part.minor).fold(0, i64::saturating_add);
        let mut rest = minor.saturating_sub(said);
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let amount = part.minor.unwrap_or(rest.max(0));
            if part.minor.is_none() {
                rest -= amount;
            }
            parts.push((&part.by, amount));
        }
        if rest == 0 {
            Ok(parts)
        } else {
            Err(CorrectionRefusal::BackDiffers { back: minor, named: minor.saturating_sub(rest), currency })
        }
    }
}

impl Share {
    /// The share of an amount.
    pub const fn of(self, whole: i64) -> i64 {
        match self {
            Self::All => whole,
            Self::Only(minor) => minor,
            Self::AllBut(kept) => whole.saturating_sub(kept),
        }
    }

    /// Fee that the house keeps.
    pub const fn kept(self) -> i64 {
        match self {
            Self::All | Self::Only(_) => 0,
            Self::AllBut(kept) => kept,
        }
    }
}

impl Given {
    fn put(&mut self, one: PaidBack) {
        let mut known = self.by.iter_mut();
        match known.find(|known| (&known.by, known.credit) == (&one.by, one.credit)) {
            Some(known) => known.minor += one.minor,
            None => self.by.push(one),
        }
    }

    /// Puts cash on a credit: who is not there takes nothing out of a drawer.
    #[must_use]
    pub fn without_cash(self) -> Self {
        let mut given = Self { by: Vec::new(), beyond: self.beyond };
        for mut one in self.by {
            if one.by == BackBy::Cash {
                one.by = BackBy::Owed;
            }
            given.put(one);
        }
        given
    }
}

impl Paid {
    /// Payments of receipts, oldest first, less what their corrections gave back.
    pub fn of(receipts: &[Receipt]) -> Self {
        let mut all = Given::default();
        for payment in receipts.iter().rev().flat_map(|receipt| receipt.payments.iter().rev()) {
            let (by, credit) = match &payment.means {
                Means::Cash { .. } => (BackBy::Cash, None),
                Means::Card { reference } => (BackBy::Card { reference: reference.clone() }, None),
                Means::Owed { credit } => (BackBy::Owed, Some(*credit)),
            };
            all.put(PaidBack { by, minor: payment.minor, credit });
        }
        all.by.sort_by_key(|one| Turn::of(&one.by));
        let mut paid = Self(all.by);
        let corrections = receipts.iter().filter_map(|receipt| receipt.correction.as_ref());
        for gone in corrections.flat_map(|correction| &correction.paid_back) {
            paid.take(gone);
        }
        paid
    }

    /// Payment by a single card.
    pub fn by_card(reference: &str, minor: i64) -> Self {
        Self(vec![PaidBack { by: BackBy::Card { reference: reference.to_owned() }, minor, credit: None }])
    }

    /// Takes out what went back: to its means, or of a card by another slip, to any card.
    fn take(&mut self, gone: &PaidBack) {
        let is_card = |one: &PaidBack| Turn::of(&one.by) == Turn::Card && Turn::of(&gone.by) == Turn::Card;
        let mut rest = gone.minor;
        let (own, others): (Vec<_>, Vec<_>) =
            self.0.iter_mut().partition(|one| (&one.by, one.credit) == (&gone.by, gone.credit));
        for one in own.into_iter().chain(others.into_iter().filter(|one| is_card(one))) {
            let part = one.minor.min(rest);
            one.minor -= part;
            rest -= part;
        }
    }

    /// Gives an amount back by the named means, or as it was paid.
    ///
    /// # Errors
    /// Means that make another amount, a card that never paid, or more than a means paid, unless that is overridden.
    pub fn give(self, minor: i64, back: &Back, currency: Currency) -> Result<Given, Refusal> {
        let mut purses = Purses::default();
        let paid = purses.pays(self);
        purses.add(paid, minor);
        Ok(purses.give(minor, back, currency)?.pop().unwrap_or_default())
    }
}

/// Turn in which a means gets its money back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Credit,
    Card,
    Cash,
}

impl Turn {
    const fn of(by: &BackBy) -> Self {
        match by {
            BackBy::Owed => Self::Credit,
            BackBy::Card { .. } => Self::Card,
            BackBy::Cash => Self::Cash,
        }
    }
}

impl Purses {
    /// Adds what was paid for receipts that belong together; returns its number.
    pub fn pays(&mut self, paid: Paid) -> usize {
        self.paid.push(paid);
        self.paid.len() - 1
    }

    /// Adds a receipt of which at most an amount may go back, in minor units.
    pub fn add(&mut self, paid: usize, most: i64) {
        self.purses.push(Purse { paid, left: most, given: Given::default() });
    }

    /// Gives an amount back that is no more than all of them can give; what each gives, in their order.
    ///
    /// # Errors
    /// As of [`Paid::give`].
    pub fn give(mut self, minor: i64, back: &Back, currency: Currency) -> Result<Vec<Given>, Refusal> {
        if back.parts.is_empty() {
            let turns = [Turn::Credit, Turn::Card, Turn::Cash];
            let rest = turns.iter().fold(minor, |rest, turn| self.take(rest, |by| Turn::of(by) == *turn));
            // nothing is known of who paid the rest
            self.pour(&BackBy::Owed, rest);
            return Ok(self.given());
        }
        for (by, minor) in back.split(minor, currency)? {
            self.has_card(by)?;
            let rest = if *by == BackBy::Owed { minor } else { self.take(minor, |one| one == by) };
            if rest > 0 && *by != BackBy::Owed && back.beyond == Beyond::Refuse {
                return Err(CorrectionRefusal::BeyondPaid { by: by.clone(), left: minor - rest, currency }.into());
            }
            self.pour(by, rest);
        }
        Ok(self.given())
    }

    fn given(self) -> Vec<Given> {
        self.purses.into_iter().map(|purse| purse.given).collect()
    }

    /// Gives by means that paid, as far as they did; returns the rest.
    fn take(&mut self, mut rest: i64, is_meant: impl Fn(&BackBy) -> bool) -> i64 {
        for purse in &mut self.purses {
            let paid = self.paid.get_mut(purse.paid).into_iter().flat_map(|paid| &mut paid.0);
            for one in paid.filter(|one| is_meant(&one.by)) {
                let part = one.minor.min(purse.left).min(rest);
                if part > 0 {
                    one.minor -= part;
                    purse.left -= part;
                    rest -= part;
                    purse.given.put(PaidBack { minor: part, ..one.clone() });
                }
            }
        }
        rest
    }

    /// Gives by a means, whatever that paid.
    fn pour(&mut self, by: &BackBy, mut rest: i64) {
        for purse in &mut self.purses {
            let part = purse.left.min(rest);
            if part > 0 {
                purse.left -= part;
                rest -= part;
                purse.given.put(PaidBack { by: by.clone(), minor: part, credit: None });
                purse.given.beyond += if *by == BackBy::Owed { 0 } else { part };
            }
        }
    }

    /// Refuses a card that never paid.
    fn has_card(&self, by: &BackBy) -> Result<(), CorrectionRefusal> {
        let paid = || self.paid.iter().flat_map(|paid| &paid.0).map(|one| &one.by);
        let BackBy::Card { reference } = by else {
            return Ok(());
        };
        if paid().any(|one| one == by) {
            return Ok(());
        }
        let card = |by: &BackBy| match by {
            BackBy::Card { reference } => Some(reference.clone()),
            BackBy::Cash | BackBy::Owed => None,
        };
        let cards = paid().filter_map(card).collect();
        Err(CorrectionRefusal::CardNeverPaid { reference: reference.clone(), cards })
    }
}

/// Terms on which a cart takes cells back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnTerms {
    #[serde(with = "private")]
    pub reason: String,
    /// Means of paying back a total below zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub back: Back,
    #[serde(default, skip_serializing_if = "is_default")]
    pub fee: ExchangeFee,
}

impl ReturnTerms {
    /// Checks the means of paying back against a total, and the reason.
    ///
    /// # Errors
    /// A missing reason or card reference, or means of paying back for a total to be paid.
    pub fn checked(&self, total: i64, currency: Currency) -> Result<Self, Refusal> {
        let missing = |field, what| Err(Refusal::bad(field, Problem::Missing(what)));
        let reason = clean(&self.reason);
        if reason.is_empty() {
            return missing("reason", Requirement::Reason);
        }
        let back = self.back.checked()?;
        if total >= 0 && !back.parts.is_empty() {
            return Err(CorrectionRefusal::NothingToGiveBack { total, currency }.into());
        }
        let (reason, fee) = match &self.fee {
            ExchangeFee::Waived { reason: why } if clean(why).is_empty() => {
                return missing("no-fee", Requirement::Reason);
            }
            ExchangeFee::Waived { reason: why } => {
                let reason = format!("{reason}; no fee: {}", clean(why));
                (reason, self.fee.clone())
            }
            fee @ (ExchangeFee::Usual | ExchangeFee::Even) => (reason, fee.clone()),
        };
        Ok(Self { reason, back, fee })
    }
}

#[cfg(test)]
mod tests {
    use super::{Back, BackPart, Beyond, Given, Paid, Purses};
    use crate::domain::correction::{BackBy, PaidBack};
    use crate::domain::credit::CreditCode;
    use crate::domain::money::Currency;
    use crate::domain::refusal::{CorrectionRefusal, Refusal};

    fn card(reference: &str) -> BackBy {
        BackBy::Card { reference: reference.into() }
    }

    fn one(by: BackBy, minor: i64) -> PaidBack {
        PaidBack { by, minor, credit: None }
    }

    /// 10.00 by a credit, 20.00 by two cards, 30.00 in cash.
    fn paid() -> Paid {
        let credit = PaidBack { credit: Some(CreditCode::random()), ..one(BackBy::Owed, 1000) };
        Paid(vec![credit, one(card("R2"), 1500), one(card("R1"), 500), one(BackBy::Cash, 3000)])
    }

    fn give(minor: i64, back: &Back) -> Result<Vec<(BackBy, i64)>, Refusal> {
        let given = paid().give(minor, back, Currency::EUR)?;
        Ok(given.by.into_iter().map(|one| (one.by, one.minor)).collect())
    }

    fn by(parts: &[(BackBy, Option<i64>)]) -> Back {
        let parts = parts.iter().map(|(by, minor)| BackPart { by: by.clone(), minor: *minor });
        Back { parts: parts.collect(), ..Back::default() }
    }

    #[test]
    fn money_goes_back_as_it_was_paid_and_a_fee_stays_with_the_last_means() {
        let as_paid = |minor| give(minor, &Back::default()).unwrap();
        assert_eq!(as_paid(4000), [(BackBy::Owed, 1000), (card("R2"), 1500), (card("R1"), 500), (BackBy::Cash, 1000)]);
        assert_eq!(as_paid(1200), [(BackBy::Owed, 1000), (card("R2"), 200)]);
        assert_eq!(as_paid(0), []);
        let given = paid().give(6100, &Back::default(), Currency::EUR).unwrap();
        assert_eq!(given.by.last(), Some(&one(BackBy::Owed, 100)), "nobody knows who paid it");
    }

    #[test]
    fn another_split_within_what_the_means_paid_is_free() {
        let cash = by(&[(BackBy::Cash, None)]);
        assert_eq!(give(3000, &cash), Ok(vec![(BackBy::Cash, 3000)]));
        let both = by(&[(card("R1"), Some(400)), (BackBy::Cash, None)]);
        assert_eq!(give(1000, &both), Ok(vec![(card("R1"), 400), (BackBy::Cash, 600)]));
        assert_eq!(give(6000, &by(&[(BackBy::Owed, None)])), Ok(vec![(BackBy::Owed, 6000)]));
    }

    #[test]
    fn beyond_what_a_means_paid_it_is_overridden_or_refused() {
        let beyond = |by: &BackBy, left| {
            let (by, currency) = (by.clone(), Currency::EUR);
            Err(CorrectionRefusal::BeyondPaid { by, left, currency }.into())
        };
        assert_eq!(give(3001, &by(&[(BackBy::Cash, None)])), beyond(&BackBy::Cash, 3000));
        assert_eq!(give(1000, &by(&[(card("R1"), None)])), beyond(&card("R1"), 500));
        let over = Back { beyond: Beyond::Override, ..by(&[(BackBy::Cash, None)]) };
        let given = paid().give(3100, &over, Currency::EUR);
        assert_eq!(given, Ok(Given { by: vec![one(BackBy::Cash, 3100)], beyond: 100 }));
        let never = Back { beyond: Beyond::Override, ..by(&[(card("X9"), None)]) };
        let cards = vec!["R2".to_owned(), "R1".to_owned()];
        let refusal = CorrectionRefusal::CardNeverPaid { reference: "X9".into(), cards };
        assert_eq!(give(100, &never), Err(refusal.into()));
    }

    #[test]
    fn named_amounts_make_what_goes_back() {
        for (parts, named) in [
            (by(&[(BackBy::Cash, Some(900))]), 900),
            (by(&[(BackBy::Cash, Some(900)), (BackBy::Owed, Some(200))]), 1100),
        ] {
            let refusal = CorrectionRefusal::BackDiffers { back: 1000, named, currency: Currency::EUR };
            assert_eq!(give(1000, &parts), Err(refusal.into()));
        }
    }

    #[test]
    fn receipts_give_together_each_at_most_what_is_left_of_it() {
        let mut purses = Purses::default();
        let rest = purses.pays(Paid(vec![one(BackBy::Cash, 20000)]));
        let deposit = purses.pays(Paid(vec![one(card("R1"), 15000)]));
        purses.add(rest, 20000);
        purses.add(deposit, 10000);
        let given = purses.give(25000, &Back::default(), Currency::EUR).unwrap();
        let given: Vec<Vec<PaidBack>> = given.into_iter().map(|given| given.by).collect();
        assert_eq!(given, [vec![one(BackBy::Cash, 15000)], vec![one(card("R1"), 10000)]]);
    }
}
