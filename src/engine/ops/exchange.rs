//! Exchanges seats or time of a receipt for others.

use serde::{Deserialize, Serialize};

use crate::domain::back::ReturnTerms;
use crate::domain::ids::{PerformanceId, ReceiptId};
use crate::domain::loss::CellGroup;
use crate::domain::performance::Performance;
use crate::domain::receipt::{Receipt, Tender};
use crate::engine::ops::booking::Past;
use crate::engine::ops::checkout::{CheckedOut, Checkout};
use crate::engine::ops::customers;
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::hold_seats::{HoldSeats, SeatChoice};
use crate::engine::ops::hold_slot::{HoldSlot, SlotWanted};
use crate::engine::ops::return_cells::ReturnCells;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes cells of a receipt back and sells others in their place, by one receipt, or does nothing of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    pub receipt: ReceiptId,
    /// Cells that come back; all that are left if `None`.
    pub cells: Option<Vec<CellGroup>>,
    pub take: Take,
    pub tenders: Vec<Tender>,
    pub terms: ReturnTerms,
}

/// Cells that are taken instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    Seats {
        performance: PerformanceId,
        seats: SeatChoice,
        /// Ticket type of the seats; adult if `None`.
        ticket_type: Option<String>,
    },
    Time(SlotWanted),
}

impl Operation for Exchange {
    const VERB: &'static str = "exchange";
    type Answer = CheckedOut;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CheckedOut, Failure> {
        self.of_line(work, None)
    }
}

impl Exchange {
    /// Exchanges cells of one line, or of all that have them.
    pub(super) fn of_line(&self, work: &mut UnitOfWork<'_>, line: Option<u32>) -> Result<CheckedOut, Failure> {
        let bring = ReturnCells { cart: None, receipt: self.receipt, cells: self.cells.clone() };
        let cart = bring.of_line(work, line)?;
        let to = Some(cart.id);
        match self.take.clone() {
            Take::Seats { performance, seats, ticket_type } => {
                HoldSeats { cart: to, ticket_type, ..HoldSeats::new(performance, seats) }.run(work)?
            }
            Take::Time(wanted) => HoldSlot { cart: to, wants: vec![wanted], past: Past::Refuse }.run(work)?,
        };
        let (tickets, returns) = (self.tickets(work)?, Some(self.terms.clone()));
        Checkout { tickets, returns, ..Checkout::new(cart.id, self.tenders.clone()) }.run(work)
    }

    /// Location of the new tickets: at the desk if those that come back wait there, and can still be asked for by name.
    fn tickets(&self, work: &mut UnitOfWork<'_>) -> Result<TicketsTo, Failure> {
        let receipt: Receipt = work.get(self.receipt)?;
        let waits = match self.take {
            Take::Seats { performance, .. } if receipt.tickets.wait() => {
                let is_to_come = work.get::<Performance>(performance)?.start > work.now();
                is_to_come && !customers::told(work, receipt.customer)?.name.is_empty()
            }
            Take::Seats { .. } | Take::Time(_) => false,
        };
        Ok(if waits { TicketsTo::Desk } else { TicketsTo::Customer })
    }
}
