//! Refusals at the door: why the code of a ticket admits nobody.

use serde::{Deserialize, Serialize};

use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal of a ticket. A seat is in the words of its ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TicketRefusal {
    /// No receipt of the house has its first letters.
    TicketForeign,
    /// Receipts have its first letters, but none has the ticket.
    TicketForged,
    TicketUsed {
        seat: String,
        at: Instant,
        station: String,
    },
    TicketNotUsed {
        seat: String,
    },
    /// A newer issue has another code.
    TicketReissued {
        seat: String,
        at: Instant,
        operator: String,
        /// Operator who approved it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
    },
    /// The seat came back to the desk by a receipt.
    TicketReturned {
        seat: String,
        receipt: String,
        at: Instant,
    },
    /// The seat came back for others, by a receipt.
    TicketExchanged {
        seat: String,
        receipt: String,
    },
    /// The house took the seat away.
    TicketLost {
        seat: String,
    },
    TicketOfCanceled {
        performance: String,
        start: Instant,
    },
    TicketOfPast {
        performance: String,
        start: Instant,
    },
    /// The ticket is for another performance than the one at the door.
    TicketOfAnother {
        performance: String,
        start: Instant,
    },
    /// A copy of papers, without a reason.
    CopyReason {
        receipt: String,
    },
    /// A receipt without a ticket.
    NoTickets {
        receipt: String,
    },
}

impl From<TicketRefusal> for Refusal {
    fn from(refusal: TicketRefusal) -> Self {
        Self::Ticket(refusal)
    }
}
