//! Return checks: each returned cell came back once, by a receipt that its own receipt names.

use std::collections::BTreeMap;

use super::report::{Invariant, Report};
use crate::domain::correction::{Correction, price_of};
use crate::domain::ids::ReceiptId;
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::money::{self, MoneyError};
use crate::domain::receipt::Receipt;

/// Corrections seen so far: as the corrected receipts tell them, and as the correcting ones do.
#[derive(Default)]
pub(super) struct Corrections {
    corrected: BTreeMap<ReceiptId, CorrectedReceipt>,
    by: BTreeMap<ReceiptId, Vec<CorrectingReceipt>>,
}

/// Part of a corrected receipt that its corrections account for.
struct CorrectedReceipt {
    number: String,
    by: Vec<ReceiptId>,
    /// Cells that came back, by line.
    cells: BTreeMap<u32, CellGroup>,
}

struct CorrectingReceipt {
    id: ReceiptId,
    cells: Vec<(u32, CellGroup)>,
}

/// Checks the sums of a receipt: lines and fee less the returned cells, and payments less what was paid back, are its total.
pub(super) fn check_money(receipt: &Receipt, report: &mut Report) {
    let subject = format!("receipt {}", receipt.number);
    let totals: Result<Vec<i64>, MoneyError> = receipt.lines.iter().map(Line::total).collect();
    let correction = receipt.correction.as_deref();
    let returned = correction.map_or(Ok(0), |correction| price_of(&correction.returned));
    let fee = correction.map_or(0, |correction| correction.fee);
    let lines = totals.and_then(|totals| money::sum(totals.into_iter().chain([fee, -returned?])));
    let payments = receipt.payments.iter().map(|payment| payment.minor);
    let back = correction.map_or(0, Correction::back);
    let paid = money::sum(payments.chain([-back]));
    report.expect(lines == Ok(receipt.total), (Invariant::Money, &subject), || {
        format!("its lines are {lines:?}, its total is {}", receipt.total)
    });
    report.expect(paid == Ok(receipt.total), (Invariant::Money, &subject), || {
        format!("its payments are {paid:?}, its total is {}", receipt.total)
    });
    let positive = receipt.payments.iter().all(|payment| payment.minor >= 0 && payment.change() >= 0);
    report.expect(positive && back >= 0, (Invariant::Money, &subject), || {
        "a payment, its change or what was paid back is negative".into()
    });
    let left = receipt.left();
    let in_bounds = left.as_ref().is_ok_and(|left| *left >= 0) && receipt.credited >= 0;
    report.expect(in_bounds, (Invariant::Money, &subject), || format!("{} of it was given back", receipt.credited));
}

impl Corrections {
    /// Adds what a receipt tells of its corrections, and of those that it makes.
    pub(super) fn add(&mut self, receipt: &Receipt) {
        if let Some(correction) = &receipt.correction {
            for of in &correction.of {
                let returned = correction.returned.iter().filter(|one| one.receipt == *of);
                let cells = returned.map(|one| (one.line, one.cells.clone()));
                self.by.entry(*of).or_default().push(CorrectingReceipt { id: receipt.id, cells: cells.collect() });
            }
        }
        let cells = receipt.lines.iter().filter_map(|line| Some((line.number, line.came_back()?)));
        let cells: BTreeMap<u32, CellGroup> = cells.filter(|(_, cells)| !cells.is_empty()).collect();
        if !cells.is_empty() || !receipt.corrected_by.is_empty() {
            let corrected =
                CorrectedReceipt { number: receipt.number.clone(), by: receipt.corrected_by.clone(), cells };
            self.corrected.insert(receipt.id, corrected);
        }
    }

    /// Checks that both sides tell the same.
    pub(super) fn check(mut self, report: &mut Report) {
        for (id, mut corrected) in self.corrected {
            let by = self.by.remove(&id).unwrap_or_default();
            let subject = format!("receipt {}", corrected.number);
            for one in by {
                let is_named = corrected.by.contains(&one.id);
                corrected.by.retain(|id| *id != one.id);
                report.expect(is_named, (Invariant::Money, &subject), || {
                    format!("receipt {} corrects it, and it does not name that", one.id)
                });
                for (line, cells) in one.cells {
                    let left = corrected.cells.get_mut(&line);
                    let missing = left.as_ref().is_none_or(|left| !cells.without(left).is_empty());
                    report.expect(!missing, (Invariant::Money, &subject), || {
                        format!("cells of line {line} came back twice, or not to it")
                    });
                    if let Some(left) = left {
                        *left = left.without(&cells);
                    }
                }
            }
            let unaccounted = corrected.cells.values().any(|cells| !cells.is_empty());
            report.expect(!unaccounted && corrected.by.is_empty(), (Invariant::Money, &subject), || {
                "cells came back that no receipt took, or a receipt that it names is not there".into()
            });
        }
        for (id, by) in self.by {
            let subject = format!("receipt {id}");
            report.violation(
                Invariant::Money,
                &subject,
                format!("{} receipts correct it, and it does not say so", by.len()),
            );
        }
    }
}
