//! Undo of a disable, including its displacements.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Taken};
use crate::domain::house::{WorkItem, WorkKind, WorkState};
use crate::domain::ids::{BookingId, WorkId};
use crate::domain::loss::{Loss, LostCells};
use crate::domain::owner::Owner;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, joined, subtract};
use crate::engine::ops::booking::{price, price_follows};
use crate::engine::ops::claims;
use crate::engine::ops::enable_slot::EnableSlot;
use crate::engine::ops::seat_acts::Whose;
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
    type Answer = Vec<WorkItem>;

    /// Returns the items still open.
    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<WorkItem>, Failure> {
        let enable = EnableSlot {
            id: self.id,
            whose: Whose::Mine,
        };
        enable.run(work)?;
        let mut still = Vec::new();
        for id in &self.displaced {
            let mut item: WorkItem = work.get(*id)?;
            if item.state != WorkState::Open {
                continue;
            }
            if gave_back(work, &item)? {
                item.state = WorkState::Resolved {
                    operator: work.actor().operator.clone(),
                    at: work.now(),
                    note: "back where it was".to_owned(),
                };
                work.put(&item)?;
            } else {
                still.push(item);
            }
        }
        Ok(still)
    }
}

/// Returns lost time to a booking if all of it is free; returns whether it did.
fn gave_back(work: &mut UnitOfWork<'_>, item: &WorkItem) -> Result<bool, Failure> {
    let WorkKind::Displaced {
        owner: Owner::Booking(_, id),
        loss:
            Loss {
                cells: LostCells::Time { resource, slots },
                ..
            },
    } = &item.what
    else {
        return Ok(false);
    };
    let mut booking: Booking = work.get(*id)?;
    let again = again(&work.get(resource)?, &booking, slots);
    let (true, Some(again)) = (booking.state == BookingState::Active, again) else {
        return Ok(false);
    };
    let act = (&booking.owner(), Act::Book { until: None });
    match claims::act(work, &again, act) {
        Ok(_) => {}
        Err(Failure::Refused(_)) => return Ok(false),
        Err(fault @ Failure::Fault(_)) => return Err(fault),
    }
    let follows = price_follows(work, &booking)?;
    grow(&mut booking, resource, &again);
    if follows {
        booking.price = price(work, &booking.taken)?;
    }
    work.put(&booking)?;
    Ok(true)
}

/// Time a booking takes to get slots of a resource back; `None` if the slots are no longer its own,
/// or still out of use.
fn again(resource: &Resource, booking: &Booking, slots: &[Slot]) -> Option<Vec<Taken>> {
    let mut left = slots.to_vec();
    let mut out = Vec::new();
    let here = |taken: &&Taken| taken.resource == resource.id;
    let live = booking.taken.iter().filter(here);
    let live: Vec<Slot> = live.flat_map(|taken| taken.live.clone()).collect();
    for taken in booking.taken.iter().filter(here) {
        let (_, all) = resource.taken(taken.wanted);
        let mine: Vec<Slot> = left.iter().filter_map(|slot| slot.meet(&all)).collect();
        left = subtract(&left, &mine);
        out.push(Taken {
            live: subtract(&mine, &live),
            ..taken.clone()
        });
    }
    let in_service = slots.iter().all(|slot| resource.marked(*slot).is_none());
    (left.is_empty() && in_service).then_some(out)
}

fn grow(booking: &mut Booking, resource: &ResourceId, again: &[Taken]) {
    let mine = booking
        .taken
        .iter_mut()
        .filter(|taken| taken.resource == *resource);
    for (taken, more) in mine.zip(again) {
        taken.live = joined([taken.live.as_slice(), more.live.as_slice()].concat());
    }
}
