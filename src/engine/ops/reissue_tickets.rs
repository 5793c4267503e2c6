//! The codes of a receipt's tickets: made ready, or issued anew.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ReceiptId;
use crate::domain::line::seated;
use crate::domain::private;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{Refusal, TicketRefusal};
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Makes the key of the house's codes, if it has none yet: its tickets can be read then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MakeTicketKey;

/// Issues the tickets of a receipt anew: those before admit nobody any more, and the next print is no copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReissueTickets {
    pub receipt: ReceiptId,
    #[serde(with = "private")]
    pub reason: String,
}

impl Operation for MakeTicketKey {
    const VERB: &'static str = "make_ticket_key";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        tickets::key(work).map(|_| ())
    }
}

impl Operation for ReissueTickets {
    const VERB: &'static str = "reissue_tickets";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let reason = reasoned(&self.reason)?;
        let mut receipt: Receipt = work.get(self.receipt)?;
        if seated(&receipt.lines).next().is_none() {
            return Err(Refusal::from(TicketRefusal::NoTickets { receipt: receipt.number }).into());
        }
        tickets::key(work)?;
        receipt.reissues.push(tickets::made_again(work, reason));
        receipt.tickets_printed = 0;
        work.put(&receipt)?;
        Ok(receipt)
    }
}
