//! Translation of the kernel's refusals: conflicting seats or slots, their owners, and deadlines.
//!
//! Import cycle with `claims`, whose acts it explains and whose cells it reads.

use crate::domain::availability::{Act, CellRange, Claim, Grip, RefusedCells, RefusedWhy};
use crate::domain::booking::Booking;
use crate::domain::calendar::State;
use crate::domain::cart::Cart;
use crate::domain::house::Keep;
use crate::domain::ids::PerformanceId;
use crate::domain::owner::{Owner, Use};
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Lack, OwnerName, Purpose, Refusal, SlotAt, WantedCells};
use crate::domain::resource::{Policy, Resource};
use crate::domain::time::Slot;
use crate::engine::ops::claims::{cells_of, chunk_of, claim_of, seats_of};
use crate::engine::ops::customers;
use crate::engine::work::{Failure, UnitOfWork};

/// Performance of some cells, or else their resources.
pub(super) type CellsOf<'a> = (Option<PerformanceId>, &'a [Resource]);

pub(super) fn explain(
    work: &mut UnitOfWork<'_>,
    (performance, resources): CellsOf<'_>,
    (owner, act): (&Owner, Act),
    refused: &[RefusedCells],
) -> Result<Refusal, Failure> {
    let all = |whys: &[RefusedWhy]| refused.iter().all(|one| whys.contains(&one.why));
    let time = performance.is_none();
    if time && all(&[RefusedWhy::NotOpen]) {
        return Ok(not_open(resources, refused));
    }
    let facts = facts(work, (performance, resources), refused)?;
    if all(&[RefusedWhy::NotYours, RefusedWhy::Expired]) {
        let lack = if time {
            Lack::InBooking
        } else if act == Act::Enable {
            Lack::OutOfUse
        } else {
            Lack::InCart
        };
        return Ok(Refusal::NotYours { lack, facts });
    }
    if act == Act::Disable {
        return Ok(Refusal::DisabledByAnother { facts });
    }
    let wanted = if time { WantedCells::Time(purpose(owner)) } else { WantedCells::Seats };
    Ok(Refusal::taken(wanted, facts))
}

/// Refusal of seats that lack a property, with their present owners.
pub(in crate::engine::ops) fn not_yours(
    work: &mut UnitOfWork<'_>,
    (performance, seats): (PerformanceId, &[SeatRef]),
    lack: Lack,
) -> Result<Refusal, Failure> {
    let keys = cells_of(performance, seats)?.map(|cells| cells.chunk_keys());
    let chunks = work.chunks(&keys.unwrap_or_default())?;
    let refused = seats.iter().map(|seat| {
        let (chunk, at) = (chunk_of(performance, seat.row), seat.seat);
        RefusedCells {
            claim: claim_of(&chunks, performance, *seat).cloned(),
            cells: CellRange { chunk, from: at, to: at },
            why: RefusedWhy::NotYours,
        }
    });
    let refused: Vec<RefusedCells> = refused.collect();
    let facts = facts(work, (Some(performance), &[]), &refused)?;
    Ok(Refusal::NotYours { lack, facts })
}

pub(in crate::engine::ops) fn owner_of(work: &mut UnitOfWork<'_>, claim: &Claim) -> Result<OwnerName, Failure> {
    Ok(match (&claim.owner, claim.grip) {
        (Owner::Line(line), Grip::Held) => {
            let cart = work.get::<Cart>(line.cart)?;
            if cart.reservation.is_some() {
                OwnerName::Customer(customers::told(work, cart.customer)?.name)
            } else {
                OwnerName::Station(cart.station)
            }
        }
        (Owner::Line(_), _) => OwnerName::Receipt,
        (Owner::Keep(keep), _) => OwnerName::House(work.get::<Keep>(keep)?.reason),
        (Owner::Disable(act, operator), _) => {
            let act: Booking = work.get(act)?;
            OwnerName::operator((operator, act.approved.as_deref()), &act.title)
        }
        (Owner::Booking(_, booking), _) => {
            let booking = work.get(booking)?;
            OwnerName::Booking(customers::title(work, &booking)?)
        }
    })
}

fn purpose(owner: &Owner) -> Purpose {
    match owner {
        Owner::Line(_) => Purpose::Hold,
        Owner::Booking(Use::Booking, _) | Owner::Keep(_) => Purpose::Book,
        Owner::Booking(Use::Performance, _) => Purpose::Perform,
        Owner::Booking(Use::Maintenance | Use::Relocation | Use::Occupied, _) | Owner::Disable(..) => Purpose::TakeOut,
    }
}

/// Replaces the purpose of a refusal where it differs from the owner's.
pub(in crate::engine::ops) fn wanted_for(purpose: Purpose) -> impl Fn(Failure) -> Failure {
    move |failure| match failure {
        Failure::Refused(refusal) => refusal.wanted_for(purpose).into(),
        fault @ Failure::Fault(_) => fault,
    }
}

/// Slot of some cells, and its resource.
fn slot_of<'r>(resources: &'r [Resource], cells: &CellRange) -> Option<(Slot, &'r Resource)> {
    let mut resources = resources.iter();
    let resource = resources.find(|one| one.id.as_str() == cells.chunk.resource)?;
    Some((resource.slot_of(cells)?, resource))
}

fn not_open(resources: &[Resource], refused: &[RefusedCells]) -> Refusal {
    let slots = refused.iter();
    let slots = slots.filter_map(|one| slot_of(resources, &one.cells));
    match slots.min_by_key(|(slot, _)| slot.from()) {
        Some((slot, resource)) => Refusal::NotOpen {
            resource: resource.name.clone(),
            from: slot.from(),
            horizon: match resource.policy {
                Policy::Preallocated { horizon, .. } => horizon,
                Policy::OpenEnded => None,
            },
            zone: resource.zone(),
        },
        None => Refusal::NothingChosen,
    }
}

/// Conflicts on refused cells; adjacent time of one owner is merged.
pub(super) fn facts(
    work: &mut UnitOfWork<'_>,
    (performance, resources): CellsOf<'_>,
    refused: &[RefusedCells],
) -> Result<Vec<Fact>, Failure> {
    let seating = match performance {
        Some(performance) => {
            let plan = work.get::<Performance>(performance)?.plan;
            Some(work.seating(plan)?)
        }
        None => None,
    };
    let mut out: Vec<Fact> = Vec::new();
    for RefusedCells { cells, why, claim } in refused {
        let (state, by, until) = match claim {
            Some(claim) => (State::of(claim), owner_of(work, claim)?, claim.until),
            None if *why == RefusedWhy::NotOpen => (State::NotOpen, OwnerName::Nobody, None),
            None => (State::Free, OwnerName::Nobody, None),
        };
        let names: Vec<CellName> = if let Some(seating) = &seating {
            let name = |seat| CellName::Seat(seating.plan.seat_name(seat).to_owned());
            seats_of(cells).map(name).collect()
        } else {
            let at = slot_of(resources, cells).map(|(slot, of)| SlotAt::of(of, slot));
            at.map(CellName::Slot).into_iter().collect()
        };
        for what in names {
            let by = by.clone();
            let fact = Fact { what, state, by, until };
            if !out.last_mut().is_some_and(|last| last.extend(&fact)) {
                out.push(fact);
            }
        }
    }
    Ok(out)
}

/// Describes claims on a performance or on resources as conflicts.
pub(in crate::engine::ops) fn told(
    work: &mut UnitOfWork<'_>,
    of: CellsOf<'_>,
    claims: &[(CellRange, Claim)],
) -> Result<Vec<Fact>, Failure> {
    let refused: Vec<RefusedCells> = claims
        .iter()
        .map(|(cells, claim)| RefusedCells { cells: cells.clone(), why: RefusedWhy::Taken, claim: Some(claim.clone()) })
        .collect();
    facts(work, of, &refused)
}
