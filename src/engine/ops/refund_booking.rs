//! Gives money back that was paid for a booking.

use serde::Serialize;

use crate::domain::booking::Booking;
use crate::domain::correction::BackBy;
use crate::domain::ids::BookingId;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal};
use crate::engine::ops::paying;
use crate::engine::ops::receipts::{self, MoneyBack};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives back what was overpaid for a booking, or an amount, by a correcting receipt for each receipt that it was paid
/// by, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefundBooking {
    pub booking: BookingId,
    pub by: BackBy,
    /// In minor units; what was overpaid if `None`.
    pub amount: Option<i64>,
    pub reason: String,
}

impl Operation for RefundBooking {
    const VERB: &'static str = "refund_booking";
    type Answer = Vec<Receipt>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Receipt>, Failure> {
        let mut booking: Booking = work.get(self.booking)?;
        let over = (-booking.open()).max(0);
        let mut rest = self.amount.unwrap_or(over);
        if rest < 0 {
            return Err(Refusal::bad("amount", Problem::Negative).into());
        }
        if rest == 0 || rest > booking.paid() {
            return Err(CorrectionRefusal::NothingPaid.into());
        }
        let mut issued = Vec::new();
        while let Some(payment) = booking.payments.last_mut().filter(|_| rest > 0) {
            let minor = payment.minor.min(rest);
            let receipt = payment.receipt;
            rest -= minor;
            payment.minor -= minor;
            if payment.minor == 0 {
                booking.payments.pop();
            }
            let corrected: Receipt = work.get(receipt)?;
            let back = MoneyBack {
                customer: corrected.customer,
                currency: corrected.currency,
                minor,
                payments: Vec::new(),
                of: Some((receipt, booking.id)),
            };
            issued.push(receipts::give_back(work, back, (&self.by, &self.reason))?);
        }
        paying::put_settled(work, &booking)?;
        Ok(issued)
    }
}
