//! Settles a worklist item: refund, waiver, or other seats or time.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::correction::BackBy;
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{PerformanceId, ReceiptId, WorkId};
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::refusal::{CorrectionRefusal, Refusal};
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;
use crate::engine::ops::correct_receipt::{CorrectReceipt, CorrectionAct};
use crate::engine::ops::hold_seats::SeatChoice;
use crate::engine::ops::receipts::{self, MoneyBack};
use crate::engine::ops::refund_booking::RefundBooking;
use crate::engine::ops::replacement;
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::worklist::{paid_by, resolve};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Settles an open worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettleItem {
    pub item: WorkId,
    pub act: ItemAct,
    /// Asked of a refund and a waiver.
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
    /// Other seats instead of the lost ones at no charge, or seats for a payment that bought nothing.
    Reseat { performance: PerformanceId, seats: SeatChoice },
    /// Time of the same length instead of the lost one, at no charge; on the same resource if `None`.
    Move { to: Option<ResourceId>, from: Instant },
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
        let receipts = match &self.act {
            ItemAct::Refund(by) => self.refund(work, &item, by)?,
            ItemAct::Waive => self.waive(work, &item)?,
            ItemAct::Reseat { performance, seats } => replacement::reseat(work, &item, (*performance, seats))?,
            ItemAct::Move { to, from } => replacement::move_time(work, &item, (to.as_ref(), *from))?,
        };
        // a correction resolves the items of its cells
        item = work.get(self.item)?;
        if item.state == WorkState::Open {
            let note = match (receipts.last(), &self.act) {
                (Some(receipt), _) => format!("{} {}", receipt.kind().word(), receipt.number),
                (None, ItemAct::Waive | ItemAct::Refund(_)) => format!("waived: {}", self.reason),
                (None, ItemAct::Reseat { .. }) => "reseated".to_owned(),
                (None, ItemAct::Move { .. }) => "moved".to_owned(),
            };
            resolve(work, &mut item, &note)?;
        }
        Ok(ItemSettled { item, receipts })
    }
}

impl SettleItem {
    /// Gives back the price of lost cells, a payment that bought nothing, or what was overpaid.
    fn refund(&self, work: &mut UnitOfWork<'_>, item: &WorklistItem, by: &BackBy) -> Result<Vec<Receipt>, Failure> {
        reasoned(&self.reason)?;
        match &item.what {
            WorkKind::Displaced { owner, loss, .. } => {
                let Some(receipt) = paid_by(work, owner)? else {
                    return Err(CorrectionRefusal::NothingPaid.into());
                };
                let act = CorrectionAct::Refund { cells: Some(vec![loss.cells.clone()]), by: by.clone(), amount: None };
                Ok(vec![self.correct(work, receipt, act)?])
            }
            WorkKind::UnissuedPayment { cart, reference, minor, currency, .. } => {
                let reference = reference.clone();
                let back = MoneyBack {
                    customer: work.get::<Cart>(*cart)?.customer,
                    currency: *currency,
                    minor: *minor,
                    payments: vec![Payment { means: Means::Card { reference }, minor: *minor }],
                    of: None,
                };
                Ok(vec![receipts::give_back(work, back, (by, &self.reason))?])
            }
            WorkKind::Overpaid { booking, .. } => {
                RefundBooking { booking: *booking, by: by.clone(), amount: None, reason: self.reason.clone() }.run(work)
            }
        }
    }

    /// Gives lost cells up without money.
    fn waive(&self, work: &mut UnitOfWork<'_>, item: &WorklistItem) -> Result<Vec<Receipt>, Failure> {
        reasoned(&self.reason)?;
        let WorkKind::Displaced { owner, loss, .. } = &item.what else {
            return Err(CorrectionRefusal::MoneyNotWaived.into());
        };
        let Some(receipt) = paid_by(work, owner)? else {
            return Ok(Vec::new());
        };
        let cells = vec![loss.cells.clone()];
        Ok(vec![self.correct(work, receipt, CorrectionAct::Waive { cells })?])
    }

    fn correct(&self, work: &mut UnitOfWork<'_>, receipt: ReceiptId, act: CorrectionAct) -> Result<Receipt, Failure> {
        let reason = self.reason.clone();
        CorrectReceipt { receipt, act, reason, keep: None }.run(work)
    }
}
