//! Undo of a disable, including its displacements.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Taken};
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{BookingId, WorkId};
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::resource::Resource;
use crate::domain::time::{Slot, common, joined, subtract};
use crate::engine::ops::booking::{Whose, price, price_follows};
use crate::engine::ops::claims;
use crate::engine::ops::enable_slot::EnableSlot;
use crate::engine::ops::paying;
use crate::engine::ops::worklist::resolve;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Enables what the actor disabled, and returns the lost time to the displaced bookings. Bookings
/// rebooked meanwhile keep their new time; carts and receipts stay on the worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UndoOutOfUse {
    /// Act.
    pub id: BookingId,
    /// Worklist items of displaced owners.
    pub displaced: Vec<WorkId>,
}

impl Operation for UndoOutOfUse {
    const VERB: &'static str = "undo_out_of_use";
    type Answer = Vec<WorklistItem>;

    /// Returns the items still open.
    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<WorklistItem>, Failure> {
        let enable = EnableSlot { id: self.id, whose: Whose::Mine };
        enable.run(work)?;
        let mut still = Vec::new();
        for id in &self.displaced {
            let mut item: WorklistItem = work.get(*id)?;
            if item.state != WorkState::Open {
                continue;
            }
            if gave_back(work, &item)? {
                resolve(work, &mut item, "back where it was")?;
            } else {
                still.push(item);
            }
        }
        Ok(still)
    }
}

/// Returns lost time to a booking if all of it is free; returns whether it did.
fn gave_back(work: &mut UnitOfWork<'_>, item: &WorklistItem) -> Result<bool, Failure> {
    let WorkKind::Displaced { owner, loss, .. } = &item.what else {
        return Ok(false);
    };
    let (Owner::Booking(_, id), CellGroup::Time { resource, slots }) = (owner, &loss.cells) else {
        return Ok(false);
    };
    let mut booking: Booking = work.get(*id)?;
    let follows = price_follows(work, &booking)?;
    let again = grow(&mut booking, &work.get(resource)?, slots);
    let (true, Some(again)) = (booking.state == BookingState::Active, again) else {
        return Ok(false);
    };
    match claims::act(work, &again, (owner, Act::Book { until: None })) {
        Ok(_) => {}
        Err(Failure::Refused(_)) => return Ok(false),
        Err(fault @ Failure::Fault(_)) => return Err(fault),
    }
    if follows {
        booking.price = price(work, &booking.taken)?;
    }
    paying::put(work, &booking)?;
    Ok(true)
}

/// Adds slots of a resource to the live ones of a booking, and returns the new ones; `None` if they are no longer its
/// own, or still out of use.
fn grow(booking: &mut Booking, resource: &Resource, slots: &[Slot]) -> Option<CellGroup> {
    let mut left = slots.to_vec();
    let mut new = Vec::new();
    let here = |taken: &Taken| taken.resource == resource.id;
    let live = booking.taken.iter().filter(|taken| here(taken));
    let live: Vec<Slot> = live.flat_map(|taken| taken.live.clone()).collect();
    for taken in booking.taken.iter_mut().filter(|taken| here(taken)) {
        let (_, all) = resource.taken(taken.wanted);
        let mine = common(&left, &[all]);
        left = subtract(&left, &mine);
        let gets = subtract(&mine, &live);
        taken.live = joined([taken.live.as_slice(), &gets].concat());
        new.extend(gets);
    }
    let in_service = slots.iter().all(|slot| resource.marked(*slot).is_none());
    (left.is_empty() && in_service).then(|| CellGroup::Time { resource: resource.id.clone(), slots: new })
}
