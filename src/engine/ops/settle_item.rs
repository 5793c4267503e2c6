//! Settles a worklist item: refund, waiver, or other seats or time.

use serde::{Deserialize, Serialize};

use crate::domain::back::{Back, Paid, Share};
use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{PerformanceId, ReceiptId, WorkId};
use crate::domain::owner::Owner;
use crate::domain::private;
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::refusal::{CorrectionRefusal, Refusal};
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;
use crate::engine::ops::correct_receipt::{CorrectReceipt, CorrectionAct};
use crate::engine::ops::foreign;
use crate::engine::ops::hold_seats::SeatChoice;
use crate::engine::ops::receipts::{self, MoneyBack};
use crate::engine::ops::refund_booking::RefundBooking;
use crate::engine::ops::replacement;
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::worklist::{paid_by, resolve};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Settles an open worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettleItem {
    pub item: WorkId,
    pub act: ItemAct,
    /// Reason; required for a refund or a waiver.
    #[serde(with = "private")]
    pub reason: String,
}

/// Act that settles a worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemAct {
    /// The price of the lost cells, the unissued payment, or what was overpaid is given back, or a share of it.
    Refund { back: Back, share: Share },
    /// The customer gives the lost cells up without money.
    Waive,
    /// Money that went back beyond what its means paid is found right.
    Approve,
    /// The booking follows the calendar: it is moved, made or canceled.
    Agree,
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
        if let WorkState::Resolved { operator, approved, .. } = item.state {
            return Err(Refusal::AlreadyResolved { operator, approved }.into());
        }
        let is_gone = matches!(item.what, WorkKind::Overridden { .. });
        if is_gone != (self.act == ItemAct::Approve) {
            let refusal = if is_gone { CorrectionRefusal::GoneBack } else { CorrectionRefusal::NotApproved };
            return Err(refusal.into());
        }
        let receipts = match &self.act {
            ItemAct::Approve => Vec::new(),
            ItemAct::Refund { back, share } => self.refund(work, &item, (back, *share))?,
            ItemAct::Waive => self.waive(work, &item)?,
            ItemAct::Agree => foreign::agree(work, &item.what).map(|()| Vec::new())?,
            ItemAct::Reseat { performance, seats } => replacement::reseat(work, &item, (*performance, seats))?,
            ItemAct::Move { to, from } => replacement::move_time(work, &item, (to.as_ref(), *from))?,
        };
        // a correction resolves the items of its cells
        item = work.get(self.item)?;
        if item.state == WorkState::Open {
            let note = match (receipts.last(), &self.act) {
                (Some(receipt), _) => format!("{} {}", receipt.kind().word(), receipt.number),
                (None, ItemAct::Waive) => format!("waived: {}", self.reason),
                (None, ItemAct::Refund { .. }) => format!("kept: {}", self.reason),
                (None, ItemAct::Agree) => foreign::AGREED.to_owned(),
                (None, ItemAct::Approve) => "approved".to_owned(),
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
    fn refund(
        &self,
        work: &mut UnitOfWork<'_>,
        item: &WorklistItem,
        (back, share): (&Back, Share),
    ) -> Result<Vec<Receipt>, Failure> {
        reasoned(&self.reason)?;
        let back = back.clone();
        match &item.what {
            WorkKind::Displaced { owner, paid, .. } if owner.booking().is_some() => {
                let booking = item.what.booking().ok_or(CorrectionRefusal::NothingPaid)?;
                let over = work.get::<Booking>(booking)?.overpaid();
                let whole = paid.map_or(0, |paid| paid.minor).min(over);
                RefundBooking { booking, back, share, reason: self.reason.clone(), cancels: None }
                    .give_back(work, whole)
            }
            WorkKind::Displaced { owner, loss, .. } => {
                let receipt = paid_by(work, owner, &loss.cells)?.ok_or(CorrectionRefusal::NothingPaid)?;
                let cells = Some(vec![loss.cells.clone()]);
                Ok(vec![self.correct(work, (receipt, owner), CorrectionAct::Refund { cells, back, share })?])
            }
            WorkKind::UnissuedPayment { cart, reference, minor, currency, .. } => {
                if share != Share::All {
                    return Err(CorrectionRefusal::MoneyNotWaived.into());
                }
                let back = MoneyBack {
                    customer: work.get::<Cart>(*cart)?.customer,
                    currency: *currency,
                    given: Paid::by_card(reference, *minor).give(*minor, &back.checked()?, *currency)?,
                    payments: vec![Payment { means: Means::Card { reference: reference.clone() }, minor: *minor }],
                    of: None,
                    kept: 0,
                };
                Ok(vec![receipts::give_back(work, back, &self.reason)?])
            }
            WorkKind::Overpaid { booking, .. } => {
                RefundBooking { booking: *booking, back, share, reason: self.reason.clone(), cancels: None }.run(work)
            }
            WorkKind::Overridden { .. } => Err(CorrectionRefusal::GoneBack.into()),
            WorkKind::Differs { .. } => Err(CorrectionRefusal::NothingPaid.into()),
        }
    }

    /// Gives lost cells up without money.
    fn waive(&self, work: &mut UnitOfWork<'_>, item: &WorklistItem) -> Result<Vec<Receipt>, Failure> {
        reasoned(&self.reason)?;
        if matches!(item.what, WorkKind::Differs { .. }) {
            return Ok(Vec::new());
        }
        let WorkKind::Displaced { owner, loss, .. } = &item.what else {
            return Err(CorrectionRefusal::MoneyNotWaived.into());
        };
        let Some(receipt) = paid_by(work, owner, &loss.cells)? else {
            return Ok(Vec::new());
        };
        let cells = vec![loss.cells.clone()];
        Ok(vec![self.correct(work, (receipt, owner), CorrectionAct::Waive { cells })?])
    }

    fn correct(
        &self,
        work: &mut UnitOfWork<'_>,
        (receipt, owner): (ReceiptId, &Owner),
        act: CorrectionAct,
    ) -> Result<Receipt, Failure> {
        let reason = self.reason.clone();
        CorrectReceipt { receipt, act, reason, keep: None }.of_line(work, owner.line())
    }
}
