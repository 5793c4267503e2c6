//! Reprints a receipt and its tickets.

use serde::Serialize;

use crate::domain::ids::ReceiptId;
use crate::domain::receipt::Receipt;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Counts a reprint. Reprinted tickets show the present start of their performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reprint {
    pub receipt: ReceiptId,
    /// Papers printed.
    pub papers: Reprinted,
}

/// Papers printed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reprinted {
    #[default]
    Tickets,
    ReceiptOnly,
}

impl Reprint {
    /// Reprint of the tickets, alone or with the receipt.
    #[must_use]
    pub const fn tickets(receipt: ReceiptId) -> Self {
        let papers = Reprinted::Tickets;
        Self { receipt, papers }
    }
}

impl Operation for Reprint {
    const VERB: &'static str = "reprint";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        receipt.reprints = receipt.reprints.saturating_add(1);
        if self.papers == Reprinted::Tickets {
            receipt.printed_at = Some(work.now());
        }
        work.put(&receipt)?;
        Ok(receipt)
    }
}
