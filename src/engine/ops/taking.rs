//! Taking and freeing time: what an act takes of resources and their parts, all of it or none.
//!
//! The kernel is asked with cells; here slots become cells, days without a chunk get one where they are free by
//! themselves, and a refusal becomes slots and names again. Whatever rests on a resource touches it.

use crate::domain::availability::{
    self, Act, Applied, CellRange, CellSet, CellSetError, Chunk, Chunks, RefusedCells, RefusedWhy,
};
use crate::domain::booking::Taken;
use crate::domain::calendar::State;
use crate::domain::owner::{Owner, Use};
use crate::domain::refusal::{Purpose, Refusal, SlotFact};
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{Instant, LAST_BOOKABLE, Slot, Span, date_of, subtract};
use crate::engine::ops::claims;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

/// The longest slot of one act.
pub(super) const SLOT_MAX: Span = Span::minutes(3 * 366 * 24 * 60);

/// A resource and all its parts, the whole first.
///
/// # Errors
/// There is no such resource.
pub(super) fn family(work: &mut UnitOfWork<'_>, id: &ResourceId) -> Result<Vec<Resource>, Failure> {
    let mut out: Vec<Resource> = vec![work.get(id)?];
    let mut at = 0;
    while let Some(children) = out.get(at).map(|one| one.children.clone()) {
        for child in children {
            out.push(work.get(child)?);
        }
        at += 1;
    }
    Ok(out)
}

/// What a wanted slot takes of a resource, with what is needed before and after, and of each of its parts.
///
/// # Errors
/// No such resource, too long a slot, or one that runs into a mark.
pub(super) fn taken(
    work: &mut UnitOfWork<'_>,
    id: &ResourceId,
    wanted: Slot,
) -> Result<Vec<Taken>, Failure> {
    possible("until", wanted)?;
    let family = family(work, id)?;
    let Some(whole) = family.first() else {
        return Ok(Vec::new());
    };
    let (core, all) = whole.taken(wanted);
    family
        .iter()
        .map(|one| {
            in_service(one, all)?;
            Ok(Taken {
                resource: one.id.clone(),
                wanted,
                core,
                live: vec![all],
                part_of: (one.id != whole.id).then(|| whole.id.clone()),
                given: Vec::new(),
            })
        })
        .collect()
}

/// Whether anything may take so long, and so far ahead; `field` is where its end was said.
///
/// # Errors
/// It may not.
pub(super) fn possible(field: &str, slot: Slot) -> Result<(), Refusal> {
    let problem = if slot.from() < Instant::from_millis(0) {
        "it starts in 1970 at the earliest; check the year"
    } else if slot.until() > LAST_BOOKABLE {
        "it ends before the year 2500; check the year"
    } else if slot.span() > SLOT_MAX {
        "it lasts at most three years; check the years"
    } else {
        return Ok(());
    };
    Err(Refusal::BadValue {
        field: field.to_owned(),
        problem: problem.into(),
    })
}

/// Whether nothing marks a resource out of service before the end of a slot.
pub(super) fn in_service(resource: &Resource, slot: Slot) -> Result<(), Refusal> {
    resource.marked(slot).map_or(Ok(()), |mark| {
        Err(Refusal::OutOfService {
            resource: resource.name.clone(),
            from: mark.from,
            operator: mark.operator.clone(),
            reason: mark.reason.clone(),
            cause: mark.cause.word().to_owned(),
            zone: resource.zone(),
        })
    })
}

/// Parts what one owner takes of the same resources: each stretch stays with its own, and what two of them need before
/// or after is the first's.
pub(super) fn set_apart(taken: &mut [Taken]) {
    let cores: Vec<(ResourceId, Vec<Slot>)> = taken
        .iter()
        .map(|one| (one.resource.clone(), one.kept()))
        .collect();
    let mut before: Vec<(ResourceId, Vec<Slot>)> = Vec::new();
    for (at, one) in taken.iter_mut().enumerate() {
        let others = cores.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, core)| core).chain(&before);
        let others: Vec<Slot> = others
            .filter(|(resource, _)| *resource == one.resource)
            .flat_map(|(_, slots)| slots.clone())
            .collect();
        one.live = subtract(&one.live, &others);
        before.push((one.resource.clone(), one.live.clone()));
    }
}

/// The cells that are taken, with the resources they lie in; no cells when nothing is live.
fn cells(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
) -> Result<(Vec<Resource>, Option<CellSet>), Failure> {
    let mut resources: Vec<Resource> = Vec::new();
    let mut ranges = Vec::new();
    for one in taken {
        let resource: Resource = work.get(&one.resource)?;
        for slot in &one.live {
            ranges.extend(resource.cells(*slot));
        }
        if resources.iter().all(|known| known.id != resource.id) {
            resources.push(resource);
        }
    }
    match CellSet::new(ranges) {
        Ok(cells) => Ok((resources, Some(cells))),
        Err(CellSetError::Empty) => Ok((resources, None)),
        Err(CellSetError::Repeated(chunk, _)) => {
            let named = resources
                .iter()
                .find(|one| one.id.as_str() == chunk.resource);
            Err(Refusal::RepeatedResource {
                resource: named.map_or(chunk.resource, |one| one.name.clone()),
            }
            .into())
        }
        Err(CellSetError::Backwards(..)) => {
            Err(Fault::Broken("a slot on the grid has its cells in order".into()).into())
        }
    }
}

/// The chunks of cells; a day that is free by itself gets one, not yet put.
fn chunks(
    work: &mut UnitOfWork<'_>,
    (resources, cells): (&[Resource], &CellSet),
) -> Result<Chunks, Failure> {
    let keys = cells.chunk_keys();
    let mut chunks = work.chunks(&keys)?;
    for key in keys {
        let resource = resources.iter().find(|one| one.id.as_str() == key.resource);
        if let (Some(resource), Some(date)) = (resource, date_of(key.number))
            && resource.policy == Policy::OpenEnded
            && !chunks.contains_key(&key)
        {
            let cells = resource.grid.day(date).cells;
            chunks.insert(key.clone(), Chunk::empty(key, cells));
        }
    }
    Ok(chunks)
}

/// Applies an act to all that is taken, or to none of it, and ends the late owners that it met.
///
/// # Errors
/// Everything that stood in the way, with whose it is.
pub(super) fn act(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<Applied, Failure> {
    let (resources, Some(cells)) = cells(work, taken)? else {
        return Ok(Applied::default());
    };
    let mut chunks = chunks(work, (&resources, &cells))?;
    match availability::apply(&mut chunks, &cells, owner, (act, work.now())) {
        Ok(done) => {
            work.put_chunks(&chunks)?;
            if !matches!(act, Act::Release | Act::Enable) {
                for resource in &resources {
                    work.touch(resource)?;
                }
            }
            claims::end_late(work, &done.late)?;
            Ok(done)
        }
        Err(refused) => Err(explain(work, (&resources, owner, act), &refused)?.into()),
    }
}

/// Frees whatever an owner still has of what was taken, late or not.
pub(super) fn free(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    owner: &Owner,
) -> Result<(), Failure> {
    let (_, Some(cells)) = cells(work, taken)? else {
        return Ok(());
    };
    let mut chunks = work.chunks(&cells.chunk_keys())?;
    availability::free_of(&mut chunks, &cells, owner);
    work.put_chunks(&chunks)
}

/// Whether an act would be done; nothing is put.
///
/// # Errors
/// What it would be refused with.
pub(super) fn would_do(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<(), Failure> {
    let (resources, Some(cells)) = cells(work, taken)? else {
        return Ok(());
    };
    let mut chunks = chunks(work, (&resources, &cells))?;
    match availability::apply(&mut chunks, &cells, owner, (act, work.now())) {
        Ok(_) => Ok(()),
        Err(refused) => Err(explain(work, (&resources, owner, act), &refused)?.into()),
    }
}

/// What stands in the way of an act; nothing is put.
pub(super) fn in_the_way(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<Vec<SlotFact>, Failure> {
    let (resources, Some(cells)) = cells(work, taken)? else {
        return Ok(Vec::new());
    };
    let mut chunks = chunks(work, (&resources, &cells))?;
    match availability::apply(&mut chunks, &cells, owner, (act, work.now())) {
        Ok(_) => Ok(Vec::new()),
        Err(refused) => facts(work, &resources, &refused),
    }
}

/// A refusal of the kernel in the words of the desk.
fn explain(
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
        let mut operators: Vec<String> = claims
            .filter_map(|claim| claim.owner.operator().map(str::to_owned))
            .collect();
        operators.sort_unstable();
        operators.dedup();
        return Ok(Refusal::TimeDisabledByAnother {
            resources: names,
            operators,
        });
    }
    Ok(Refusal::SlotTaken {
        purpose: purpose(owner),
        slots,
        alternatives: Vec::new(),
    })
}

/// What an owner wants time for.
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

/// The refusal of an act that wants time for something else than its owner tells.
pub(super) fn wanted_for(purpose: Purpose) -> impl Fn(Failure) -> Failure {
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

/// What stands on refused cells, neighbours of one owner told as one.
fn facts(
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
                let by = claims::owner_in_words(work, claim)?.1;
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

/// What stands on claims that were found, in words.
pub(super) fn told(
    work: &mut UnitOfWork<'_>,
    resource: &Resource,
    claims: &[(CellRange, availability::Claim)],
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
