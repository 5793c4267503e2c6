//! Ends one act out of use.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, BookingState, Cause};
use crate::domain::ids::BookingId;
use crate::domain::refusal::{Problem, Refusal};
use crate::engine::ops::booking::{Whose, allowed};
use crate::engine::ops::customers;
use crate::engine::ops::outages::{self, marked_by, unmark};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Enables the cells of one act: a disable, maintenance or another cause, or a mark. Only its
/// operator can end it, or anybody explicitly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnableSlot {
    /// Act.
    pub id: BookingId,
    pub whose: Whose,
}

impl Operation for EnableSlot {
    const VERB: &'static str = "enable_slot";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        match work.find::<Booking>(&self.id.to_string())? {
            Some(found) => self.enable(work, found),
            None => self.unmark(work),
        }
    }
}

impl EnableSlot {
    fn enable(&self, work: &mut UnitOfWork<'_>, found: Booking) -> Result<(), Failure> {
        if found.state == BookingState::Canceled {
            return Ok(());
        }
        match found.cause {
            Cause::Disable | Cause::Maintenance | Cause::Relocation | Cause::Other(_) | Cause::OutOfService => {
                allowed(work, &found, self.whose)?;
                outages::end(work, found, None)
            }
            Cause::Booking => {
                let title = customers::title(work, &found)?;
                Err(Refusal::bad("id", Problem::Booked(title)).into())
            }
            Cause::Performance(_) => Err(Refusal::HallOfPerformance { title: found.title }.into()),
        }
    }

    fn unmark(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let marked = marked_by(work, self.id)?;
        if marked.is_empty() {
            return Err(Refusal::not_found("booking", self.id.to_string()).into());
        }
        marked.iter().try_for_each(|resource| unmark(work, (resource, Some(self.id)), self.whose))
    }
}
