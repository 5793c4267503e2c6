//! Disables time.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::domain::availability::{Act, CellRange, Claim};
use crate::domain::booking::{Booking, Cause, Details, Taken};
use crate::domain::ids::BookingId;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, subtract};
use crate::engine::ops::booking::{Past, Request, new_booking, not_past};
use crate::engine::ops::displacement::displace_time;
use crate::engine::ops::outages::OutOfUse;
use crate::engine::ops::outages::{self, Displace};
use crate::engine::ops::taking::slot;
use crate::engine::ops::{claims, taking};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Disables time of resources and their parts, taken or not; without an end it is open-ended. Only
/// its operator enables it again, or anybody explicitly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisableSlot {
    /// Resources.
    pub resources: Vec<ResourceId>,
    /// Start.
    pub from: Instant,
    /// End; open-ended if `None`.
    pub until: Option<Instant>,
    /// Reason.
    pub reason: String,
    /// Treatment of past time.
    pub past: Past,
}

impl Operation for DisableSlot {
    const VERB: &'static str = "disable_slot";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let Some(until) = self.until else {
            return outages::mark(
                work,
                &self.resources,
                &outages::Marking {
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
            customer: None,
            series: None,
            past: self.past,
        };
        let mut booking = new_booking(work, &request);
        for id in &self.resources {
            for mut taken in taking::taken(work, id, wanted)? {
                // needs no time before or after
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

/// Links an act with the others of its operator that share its time, so that it inherits that time
/// when they end.
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

/// Excludes time that the same operator had disabled before: it stays with the earlier act.
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
