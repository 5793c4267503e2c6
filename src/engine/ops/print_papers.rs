//! Counts papers of a receipt that are printed.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::receipt::{Papers, Receipt};
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Counts a print before it is made: each but the first of a paper says that it is a copy.
///
/// Tickets that are printed again show the present start of their performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintPapers {
    pub receipt: ReceiptId,
    pub papers: Papers,
}

impl Operation for PrintPapers {
    const VERB: &'static str = "print_papers";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        if self.papers.tickets() {
            tickets::key(work)?;
        }
        receipt.print(self.papers, work.now());
        work.put(&receipt)?;
        Ok(receipt)
    }
}
