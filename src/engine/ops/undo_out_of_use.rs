//! Undo of a disable, including its displacements.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Taken};
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{BookingId, LineId, PerformanceId, WorkId};
use crate::domain::line::seated;
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::time::{Slot, common, joined, subtract};
use crate::engine::ops::booking::{Whose, price, price_follows};
use crate::engine::ops::claims::{self, Cells};
use crate::engine::ops::enable_slot::EnableSlot;
use crate::engine::ops::worklist::{paid_by, resolve};
use crate::engine::ops::{paying, tickets};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Enables what the actor disabled, and returns the lost time to the displaced bookings, the lost seats to the receipts
/// that paid for them. Whoever was given something else meanwhile keeps that; carts, and time on a receipt, stay on the
/// worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Returns what an item lost to its owner if all of it is free; returns whether it did.
fn gave_back(work: &mut UnitOfWork<'_>, item: &WorklistItem) -> Result<bool, Failure> {
    let WorkKind::Displaced { owner, loss, .. } = &item.what else {
        return Ok(false);
    };
    match (owner, &loss.cells) {
        (Owner::Booking(_, id), CellGroup::Time { .. }) => to_booking(work, (owner, *id), loss),
        (Owner::Line(line), CellGroup::Seats { performance, .. }) => {
            to_receipt(work, *line, (*performance, &loss.cells))
        }
        _ => Ok(false),
    }
}

/// Returns lost seats to the receipt of a line; their performance still has to come.
fn to_receipt(
    work: &mut UnitOfWork<'_>,
    line: LineId,
    (performance, lost): (PerformanceId, &CellGroup),
) -> Result<bool, Failure> {
    let owner = Owner::Line(line);
    let Some(receipt) = paid_by(work, &owner, lost)? else {
        return Ok(false);
    };
    let mut receipt: Receipt = work.get(receipt)?;
    let had_seats = seated(&receipt.lines).next().is_some();
    let paid = receipt.lines.iter_mut().find(|paid| paid.number == line.number);
    let is_open = work.get::<Performance>(performance)?.state == PerformanceState::Open;
    let regained = is_open && paid.is_some_and(|paid| paid.goods.regain(lost));
    if !regained || !booked(work, lost, &owner)? {
        return Ok(false);
    }
    if !had_seats {
        tickets::look_again(work, &receipt)?;
    }
    work.put(&receipt)?;
    Ok(true)
}

/// Books cells for an owner; false if they are not free.
fn booked<'c>(work: &mut UnitOfWork<'_>, cells: impl Into<Cells<'c>>, owner: &Owner) -> Result<bool, Failure> {
    match claims::act(work, cells, (owner, Act::Book { until: None })) {
        Ok(_) => Ok(true),
        Err(Failure::Refused(_)) => Ok(false),
        Err(fault @ Failure::Fault(_)) => Err(fault),
    }
}

/// Returns lost time to a booking.
fn to_booking(work: &mut UnitOfWork<'_>, (owner, id): (&Owner, BookingId), loss: &Loss) -> Result<bool, Failure> {
    let CellGroup::Time { resource, slots } = &loss.cells else {
        return Ok(false);
    };
    let mut booking: Booking = work.get(id)?;
    let follows = price_follows(work, &booking)?;
    let resource: Resource = work.get(resource)?;
    let in_service = slots.iter().all(|slot| resource.marked(*slot).is_none());
    let is_its = match loss.units {
        Some(units) => booking.regain_units(&resource, slots, units),
        None => grow(&mut booking, &resource, slots),
    };
    if !(in_service && is_its) || booking.state != BookingState::Active || !booked(work, &booking, owner)? {
        return Ok(false);
    }
    if follows {
        booking.price = price(work, &booking.taken)?;
    }
    paying::put(work, &booking)?;
    Ok(true)
}

/// Adds slots of a resource to the live ones of a booking; false if they are no longer its own.
fn grow(booking: &mut Booking, resource: &Resource, slots: &[Slot]) -> bool {
    let mut left = slots.to_vec();
    let here = |taken: &Taken| taken.resource == resource.id;
    let live = booking.taken.iter().filter(|taken| here(taken));
    let live: Vec<Slot> = live.flat_map(|taken| taken.live.clone()).collect();
    for taken in booking.taken.iter_mut().filter(|taken| here(taken)) {
        let (_, all) = resource.taken(taken.wanted);
        let mine = common(&left, &[all]);
        left = subtract(&left, &mine);
        let gets = subtract(&mine, &live);
        taken.live = joined([taken.live.as_slice(), &gets].concat());
    }
    left.is_empty()
}
