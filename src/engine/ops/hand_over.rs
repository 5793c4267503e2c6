//! Tickets stay at the desk until somebody collects them, or are handed over.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::job::JobKind;
use crate::domain::receipt::{Receipt, Tickets};
use crate::domain::refusal::Refusal;
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, Work};

/// Says where a receipt's tickets are. Done twice is done once.
#[derive(Clone, Debug, Serialize)]
pub struct HandOver {
    /// The receipt.
    pub receipt: ReceiptId,
    /// Where they are from now on.
    pub to: TicketsTo,
}

/// Where tickets are from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketsTo {
    /// At the desk, to be collected: it is told when nobody has come shortly before the start.
    Desk,
    /// With the customer.
    Customer,
}

impl Operation for HandOver {
    const VERB: &'static str = "hand_over";
    type Answer = Receipt;

    fn run(&self, work: &mut Work<'_>) -> Result<Receipt, Failure> {
        let mut receipt: Receipt = work.get(self.receipt)?;
        match (self.to, receipt.tickets.wait()) {
            (TicketsTo::Desk, false) => {
                receipt.tickets = Tickets::Waiting { told: None };
                if !tickets::put_job(work, &receipt)? {
                    return Err(Refusal::BadValue {
                        field: "receipt".into(),
                        problem: "it has no seat of a performance that is still to come".into(),
                    }
                    .into());
                }
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
