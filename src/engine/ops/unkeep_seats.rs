//! Releases kept seats.

use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::domain::performance::Performance;
use crate::domain::refusal::{Lack, Refusal};
use crate::engine::ops::seat_acts::give_up_kept;
use crate::engine::ops::{claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Puts kept seats on sale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnkeepSeats {
    pub performance: PerformanceId,
    /// Unique names of the seats.
    pub seats: Vec<String>,
}

impl Operation for UnkeepSeats {
    const VERB: &'static str = "unkeep_seats";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let performance: Performance = work.get(self.performance)?;
        let seating = work.seating(performance.plan)?;
        let seats = seats::named(work, (&seating, performance.id), &self.seats, seats::KEPT)?;
        if seats.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        let others = give_up_kept(work, &performance, &seats)?;
        if others.is_empty() {
            Ok(())
        } else {
            Err(claims::not_yours(work, (performance.id, &others), Lack::Kept)?.into())
        }
    }
}
