//! Displacement of time: removes taken slots from their owners.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::availability::{CellRange, Claim};
use crate::domain::booking::{Booking, Taken};
use crate::domain::cart::{Cart, CartState, Loss};
use crate::domain::house::{WorkItem, WorkKind, WorkState};
use crate::domain::ids::LineId;
use crate::domain::line::Line;
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, hull, joined, subtract};
use crate::engine::ops::booking::{price, price_follows};
use crate::engine::ops::claims;
use crate::engine::ops::displacing::{Displaced, put_on_worklist, taken_over};
use crate::engine::ops::ending::put_changed;
use crate::engine::work::{Failure, UnitOfWork};

/// Removes time from the live slots of its owners. Booked, paid and set-aside owners get a worklist
/// item; an open cart only loses the time.
pub(in crate::engine::ops) fn displace_time(
    work: &mut UnitOfWork<'_>,
    displaced: &[(CellRange, Claim)],
    reason: &str,
) -> Result<Displaced, Failure> {
    let mut owners: BTreeMap<(Owner, ResourceId), Vec<Slot>> = BTreeMap::new();
    for (cells, claim) in displaced {
        let resource: Resource = work.get(&cells.chunk.resource)?;
        if let Some(slot) = resource.slot_of(cells) {
            owners
                .entry((claim.owner.clone(), resource.id))
                .or_default()
                .push(slot);
        }
    }
    let mut done = Displaced::default();
    let resources: BTreeSet<ResourceId> = owners.keys().map(|(_, id)| id.clone()).collect();
    for id in resources {
        let of_it = owners.iter().filter(|((_, other), _)| *other == id);
        let slots: Vec<Slot> = of_it.clone().flat_map(|(_, slots)| slots.clone()).collect();
        let lost = (id.to_string(), hull(&slots));
        taken_over(work, lost, of_it.map(|((owner, _), _)| owner))?;
    }
    for ((owner, resource), slots) in owners {
        let slots = joined(slots);
        let waits = match &owner {
            Owner::Line(line) => from_line(work, *line, (&resource, &slots), reason)?,
            Owner::Booking(_, id) => {
                let mut booking: Booking = work.get(id)?;
                let follows = price_follows(work, &booking)?;
                give_up(&mut booking.taken, (&resource, &slots));
                if follows {
                    booking.price = price(work, &booking.taken)?;
                }
                work.put(&booking)?;
                true
            }
            Owner::Keep(_) | Owner::Disable(..) | Owner::DisableTime(..) => false,
        };
        if waits {
            let what = WorkKind::DisplacedTime {
                owner,
                resource,
                slots,
                reason: reason.to_owned(),
            };
            done.items.push(put_on_worklist(work, what)?);
        } else {
            done.lost(&owner);
        }
    }
    Ok(done)
}

/// Removes slots of a resource from the live ones.
fn give_up(taken: &mut [Taken], (resource, slots): (&ResourceId, &[Slot])) {
    for one in taken.iter_mut().filter(|one| one.resource == *resource) {
        one.live = subtract(&one.live, slots);
    }
}

/// Removes time from a line of a cart or receipt; returns whether a worklist item is needed.
fn from_line(
    work: &mut UnitOfWork<'_>,
    line: LineId,
    slots: (&ResourceId, &[Slot]),
    reason: &str,
) -> Result<bool, Failure> {
    let mut cart: Cart = work.get(line.cart)?;
    if let CartState::Done(receipt) = cart.state {
        let mut receipt: Receipt = work.get(receipt)?;
        let mut lines = receipt.lines.iter_mut();
        if let Some(issued) = lines.find(|issued| issued.number == line.number) {
            issued.goods.take_time(slots.0, slots.1);
        }
        work.put(&receipt)?;
        return Ok(true);
    }
    let mut lines = cart.lines.iter_mut();
    if let Some(mine) = lines.find(|mine| mine.number == line.number) {
        cart.lost.extend(loss(mine, slots, reason));
        mine.goods.take_time(slots.0, slots.1);
        mine.count = segments(work, mine)?;
        if mine.count == 0 {
            claims::free(work, &mine.goods, &Owner::Line(line))?;
        }
    }
    cart.lines.retain(|line| line.count > 0);
    cart.forget_currency();
    put_changed(work, &mut cart)?;
    Ok(cart.is_takeable())
}

/// Loss of a line, within its requested time.
fn loss(line: &Line, (resource, slots): (&ResourceId, &[Slot]), reason: &str) -> Option<Loss> {
    let asked = line
        .goods
        .taken()
        .first()
        .filter(|asked| asked.resource == *resource)?;
    let slots: Vec<Slot> = slots
        .iter()
        .filter_map(|slot| slot.meet(&asked.core))
        .collect();
    (!slots.is_empty()).then(|| Loss::Time {
        resource: resource.clone(),
        slots,
        reason: reason.to_owned(),
    })
}

/// Number of segments a line still has, without the time needed before and after.
fn segments(work: &mut UnitOfWork<'_>, line: &Line) -> Result<u32, Failure> {
    let Some(asked) = line.goods.taken().first() else {
        return Ok(0);
    };
    let resource: Resource = work.get(&asked.resource)?;
    Ok(asked
        .live
        .iter()
        .filter_map(|slot| slot.meet(&asked.core))
        .map(|slot| resource.grid.segments(slot))
        .sum())
}

/// Resolves the open worklist items of an owner.
pub(in crate::engine::ops) fn dealt_with(
    work: &mut UnitOfWork<'_>,
    owner: &Owner,
    note: &str,
) -> Result<(), Failure> {
    let rows = work.query(
        "SELECT key FROM work WHERE state = 'open' ORDER BY key",
        &[],
    )?;
    let keys: Vec<String> = rows.iter().map(|row| row.text(0).to_owned()).collect();
    for key in keys {
        let mut item: WorkItem = work.get(key)?;
        let mine =
            matches!(&item.what, WorkKind::DisplacedTime { owner: other, .. } if other == owner);
        if mine && item.state == WorkState::Open {
            item.state = WorkState::Resolved {
                operator: work.actor().operator.clone(),
                at: work.now(),
                note: clean(note),
            };
            work.put(&item)?;
        }
    }
    Ok(())
}
