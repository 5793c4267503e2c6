//! A booking gives back a part of its time.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Taken};
use crate::domain::ids::BookingId;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::standing;
use crate::engine::ops::displacing::give_up;
use crate::engine::ops::taking::{self, family};
use crate::engine::work::{Failure, Operation, Work};

/// Gives back a slot of a booking, all of it or nothing; what it has beside that stays.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseSlot {
    /// The booking.
    pub booking: BookingId,
    /// Of which of its resources, with its parts; of all when not said.
    pub resource: Option<ResourceId>,
    /// What it gives back.
    pub slot: Slot,
}

impl Operation for ReleaseSlot {
    const VERB: &'static str = "release_slot";
    type Answer = Booking;

    fn run(&self, work: &mut Work<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        let given = given(work, &booking, (self.resource.as_ref(), self.slot))?;
        taking::act(work, &given, (&booking.owner(), Act::Release))?;
        for one in &given {
            give_up(&mut booking.taken, (&one.resource, &one.live));
        }
        if !booking.is_live() {
            booking.state = BookingState::Canceled;
        }
        work.put(&booking)?;
        Ok(booking)
    }
}

/// A slot of a booking, in each of its resources that are meant, as what it takes there.
pub(super) fn given(
    work: &mut Work<'_>,
    booking: &Booking,
    (resource, slot): (Option<&ResourceId>, Slot),
) -> Result<Vec<Taken>, Failure> {
    let mut meant: Vec<ResourceId> = match resource {
        Some(id) => family(work, id)?.into_iter().map(|one| one.id).collect(),
        None => booking
            .taken
            .iter()
            .map(|taken| taken.resource.clone())
            .collect(),
    };
    meant.sort_unstable();
    meant.dedup();
    let mut out = Vec::new();
    for id in meant {
        let resource: Resource = work.get(&id)?;
        let core = resource.grid.normalise(slot);
        out.push(Taken {
            resource: id,
            wanted: slot,
            core,
            live: vec![core],
            part_of: None,
        });
    }
    Ok(out)
}
