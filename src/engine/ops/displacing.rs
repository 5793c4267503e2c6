//! Displacement: removes taken cells from their owners.

use std::collections::BTreeMap;

use crate::domain::availability::{CellRange, Claim};
use crate::domain::cart::{Cart, CartState, Loss};
use crate::domain::event::Event;
use crate::domain::house::{Keep, WorkItem, WorkKind, WorkState};
use crate::domain::ids::{CartId, LineId, PerformanceId, WorkId};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::time::Slot;
use crate::engine::ops::claims::seats_of;
use crate::engine::ops::ending::{put_changed, put_keep};
use crate::engine::work::{Failure, UnitOfWork};

mod time;

pub(super) use time::{dealt_with, displace_time};

/// Owners displaced by a disable.
#[derive(Debug, Default)]
pub(super) struct Displaced {
    /// New worklist items.
    pub(super) items: Vec<WorkItem>,
    /// Open carts that lost something.
    pub(super) carts: Vec<CartId>,
}

impl Displaced {
    pub(super) fn add(&mut self, more: Self) {
        self.items.extend(more.items);
        self.carts.extend(more.carts);
        self.carts.sort_unstable();
        self.carts.dedup();
    }

    fn lost(&mut self, owner: &Owner) {
        if let Owner::Line(line) = owner {
            self.carts.push(line.cart);
        }
    }
}

/// Removes cells from the live cells of their owners. Paid, reserved and set-aside owners get a
/// worklist item; an open cart only loses the cells.
pub(super) fn displace(
    work: &mut UnitOfWork<'_>,
    performance: PerformanceId,
    displaced: &[(CellRange, Claim)],
    reason: &str,
) -> Result<Displaced, Failure> {
    let mut owners: BTreeMap<Owner, Vec<SeatRef>> = BTreeMap::new();
    for (cells, claim) in displaced {
        owners
            .entry(claim.owner.clone())
            .or_default()
            .extend(seats_of(cells));
    }
    let mut done = Displaced::default();
    if !owners.is_empty() {
        let at: Performance = work.get(performance)?;
        let slot = Slot::new(at.start, at.end).ok();
        taken_over(work, (performance.to_string(), slot), owners.keys())?;
    }
    for (owner, seats) in owners {
        let waits = match &owner {
            Owner::Line(line) => displace_line(work, *line, (&seats, reason))?,
            Owner::Keep(id) => {
                let mut keep: Keep = work.get(id)?;
                keep.live.retain(|seat| !seats.contains(seat));
                put_keep(work, &keep)?;
                false
            }
            Owner::Disable(..) | Owner::Booking(..) | Owner::DisableTime(..) => false,
        };
        if waits {
            let what = WorkKind::Displaced {
                owner,
                performance,
                seats,
                reason: reason.to_owned(),
            };
            done.items.push(put_on_worklist(work, what)?);
        } else {
            done.lost(&owner);
        }
    }
    done.carts.dedup();
    Ok(done)
}

/// Sends the event that owners lost cells of a resource.
fn taken_over<'o>(
    work: &mut UnitOfWork<'_>,
    (resource, slot): (String, Option<Slot>),
    owners: impl Iterator<Item = &'o Owner>,
) -> Result<(), Failure> {
    let owners: Vec<Owner> = owners.cloned().collect();
    match slot {
        Some(slot) => work.tell(&Event::ResourceTakenOver {
            resource,
            owners,
            slot,
        }),
        None => Ok(()),
    }
}

/// Removes seats from a line of a cart or receipt; returns whether a worklist item is needed.
fn displace_line(
    work: &mut UnitOfWork<'_>,
    line: LineId,
    (seats, reason): (&[SeatRef], &str),
) -> Result<bool, Failure> {
    let mut cart: Cart = work.get(line.cart)?;
    if let CartState::Done(receipt) = cart.state {
        let mut receipt: Receipt = work.get(receipt)?;
        let mut lines = receipt.lines.iter_mut();
        if let Some(issued) = lines.find(|issued| issued.number == line.number) {
            issued.goods.lose_seats(seats);
        }
        work.put(&receipt)?;
        return Ok(true);
    }
    let mut lines = cart.lines.iter();
    let mine = lines.find(|mine| mine.number == line.number);
    if let Some(performance) = mine.and_then(|mine| mine.goods.performance()) {
        cart.lost.push(Loss::Seats {
            performance,
            seats: seats.to_vec(),
            reason: reason.to_owned(),
        });
    }
    cart.give_up(line.number, seats);
    put_changed(work, &mut cart)?;
    Ok(cart.is_takeable())
}

/// Puts an item on the worklist.
pub(super) fn put_on_worklist(
    work: &mut UnitOfWork<'_>,
    what: WorkKind,
) -> Result<WorkItem, Failure> {
    let item = WorkItem {
        id: WorkId::random(),
        what,
        since: work.now(),
        state: WorkState::Open,
    };
    work.create(&item)?;
    Ok(item)
}
