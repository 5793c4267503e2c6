//! Translation of the kernel's refusals: conflicting seats or slots, their owners, and deadlines.

use std::collections::BTreeSet;

use crate::domain::availability::{Act, CellRange, Claim, Grip, RefusedCells, RefusedWhy};
use crate::domain::booking::Booking;
use crate::domain::calendar::State;
use crate::domain::cart::Cart;
use crate::domain::house::{Disable, Keep};
use crate::domain::ids::PerformanceId;
use crate::domain::owner::{Owner, Use};
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Purpose, Refusal, SeatFact, SlotFact};
use crate::domain::resource::{Policy, Resource};
use crate::engine::ops::claims::{Cells, seats_of};
use crate::engine::work::{Failure, UnitOfWork};

/// Translates a refusal of the kernel.
pub(super) fn explain(
    work: &mut UnitOfWork<'_>,
    (cells, resources): (Cells<'_>, &[Resource]),
    (owner, act): (&Owner, Act),
    refused: &[RefusedCells],
) -> Result<Refusal, Failure> {
    match cells {
        Cells::Seats(performance, _) => explain_seats(work, (performance, act), refused),
        Cells::Time(_) => explain_time(work, (resources, owner, act), refused),
    }
}

/// Refusal of an act on seats.
fn explain_seats(
    work: &mut UnitOfWork<'_>,
    (performance, act): (PerformanceId, Act),
    refused: &[RefusedCells],
) -> Result<Refusal, Failure> {
    let plan = work.get::<Performance>(performance)?.plan;
    let house = work.house(plan)?;
    let seats: Vec<SeatRef> = refused
        .iter()
        .flat_map(|one| seats_of(&one.cells))
        .collect();
    let names = house.names(&seats);
    if refused
        .iter()
        .all(|one| matches!(one.why, RefusedWhy::NotYours | RefusedWhy::Expired))
    {
        let lack = if act == Act::Enable {
            Lack::OutOfUse
        } else {
            Lack::InCart
        };
        return Ok(Refusal::NotYours { seats: names, lack });
    }
    if act == Act::Disable {
        let claims = refused.iter().filter_map(|one| one.claim.as_ref());
        let operators = claims.filter_map(|claim| claim.owner.operator());
        return Ok(disabled_by(names, operators));
    }
    let mut details = Vec::new();
    for one in refused {
        let (state, by) = match &one.claim {
            Some(claim) => owner_in_words(work, claim)?,
            None => ("closed".into(), "not open yet".into()),
        };
        let until = one.claim.as_ref().and_then(|claim| claim.until);
        let fact = |seat| SeatFact {
            seat: house.plan.seat_name(seat).to_owned(),
            state: state.clone(),
            by: by.clone(),
            until,
        };
        details.extend(seats_of(&one.cells).map(fact));
    }
    Ok(Refusal::SeatsTaken {
        seats: names,
        details,
        alternatives: Vec::new(),
    })
}

/// Refusal because other operators have disabled the seats.
pub(in crate::engine::ops) fn disabled_by<'o>(
    seats: Vec<String>,
    operators: impl IntoIterator<Item = &'o str>,
) -> Refusal {
    let operators = each_once(operators);
    Refusal::DisabledByAnother { seats, operators }
}

fn each_once<'o>(names: impl IntoIterator<Item = &'o str>) -> Vec<String> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Describes a claim's state and owner.
pub(in crate::engine::ops) fn owner_in_words(
    work: &mut UnitOfWork<'_>,
    claim: &Claim,
) -> Result<(String, String), Failure> {
    Ok(match (&claim.owner, claim.grip) {
        (Owner::Line(line), Grip::Held) => {
            let cart = work.get::<Cart>(line.cart)?;
            if cart.reservation.is_some() {
                ("reserved".into(), cart.customer.name)
            } else {
                ("held".into(), cart.station)
            }
        }
        (Owner::Line(_), _) => ("booked".into(), "a receipt".into()),
        (Owner::Keep(keep), _) => (
            "kept".into(),
            format!("the house ({})", work.get::<Keep>(keep)?.reason),
        ),
        (Owner::Disable(disable, operator), _) => (
            "disabled".into(),
            format!("{operator} ({})", work.get::<Disable>(disable)?.reason),
        ),
        (Owner::Booking(used, booking), _) => {
            (used.word().into(), work.get::<Booking>(booking)?.title)
        }
        (Owner::DisableTime(booking, operator), _) => (
            "disabled".into(),
            format!("{operator} ({})", work.get::<Booking>(booking)?.title),
        ),
    })
}

/// Refusal of an act on time.
pub(super) fn explain_time(
    work: &mut UnitOfWork<'_>,
    (resources, owner, act): (&[Resource], &Owner, Act),
    refused: &[RefusedCells],
) -> Result<Refusal, Failure> {
    let all = |whys: &[RefusedWhy]| refused.iter().all(|one| whys.contains(&one.why));
    if all(&[RefusedWhy::NotOpen]) {
        return Ok(not_open(resources, refused));
    }
    let slots = facts(work, resources, refused)?;
    if all(&[RefusedWhy::NotYours, RefusedWhy::Expired]) {
        return Ok(Refusal::SlotNotYours { slots });
    }
    if act == Act::Disable {
        let mut names: Vec<String> = slots.into_iter().map(|slot| slot.resource).collect();
        names.dedup();
        let claims = refused.iter().filter_map(|one| one.claim.as_ref());
        let operators = claims.filter_map(|claim| claim.owner.operator());
        return Ok(Refusal::TimeDisabledByAnother {
            resources: names,
            operators: each_once(operators),
        });
    }
    Ok(Refusal::SlotTaken {
        purpose: purpose(owner),
        slots,
        alternatives: Vec::new(),
    })
}

/// Purpose for which an owner requests time.
fn purpose(owner: &Owner) -> Purpose {
    match owner {
        Owner::Line(_) => Purpose::Hold,
        Owner::Booking(Use::Booking, _) | Owner::Keep(_) => Purpose::Book,
        Owner::Booking(Use::Performance, _) => Purpose::Perform,
        Owner::Booking(Use::Maintenance | Use::Relocation | Use::Occupied, _)
        | Owner::Disable(..)
        | Owner::DisableTime(..) => Purpose::TakeOut,
    }
}

/// Replaces the purpose of a refusal where it differs from the owner's.
pub(in crate::engine::ops) fn wanted_for(purpose: Purpose) -> impl Fn(Failure) -> Failure {
    move |failure| match failure {
        Failure::Refused(refusal) => refusal.wanted_for(purpose).into(),
        fault @ Failure::Fault(_) => fault,
    }
}

fn not_open(resources: &[Resource], refused: &[RefusedCells]) -> Refusal {
    let place = |one: &RefusedCells| {
        let resource = resources
            .iter()
            .find(|known| known.id.as_str() == one.cells.chunk.resource)?;
        Some((resource.slot_of(&one.cells)?, resource))
    };
    let first = refused
        .iter()
        .filter_map(place)
        .min_by_key(|(slot, _)| slot.from());
    match first {
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

/// Conflicts on refused cells; adjacent cells of one owner are merged.
pub(super) fn facts(
    work: &mut UnitOfWork<'_>,
    resources: &[Resource],
    refused: &[RefusedCells],
) -> Result<Vec<SlotFact>, Failure> {
    let mut out: Vec<SlotFact> = Vec::new();
    for RefusedCells { cells, why, claim } in refused {
        let resource = resources
            .iter()
            .find(|one| one.id.as_str() == cells.chunk.resource);
        let Some((slot, resource)) = resource.and_then(|one| Some((one.slot_of(cells)?, one)))
        else {
            continue;
        };
        let (state, by, deadline) = match claim {
            Some(claim) => {
                let by = owner_in_words(work, claim)?.1;
                let state = State::of(claim).word();
                (state.to_owned(), by, claim.until)
            }
            None if *why == RefusedWhy::NotOpen => {
                (State::NotOpen.word().to_owned(), String::new(), None)
            }
            None => (State::Free.word().to_owned(), String::new(), None),
        };
        let fact = SlotFact {
            resource: resource.name.clone(),
            from: slot.from(),
            until: slot.until(),
            zone: resource.zone(),
            nights: resource.grid.segment.is_day(),
            state,
            by,
            deadline,
            until_further_notice: false,
        };
        match out.last_mut() {
            Some(last)
                if last.until == fact.from
                    && (&last.resource, &last.state, &last.by)
                        == (&fact.resource, &fact.state, &fact.by) =>
            {
                last.until = fact.until;
            }
            _ => out.push(fact),
        }
    }
    Ok(out)
}

/// Describes claims as conflicts.
pub(in crate::engine::ops) fn told(
    work: &mut UnitOfWork<'_>,
    resource: &Resource,
    claims: &[(CellRange, Claim)],
) -> Result<Vec<SlotFact>, Failure> {
    let refused: Vec<RefusedCells> = claims
        .iter()
        .map(|(cells, claim)| RefusedCells {
            cells: cells.clone(),
            why: RefusedWhy::Taken,
            claim: Some(claim.clone()),
        })
        .collect();
    facts(work, std::slice::from_ref(resource), &refused)
}
