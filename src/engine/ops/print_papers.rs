//! Counts papers of a receipt that are printed.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::private;
use crate::domain::receipt::{Papers, Receipt};
use crate::domain::refusal::{Refusal, TicketRefusal};
use crate::domain::text::clean;
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Counts a print before it is made: each but the first of a paper says that it is a copy, and has a reason.
///
/// Tickets that are printed again show the present start of their performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintPapers {
    pub receipt: ReceiptId,
    pub papers: Papers,
    /// Reason of a copy.
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub reason: String,
}

impl PrintPapers {
    /// First print of some papers.
    pub const fn new(receipt: ReceiptId, papers: Papers) -> Self {
        Self { receipt, papers, reason: String::new() }
    }
}

impl Operation for PrintPapers {
    const VERB: &'static str = "print_papers";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        if self.papers.tickets() {
            tickets::key(work)?;
        }
        if receipt.is_copy(self.papers) {
            let reason = clean(&self.reason);
            if reason.is_empty() {
                return Err(Refusal::from(TicketRefusal::CopyReason { receipt: receipt.number }).into());
            }
            receipt.copies.push(tickets::made_again(work, reason));
        }
        receipt.print(self.papers, work.now());
        work.put(&receipt)?;
        Ok(receipt)
    }
}
