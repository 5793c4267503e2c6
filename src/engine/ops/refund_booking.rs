//! Gives money back that was paid for a booking.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::domain::back::{Back, Paid, Purses, Share};
use crate::domain::booking::Booking;
use crate::domain::ids::{BookingId, ReceiptId};
use crate::domain::private;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal};
use crate::engine::ops::booking::{Whose, cancelable, standing};
use crate::engine::ops::receipts::{self, MoneyBack};
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::worklist::resolve_items_of;
use crate::engine::ops::{claims, means, paying};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives back what was overpaid for a booking, or an amount, by a correcting receipt for each receipt that it was paid
/// by, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundBooking {
    pub booking: BookingId,
    pub back: Back,
    /// Of what was overpaid.
    pub share: Share,
    #[serde(with = "private")]
    pub reason: String,
    /// Cancels it first, whose time these operators may have taken out of use; or leaves it as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancels: Option<Whose>,
}

impl Operation for RefundBooking {
    const VERB: &'static str = "refund_booking";
    type Answer = Vec<Receipt>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Receipt>, Failure> {
        if let Some(whose) = self.cancels {
            self.cancel(work, whose)?;
        }
        let over = work.get::<Booking>(self.booking)?.overpaid();
        self.give_back(work, over)
    }
}

impl RefundBooking {
    /// Ends the booking; what is overpaid then is listed only after the money went back.
    fn cancel(&self, work: &mut UnitOfWork<'_>, whose: Whose) -> Result<(), Failure> {
        let mut booking = standing(work, self.booking)?;
        cancelable(work, &booking, whose)?;
        claims::free(work, &booking, &booking.owner())?;
        booking.end();
        work.put(&booking)?;
        resolve_items_of(work, &booking.owner(), "canceled")
    }

    /// Gives the share of an amount back; the rest of it is kept, if it is a fee.
    pub(super) fn give_back(&self, work: &mut UnitOfWork<'_>, whole: i64) -> Result<Vec<Receipt>, Failure> {
        let mut booking: Booking = work.get(self.booking)?;
        let paid = booking.paid();
        let (minor, kept) = (self.share.of(whole), self.share.kept());
        reasoned(&self.reason)?;
        if minor < 0 && kept == 0 {
            return Err(Refusal::bad("amount", Problem::Negative).into());
        }
        if (minor, kept) == (0, 0) || minor > paid {
            return Err(CorrectionRefusal::NothingPaid.into());
        }
        let mut corrected: Vec<(Receipt, i64)> = Vec::new();
        for payment in booking.payments.iter().rev() {
            match corrected.iter_mut().find(|(receipt, _)| receipt.id == payment.receipt) {
                Some((_, most)) => *most += payment.minor,
                None => corrected.push((work.get(payment.receipt)?, payment.minor)),
            }
        }
        let Some(currency) = corrected.first().map(|(receipt, _)| receipt.currency) else {
            return Err(CorrectionRefusal::NothingPaid.into());
        };
        means::kept_of(whole, self.share, currency)?;
        booking.kept += kept;
        let given = purses(work, &corrected)?.give(minor, &self.back.checked()?, currency)?;
        let mut issued = Vec::new();
        for ((receipt, _), given) in corrected.into_iter().zip(given).filter(|(_, given)| !given.by.is_empty()) {
            give(&mut booking, receipt.id, given.by.iter().map(|one| one.minor).sum());
            let back = MoneyBack {
                customer: receipt.customer,
                currency,
                given,
                payments: Vec::new(),
                of: Some((receipt.id, booking.id)),
                kept: if issued.is_empty() { kept } else { 0 },
            };
            issued.push(receipts::give_back(work, back, &self.reason)?);
        }
        paying::put_settled(work, &booking)?;
        Ok(issued)
    }
}

/// The receipts with what their means paid, each with the most that goes back of it.
fn purses(work: &mut UnitOfWork<'_>, corrected: &[(Receipt, i64)]) -> Result<Purses, Failure> {
    let mut purses = Purses::default();
    let mut families: Vec<(BTreeSet<ReceiptId>, usize)> = Vec::new();
    for (receipt, most) in corrected {
        let known = families.iter().find(|(family, _)| family.contains(&receipt.id));
        let paid = if let Some((_, paid)) = known {
            *paid
        } else {
            let family = means::family(work, &[receipt.id])?;
            let paid = purses.pays(Paid::of(&family));
            families.push((family.iter().map(|one| one.id).collect(), paid));
            paid
        };
        purses.add(paid, *most);
    }
    Ok(purses)
}

/// Takes an amount out of what a receipt paid for a booking.
fn give(booking: &mut Booking, receipt: ReceiptId, mut minor: i64) {
    for payment in booking.payments.iter_mut().rev().filter(|payment| payment.receipt == receipt) {
        let part = payment.minor.min(minor);
        payment.minor -= part;
        minor -= part;
    }
    booking.payments.retain(|payment| payment.minor > 0);
}
