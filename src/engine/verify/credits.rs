//! Credit checks: what receipts owed under a code less what was paid with it is what its credit has, never below zero.

use std::collections::{BTreeMap, HashMap};

use super::each_page;
use super::report::{Invariant, Report};
use crate::domain::credit::{Credit, CreditCode};
use crate::domain::ids::ReceiptId;
use crate::domain::receipt::Receipt;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Money by the codes that receipts name, in minor units: above zero what became owed, below zero what was paid.
#[derive(Default)]
pub(super) struct Credits(HashMap<CreditCode, BTreeMap<ReceiptId, i64>>);

impl Credits {
    pub(super) fn add(&mut self, receipt: &Receipt) {
        for (code, minor) in receipt.credits() {
            let of_it = self.0.entry(code).or_default();
            *of_it.entry(receipt.id).or_default() += minor;
        }
    }

    pub(super) fn check(mut self, snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
        each_page(snapshot, &mut |_, credits: Vec<Credit>| {
            report.checked += credits.len();
            for credit in &credits {
                let subject = format!("credit {}", credit.code);
                let receipts = self.0.remove(&credit.code).unwrap_or_default();
                let mut entries: BTreeMap<ReceiptId, i64> = BTreeMap::new();
                for entry in &credit.entries {
                    *entries.entry(entry.receipt).or_default() += entry.minor;
                }
                report.expect(entries == receipts, (Invariant::Money, &subject), || {
                    format!("it has {entries:?}, its receipts say {receipts:?}")
                });
                report.expect(credit.left() >= 0, (Invariant::Money, &subject), || {
                    format!("{} is left of it", credit.left())
                });
            }
            Ok(())
        })?;
        for code in self.0.into_keys() {
            let subject = format!("credit {code}");
            report.violation(Invariant::Money, subject, "receipts name it, and it is not there");
        }
        Ok(())
    }
}
