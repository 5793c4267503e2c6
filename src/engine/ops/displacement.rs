//! Displacement: removes taken cells from their owners.
//!
//! An owner that paid, reserved, or set its cart aside gets a worklist item; an open cart only
//! loses the cells, and its station gets an event.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::availability::{CellRange, Claim};
use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState};
use crate::domain::event::Event;
use crate::domain::house::{Keep, WorkItem, WorkKind, WorkState};
use crate::domain::ids::{CartId, LineId, PerformanceId, WorkId};
use crate::domain::line::{Goods, Line};
use crate::domain::loss::{Loss, LostCells};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, hull, joined};
use crate::engine::ops::booking::{price, price_follows};
use crate::engine::ops::claims::{self, seats_of};
use crate::engine::ops::ending::{put_changed, put_keep};
use crate::engine::work::{Failure, UnitOfWork};

/// Effects of a displacement.
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
}

/// Removes seats of a performance from their owners.
pub(super) fn displace_seats(
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
    if !owners.is_empty() {
        let at: Performance = work.get(performance)?;
        let slot = Slot::new(at.start, at.end).ok();
        taken_over(work, (performance.to_string(), slot), owners.keys())?;
    }
    let cells = |seats| LostCells::Seats { performance, seats };
    let owners = owners.into_iter();
    take_all(
        work,
        owners.map(|(owner, seats)| (owner, cells(seats))),
        reason,
    )
}

/// Removes time of resources from its owners.
pub(super) fn displace_time(
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
    let resources: BTreeSet<ResourceId> = owners.keys().map(|(_, id)| id.clone()).collect();
    for id in resources {
        let of_it = owners.iter().filter(|((_, other), _)| *other == id);
        let slots: Vec<Slot> = of_it.clone().flat_map(|(_, slots)| slots.clone()).collect();
        let lost = (id.to_string(), hull(&slots));
        taken_over(work, lost, of_it.map(|((owner, _), _)| owner))?;
    }
    let lost = owners.into_iter().map(|((owner, resource), slots)| {
        let slots = joined(slots);
        (owner, LostCells::Time { resource, slots })
    });
    take_all(work, lost, reason)
}

/// Sends the event of owners that lost cells of a resource.
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

fn take_all(
    work: &mut UnitOfWork<'_>,
    owners: impl Iterator<Item = (Owner, LostCells)>,
    reason: &str,
) -> Result<Displaced, Failure> {
    let mut done = Displaced::default();
    for (owner, cells) in owners {
        let reason = reason.to_owned();
        let loss = Loss { cells, reason };
        if take(work, &owner, &loss)? {
            let what = WorkKind::Displaced { owner, loss };
            done.items.push(put_on_worklist(work, what)?);
        } else if let Owner::Line(line) = owner {
            done.carts.push(line.cart);
        }
    }
    done.carts.dedup();
    Ok(done)
}

/// Removes cells from one owner; returns whether a worklist item is needed.
fn take(work: &mut UnitOfWork<'_>, owner: &Owner, loss: &Loss) -> Result<bool, Failure> {
    match (owner, &loss.cells) {
        (Owner::Line(line), _) => from_line(work, *line, loss),
        (Owner::Keep(id), LostCells::Seats { seats, .. }) => {
            let mut keep: Keep = work.get(id)?;
            keep.live.retain(|seat| !seats.contains(seat));
            put_keep(work, &keep)?;
            Ok(false)
        }
        (Owner::Booking(_, id), LostCells::Time { resource, slots }) => {
            let mut booking: Booking = work.get(id)?;
            let follows = price_follows(work, &booking)?;
            for taken in &mut booking.taken {
                taken.lose(resource, slots);
            }
            if follows {
                booking.price = price(work, &booking.taken)?;
            }
            work.put(&booking)?;
            Ok(true)
        }
        (Owner::Keep(_), LostCells::Time { .. })
        | (Owner::Booking(..), LostCells::Seats { .. })
        | (Owner::Disable(..) | Owner::DisableTime(..), _) => Ok(false),
    }
}

/// Removes cells from a line of a cart or receipt; returns whether a worklist item is needed.
fn from_line(work: &mut UnitOfWork<'_>, line: LineId, loss: &Loss) -> Result<bool, Failure> {
    let mut cart: Cart = work.get(line.cart)?;
    let is_mine = |one: &&mut Line| one.number == line.number;
    if let CartState::Done(receipt) = cart.state {
        let mut receipt: Receipt = work.get(receipt)?;
        if let Some(issued) = receipt.lines.iter_mut().find(is_mine) {
            issued.goods.lose(&loss.cells);
        }
        work.put(&receipt)?;
        return Ok(true);
    }
    if let Some(mine) = cart.lines.iter_mut().find(is_mine) {
        cart.lost.extend(wanted_of(&mine.goods, loss));
        mine.goods.take(&loss.cells);
        mine.count = match &mine.goods {
            Goods::Seats { .. } => mine.seat_count(),
            Goods::Time { .. } => segments(work, &mine.goods)?,
        };
        if mine.count == 0 {
            claims::free(work, &mine.goods, &Owner::Line(line))?;
        }
    }
    cart.lines.retain(|line| line.count > 0);
    cart.forget_currency();
    put_changed(work, &mut cart)?;
    Ok(cart.is_takeable())
}

/// Restricts a loss to the requested resource and its core time.
fn wanted_of(goods: &Goods, loss: &Loss) -> Option<Loss> {
    let LostCells::Time { resource, slots } = &loss.cells else {
        return Some(loss.clone());
    };
    let asked = goods.taken().first()?;
    let inside = slots.iter().filter_map(|slot| slot.meet(&asked.core));
    let slots: Vec<Slot> = inside.collect();
    (asked.resource == *resource && !slots.is_empty()).then(|| Loss {
        cells: LostCells::Time {
            resource: resource.clone(),
            slots,
        },
        reason: loss.reason.clone(),
    })
}

/// Segments still held of a time line, without the time needed before and after.
fn segments(work: &mut UnitOfWork<'_>, goods: &Goods) -> Result<u32, Failure> {
    let Some(asked) = goods.taken().first() else {
        return Ok(0);
    };
    let resource: Resource = work.get(&asked.resource)?;
    let inside = asked.live.iter().filter_map(|slot| slot.meet(&asked.core));
    Ok(inside.map(|slot| resource.grid.segments(slot)).sum())
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

/// Resolves the open worklist items of an owner.
pub(super) fn resolve_items_of(
    work: &mut UnitOfWork<'_>,
    owner: &Owner,
    note: &str,
) -> Result<(), Failure> {
    let items: Vec<WorkItem> = work.select(
        "WHERE state = 'open' AND owner = $1 ORDER BY key",
        &[owner.to_string().into()],
    )?;
    for mut item in items {
        if item.state == WorkState::Open && item.what.is_lost_by(owner) {
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
