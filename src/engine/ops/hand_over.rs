//! Tickets stay at the desk until somebody collects them, or are handed over.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::job::JobKind;
use crate::domain::receipt::{Receipt, Tickets};
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Says where a receipt's tickets are. Done twice is done once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HandOver {
    /// The receipt.
    pub receipt: ReceiptId,
    /// Where they are from now on.
    pub to: TicketsTo,
}

/// Where tickets are from now on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketsTo {
    /// With the customer.
    #[default]
    Customer,
    /// At the desk, to be collected: it is told when nobody has come shortly before the start.
    Desk,
}

impl TicketsTo {
    /// The other place.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Customer => Self::Desk,
            Self::Desk => Self::Customer,
        }
    }
}

impl Operation for HandOver {
    const VERB: &'static str = "hand_over";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        match (self.to, receipt.tickets.wait()) {
            (TicketsTo::Desk, false) => {
                tickets::keep(work, &mut receipt)?;
                work.put(&receipt)?;
            }
            (TicketsTo::Customer, true) => {
                receipt.tickets = Tickets::Collected {
                    operator: work.actor().operator.clone(),
                    at: work.now(),
                };
                work.end_job(JobKind::TicketsUncollected, receipt.id);
                work.put(&receipt)?;
            }
            (TicketsTo::Desk, true) | (TicketsTo::Customer, false) => {}
        }
        Ok(receipt)
    }
}
