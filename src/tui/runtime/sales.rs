//! What comes of a sale, and of seats that are taken out of use.

use crate::domain::receipt::Receipt;
use crate::engine::Operation;
use crate::engine::ops::{CheckedOut, Checkout, DisableSeats};
use crate::engine::reads::receipts::ReadReceipt;
use crate::tui::msg::{Answer, DisabledAnswer};
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;

impl Runtime {
    pub(super) fn check_out(&self, ticket: Ticket, checkout: Checkout) {
        self.submit(ticket, checkout, |desk, done| match done? {
            CheckedOut::Receipt(receipt) => {
                Ok(Answer::Sold(Box::new(desk.read(ReadReceipt(receipt.id))?)))
            }
            CheckedOut::Owed(receipt, item) => {
                let sold = Box::new(desk.read(ReadReceipt(receipt.id))?);
                Ok(Answer::Owed(sold, item))
            }
            CheckedOut::Unissued(item) => Ok(Answer::Unissued(item)),
        });
    }

    /// A command about a receipt is answered with the receipt as people read it.
    pub(super) fn submit_receipt<O: Operation<Answer = Receipt>>(
        &self,
        ticket: Ticket,
        operation: O,
    ) {
        self.submit(ticket, operation, |desk, receipt| {
            let view = desk.read(ReadReceipt(receipt?.id))?;
            Ok(Answer::Receipt(Box::new(view)))
        });
    }

    pub(super) fn disable(&self, ticket: Ticket, disable: DisableSeats) {
        self.submit(ticket, disable, |_, done| {
            let done = done?;
            Ok(Answer::Disabled(DisabledAnswer {
                disables: done.disables,
                displaced: done.displaced,
                carts: done.carts,
                unknown: done.unknown,
            }))
        });
    }
}
