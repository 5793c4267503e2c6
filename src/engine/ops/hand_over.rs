//! Keeps tickets at the desk until they are collected, or hands them over.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::is_default;
use crate::domain::job::JobKind;
use crate::domain::receipt::{Papers, Receipt, Tickets};
use crate::domain::refusal::{NightRefusal, Refusal};
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Records the location of a receipt's tickets. Repeating it changes nothing; what another operator handed over is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOver {
    pub receipt: ReceiptId,
    pub to: TicketsTo,
    /// True if collected tickets that were never printed are printed now.
    #[serde(skip_serializing_if = "is_default")]
    #[serde(default)]
    pub prints: bool,
}

impl HandOver {
    /// Hands over tickets that no printer of this desk prints.
    #[must_use]
    pub const fn new(receipt: ReceiptId, to: TicketsTo) -> Self {
        Self { receipt, to, prints: false }
    }
}

/// Location of tickets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketsTo {
    #[default]
    Customer,
    /// At the desk, uncollected: an alert is sent shortly before the start.
    Desk,
}

impl TicketsTo {
    /// Returns the opposite location.
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
                if self.prints && receipt.tickets_printed == 0 {
                    tickets::key(work)?;
                    receipt.print(Papers::Tickets, work.now());
                }
                tickets::not_void(work, &receipt)?;
                receipt.tickets = Tickets::Collected { operator: work.actor().operator.clone(), at: work.now() };
                work.end_job(JobKind::TicketsUncollected, receipt.id);
                work.put(&receipt)?;
            }
            (TicketsTo::Customer, false) => {
                if let Tickets::Collected { operator, at } = &receipt.tickets
                    && *operator != work.actor().operator
                {
                    let (receipt, operator, at) = (receipt.number.clone(), operator.clone(), *at);
                    return Err(Refusal::from(NightRefusal::TicketsCollected { receipt, operator, at }).into());
                }
            }
            (TicketsTo::Desk, true) => {}
        }
        Ok(receipt)
    }
}
