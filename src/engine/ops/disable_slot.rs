//! Time goes out of use, whoever has it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::domain::availability::{Act, CellRange, Claim};
use crate::domain::booking::{Booking, Cause, Details, Taken};
use crate::domain::ids::BookingId;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, subtract};
use crate::engine::ops::booking::{Past, Request, new_booking, not_past};
use crate::engine::ops::displacing::displace_time;
use crate::engine::ops::marking::{self, Displace};
use crate::engine::ops::occupy::{OutOfUse, slot};
use crate::engine::ops::{claims, taking};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes time of resources and their parts out of use, whoever has it; without an end until further notice. It
/// belongs to its operator, who enables it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisableSlot {
    /// The resources.
    pub resources: Vec<ResourceId>,
    /// From when.
    pub from: Instant,
    /// Until when; until further notice when not said.
    pub until: Option<Instant>,
    /// Why.
    pub reason: String,
    /// What to do about the past.
    pub past: Past,
}

impl Operation for DisableSlot {
    const VERB: &'static str = "disable_slot";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let Some(until) = self.until else {
            return marking::mark(
                work,
                &self.resources,
                &marking::Marking {
                    cause: Cause::Disable,
                    from: self.from,
                    reason: &self.reason,
                    past: self.past,
                    displace: Displace::Take,
                },
            );
        };
        let wanted = slot(self.from, until)?;
        not_past(work, (&self.resources, wanted), self.past)?;
        let details = Details {
            title: self.reason.clone(),
            ..Details::default()
        };
        let request = Request {
            cause: Cause::Disable,
            details: &details,
            series: None,
            past: self.past,
        };
        let mut booking = new_booking(work, &request);
        for id in &self.resources {
            for mut taken in taking::taken(work, id, wanted)? {
                // it needs nothing before or after it
                taken.live = vec![taken.core];
                booking.taken.push(taken);
            }
        }
        if booking.taken.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        let done = claims::act(work, &booking.taken, (&booking.owner(), Act::Disable))?;
        let displaced = displace_time(work, &done.displaced, &booking.title)?;
        keep_changed(work, &mut booking.taken, &done.changed)?;
        share(work, &booking, &done.same)?;
        work.create(&booking)?;
        Ok(OutOfUse::Slot {
            booking: Box::new(booking),
            displaced: displaced.items,
            carts: displaced.carts,
        })
    }
}

/// Lists an act with the others of its operator that have some of its time, so that it gets that when they end.
fn share(
    work: &mut UnitOfWork<'_>,
    booking: &Booking,
    same: &[(CellRange, Claim)],
) -> Result<(), Failure> {
    let others: BTreeSet<BookingId> = same
        .iter()
        .filter_map(|(_, claim)| claim.owner.booking())
        .collect();
    for id in others {
        let mut other: Booking = work.get(id)?;
        other.overlaps.push(booking.id);
        work.put(&other)?;
    }
    Ok(())
}

/// What was out of use before, by the same operator, stays with the act that took it.
fn keep_changed(
    work: &mut UnitOfWork<'_>,
    taken: &mut [Taken],
    changed: &[CellRange],
) -> Result<(), Failure> {
    for one in taken {
        let resource: Resource = work.get(&one.resource)?;
        let mine: Vec<Slot> = changed
            .iter()
            .filter(|cells| cells.chunk.resource == resource.id.as_str())
            .filter_map(|cells| resource.slot_of(cells))
            .collect();
        let same = subtract(&one.live, &mine);
        one.live = subtract(&one.live, &same);
    }
    Ok(())
}
