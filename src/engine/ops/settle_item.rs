//! Settles a worklist item: refund or waiver.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::correction::BackBy;
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{ReceiptId, WorkId};
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal, Requirement};
use crate::domain::text::clean;
use crate::engine::ops::correct_receipt::{CorrectReceipt, CorrectionAct};
use crate::engine::ops::receipts::{self, MoneyBack};
use crate::engine::ops::refund_booking::RefundBooking;
use crate::engine::ops::worklist::resolve;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Settles an open worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettleItem {
    pub item: WorkId,
    pub act: ItemAct,
    pub reason: String,
}

/// Act that settles a worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemAct {
    /// The price of the lost cells, or the unissued payment, is given back.
    Refund(BackBy),
    /// The customer gives the lost cells up without money.
    Waive,
}

/// Settled item, with the receipts of the act; none if nothing had been paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemSettled {
    pub item: WorklistItem,
    pub receipts: Vec<Receipt>,
}

impl Operation for SettleItem {
    const VERB: &'static str = "settle_item";
    type Answer = ItemSettled;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<ItemSettled, Failure> {
        let mut item: WorklistItem = work.get(self.item)?;
        if let WorkState::Resolved { operator, .. } = item.state {
            return Err(Refusal::AlreadyResolved { operator }.into());
        }
        if clean(&self.reason).is_empty() {
            return Err(Refusal::bad("reason", Problem::Missing(Requirement::Reason)).into());
        }
        let receipts = match (&item.what, &self.act) {
            (WorkKind::Displaced { owner, loss, .. }, act) => match paid_by(work, owner)? {
                Some(receipt) => {
                    let cells = vec![loss.cells.clone()];
                    vec![self.correct(work, receipt, correction(act, cells))?]
                }
                None if *act == ItemAct::Waive => Vec::new(),
                None => return Err(CorrectionRefusal::NothingPaid.into()),
            },
            (
                WorkKind::UnissuedPayment {
                    cart,
                    reference,
                    minor,
                    currency,
                    ..
                },
                ItemAct::Refund(by),
            ) => {
                let reference = reference.clone();
                let back = MoneyBack {
                    customer: work.get::<Cart>(*cart)?.customer,
                    currency: *currency,
                    minor: *minor,
                    payments: vec![Payment {
                        means: Means::Card { reference },
                        minor: *minor,
                    }],
                    of: None,
                };
                vec![receipts::give_back(work, back, (by, &self.reason))?]
            }
            (WorkKind::Overpaid { booking, .. }, ItemAct::Refund(by)) => RefundBooking {
                booking: *booking,
                by: by.clone(),
                amount: None,
                reason: self.reason.clone(),
            }
            .run(work)?,
            (WorkKind::UnissuedPayment { .. } | WorkKind::Overpaid { .. }, ItemAct::Waive) => {
                return Err(CorrectionRefusal::MoneyNotWaived.into());
            }
        };
        // a correction resolves the items of its cells
        item = work.get(self.item)?;
        if item.state == WorkState::Open {
            let note = match receipts.last() {
                Some(receipt) => format!("refund {}", receipt.number),
                None => format!("waived: {}", self.reason),
            };
            resolve(work, &mut item, &note)?;
        }
        Ok(ItemSettled { item, receipts })
    }
}

fn correction(act: &ItemAct, cells: Vec<CellGroup>) -> CorrectionAct {
    match act {
        ItemAct::Refund(by) => CorrectionAct::Refund {
            cells: Some(cells),
            by: by.clone(),
            amount: None,
        },
        ItemAct::Waive => CorrectionAct::Waive { cells },
    }
}

/// The receipt that an owner's cells were paid by.
fn paid_by(work: &mut UnitOfWork<'_>, owner: &Owner) -> Result<Option<ReceiptId>, Failure> {
    let Some(cart) = owner.cart() else {
        return Ok(None);
    };
    Ok(match work.get::<Cart>(cart)?.state {
        CartState::Done(receipt) => Some(receipt),
        CartState::Active | CartState::Canceled | CartState::Expired => None,
    })
}

impl SettleItem {
    fn correct(
        &self,
        work: &mut UnitOfWork<'_>,
        receipt: ReceiptId,
        act: CorrectionAct,
    ) -> Result<Receipt, Failure> {
        let reason = self.reason.clone();
        CorrectReceipt {
            receipt,
            act,
            reason,
            keep: None,
        }
        .run(work)
    }
}
