//! Reprints tickets.

use serde::Serialize;

use crate::domain::ids::ReceiptId;
use crate::domain::receipt::Receipt;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Counts a reprint of a receipt's tickets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reprint {
    pub receipt: ReceiptId,
}

impl Operation for Reprint {
    const VERB: &'static str = "reprint";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        receipt.reprints = receipt.reprints.saturating_add(1);
        work.put(&receipt)?;
        Ok(receipt)
    }
}
