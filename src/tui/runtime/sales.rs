//! What comes of a sale, and of seats that are taken out of use.

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
            CheckedOut::Unissued(item) => Ok(Answer::Unissued(item)),
        });
    }

    pub(super) fn disable(&self, ticket: Ticket, disable: DisableSeats) {
        self.submit(ticket, disable, |_, done| {
            let done = done?;
            Ok(Answer::Disabled(DisabledAnswer {
                disables: done.disables,
                displaced: done.displaced,
                unknown: done.unknown,
            }))
        });
    }
}
