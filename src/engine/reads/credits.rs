//! Credits: those with money left, and one with the receipts that owed it and were paid with it.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::credit::{Credit, CreditCode};
use crate::domain::customer::Customer;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Credit with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CreditView {
    pub credit: Credit,
    /// The customer of the receipt that owed it first.
    pub customer: Customer,
    /// Receipts of its entries, in their order.
    pub entries: Vec<CreditUse>,
    /// Time zone of the house.
    pub zone: Tz,
}

/// Receipt that a credit became owed by, or that was paid with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CreditUse {
    /// Number of the receipt.
    pub receipt: String,
    pub at: Instant,
    /// Amount in minor units; below zero if it was paid.
    pub minor: i64,
}

/// Lists credits by code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadCredits {
    /// Only those with money left.
    pub open: bool,
    /// Only those behind this one.
    pub after: Option<CreditCode>,
}

/// Reads one credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadCredit(pub CreditCode);

impl Question for ReadCredits {
    type Answer = Vec<CreditView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CreditView>, Failure> {
        let open = if self.open { "remaining > 0 AND " } else { "" };
        let after = self.after.map_or_else(String::new, |code| code.to_string());
        let condition = format!("WHERE {open}key > $1 ORDER BY key LIMIT 100");
        let credits: Vec<Credit> = snapshot.select(&condition, &[after.into()])?;
        snapshot.each(&credits, view)
    }
}

impl Question for ReadCredit {
    type Answer = CreditView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<CreditView, Failure> {
        let code = self.0.to_string();
        let Some(credit) = snapshot.find::<Credit>(&code)? else {
            return Err(Refusal::not_found("credit", code).into());
        };
        view(snapshot, &credit)
    }
}

fn view(snapshot: &mut Snapshot<'_>, credit: &Credit) -> Result<CreditView, Failure> {
    let mut customer = None;
    let mut entries = Vec::with_capacity(credit.entries.len());
    for entry in &credit.entries {
        let receipt: Receipt = snapshot.get(entry.receipt)?;
        customer = customer.or(receipt.customer);
        entries.push(CreditUse { receipt: receipt.number, at: receipt.issued_at, minor: entry.minor });
    }
    let (customer, zone) = (snapshot.customer(customer)?, snapshot.settings()?.time_zone);
    Ok(CreditView { credit: credit.clone(), customer, entries, zone })
}
