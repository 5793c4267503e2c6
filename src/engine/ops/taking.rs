//! Time that a slot takes: of a resource including the time needed before and after, and of each of
//! its parts; and claims on a resource from an instant on, without an end.

use crate::domain::availability::{CellRange, ChunkKey, Claim};
use crate::domain::booking::Taken;
use crate::domain::refusal::{CountRefusal, MarkedResource, Problem, Refusal};
use crate::domain::resource::{Count, Resource, ResourceId};
use crate::domain::time::{Instant, LAST_BOOKABLE, Slot, Span, day_number, subtract};
use crate::engine::ops::changes::retired;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::chunks::{BETWEEN, chunk_at, days_from};

/// Longest slot per operation.
pub(super) const SLOT_MAX: Span = Span::minutes(3 * 366 * 24 * 60);

/// Resource with all its descendants, the whole first.
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

/// Time that a slot takes of a resource, including the time needed before and after, and of each of
/// its parts; refuses too long a slot, and one that runs into a mark.
pub(super) fn taken(work: &mut UnitOfWork<'_>, id: &ResourceId, wanted: Slot) -> Result<Vec<Taken>, Failure> {
    possible("until", wanted)?;
    let family = family(work, id)?;
    let Some(whole) = family.first() else {
        return Ok(Vec::new());
    };
    if whole.retired {
        return Err(retired("resource", &whole.name).into());
    }
    let (core, all) = whole.taken(wanted);
    family
        .iter()
        .map(|one| {
            in_service(one, all)?;
            Ok(Taken {
                resource: one.id.clone(),
                wanted,
                core,
                number: 1,
                live: vec![all],
                part_of: (one.id != whole.id).then(|| whole.id.clone()),
                given: Vec::new(),
            })
        })
        .collect()
}

/// Takes a number of units instead of one; refuses several of a resource that is not counted.
pub(super) fn number(work: &mut UnitOfWork<'_>, taken: &mut [Taken], number: u32) -> Result<(), Failure> {
    if number == 0 || number > Count::MOST {
        return Err(Refusal::bad("count", Problem::Between(1, Count::MOST)).into());
    }
    for one in taken {
        let resource: Resource = work.get(&one.resource)?;
        if resource.count.is_none() && number > 1 {
            return Err(Refusal::from(CountRefusal::NotCounted { resource: resource.name }).into());
        }
        one.number = number;
    }
    Ok(())
}

/// Checks the length and range of a slot; `field` is the input that set its end.
pub(in crate::engine) fn possible(field: &str, slot: Slot) -> Result<(), Refusal> {
    let problem = if slot.from() < Instant::from_millis(0) {
        Problem::EarlySlot
    } else if slot.until() > LAST_BOOKABLE {
        Problem::LateSlot
    } else if slot.span() > SLOT_MAX {
        Problem::LongSlot
    } else {
        return Ok(());
    };
    Err(Refusal::bad(field, problem))
}

/// Checks that no mark puts a resource out of service before the end of a slot.
pub(super) fn in_service(resource: &Resource, slot: Slot) -> Result<(), Refusal> {
    resource.marked(slot).map_or(Ok(()), |mark| {
        Err(Refusal::OutOfService(Box::new(MarkedResource {
            resource: resource.name.clone(),
            from: mark.from,
            operator: mark.operator.clone(),
            approved: mark.approved.clone(),
            reason: mark.reason.clone(),
            cause: mark.cause.word().to_owned(),
            zone: resource.zone(),
        })))
    })
}

/// Separates overlapping times of one owner on the same resources: each keeps its core, and shared
/// time before or after belongs to the first.
pub(super) fn set_apart(taken: &mut [Taken]) {
    let cores: Vec<(ResourceId, Vec<Slot>)> = taken.iter().map(|one| (one.resource.clone(), one.kept())).collect();
    let mut before: Vec<(ResourceId, Vec<Slot>)> = Vec::new();
    for (at, one) in taken.iter_mut().enumerate() {
        let others = cores.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, core)| core).chain(&before);
        let others: Vec<Slot> =
            others.filter(|(resource, _)| *resource == one.resource).flat_map(|(_, slots)| slots.clone()).collect();
        one.live = subtract(&one.live, &others);
        before.push((one.resource.clone(), one.live.clone()));
    }
}

/// Builds a slot; refuses an invalid one.
pub(super) fn slot(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| Refusal::unread("until", &error))
}

/// Every claim on a resource from an instant on, late or not. A decision based on it must write the
/// resource, which each new claim touches.
pub(super) fn claims_from(
    work: &mut UnitOfWork<'_>,
    resource: &Resource,
    from: Instant,
) -> Result<Vec<(CellRange, Claim)>, Failure> {
    let first = resource.grid.day_at(from);
    let first_number = day_number(first.date);
    let rows = work.query(
        &format!("SELECT key FROM chunk WHERE {BETWEEN} AND free < cells ORDER BY key"),
        &days_from(resource.id.as_str(), first_number),
    )?;
    let keys: Vec<ChunkKey> = rows.iter().filter_map(|row| chunk_at(row.text(0))).collect();
    let mut out = Vec::new();
    for (key, chunk) in work.chunks(&keys)? {
        let least = if key.number == first_number { first.cell_at(from) * resource.stride() } else { 0 };
        out.extend(chunk.claims_from(least));
    }
    Ok(out)
}
