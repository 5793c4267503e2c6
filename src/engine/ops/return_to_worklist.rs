//! Returns a rebooked displaced booking to the worklist.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, Taken};
use crate::domain::house::{WorkState, WorklistItem};
use crate::domain::ids::{BookingId, WorkId};
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::resource::Resource;
use crate::engine::ops::booking::{price, price_follows, standing};
use crate::engine::ops::claims;
use crate::engine::ops::paying;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Undoes the rebooking of a displaced booking: frees its new time, restores what was left of the
/// old one, and reopens its worklist items; refused if the old time is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnToWorklist {
    pub booking: BookingId,
    /// Time before the rebooking, with its live part.
    pub taken: Vec<Taken>,
    pub items: Vec<WorkId>,
}

impl Operation for ReturnToWorklist {
    const VERB: &'static str = "return_to_worklist";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        for taken in &self.taken {
            on_its_grid(&work.get(&taken.resource)?, taken)?;
        }
        let follows = price_follows(work, &booking)?;
        claims::free(work, &booking.taken, &booking.owner())?;
        let act = (&booking.owner(), Act::Book { until: None });
        claims::act(work, &self.taken, act)?;
        booking.taken.clone_from(&self.taken);
        if follows {
            booking.price = price(work, &booking.taken)?;
        }
        paying::put(work, &booking)?;
        for id in &self.items {
            let mut item: WorklistItem = work.get(*id)?;
            item.state = WorkState::Open;
            work.put(&item)?;
        }
        Ok(booking)
    }
}

/// Checks that the remaining time consists of whole cells of the requested time.
fn on_its_grid(resource: &Resource, taken: &Taken) -> Result<(), Refusal> {
    let (_, all) = resource.taken(taken.wanted);
    let is_cells = |slot| all.covers(slot) && resource.grid.normalise(*slot) == *slot;
    if taken.live.iter().all(is_cells) {
        Ok(())
    } else {
        Err(Refusal::bad("taken", Problem::OtherCells(resource.name.clone())))
    }
}
