//! Shared code of the operations that add and change resources.

use std::collections::BTreeMap;

use crate::domain::availability::{CellRange, ChunkKey, Grip};
use crate::domain::job::JobKind;
use crate::domain::refusal::{ChangeRefusal, CountRefusal, Problem, Refusal, SlotAt};
use crate::domain::resource::{Count, Policy, Resource, ResourceId, features};
use crate::domain::time::{Grid, Span};
use crate::engine::ops::changes::retired;
use crate::engine::ops::claims::{self, owner_of};
use crate::engine::ops::horizon::{self, ROLL_DAYS_MAX};
use crate::engine::ops::taking::claims_from;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::chunks::{BETWEEN, days_from};

/// Longest time needed before or after a booking.
const AROUND_MAX: Span = Span::minutes(7 * 24 * 60);

/// Greatest depth of nested parts.
const DEPTH_MAX: usize = 8;

/// Refuses opening hours of days, and too much time before and after.
pub(super) fn possible(resource: &Resource) -> Result<(), Refusal> {
    if resource.hours.is_some() && resource.grid.segment.is_day() {
        return Err(Refusal::bad("open-hours", Problem::HoursOfDays));
    }
    if resource.before > AROUND_MAX || resource.after > AROUND_MAX {
        return Err(Refusal::bad("before", Problem::LongBuffer));
    }
    Ok(())
}

/// Refuses nonsense in properties that have a meaning.
pub(super) fn make_sense<'p>(mut properties: impl Iterator<Item = (&'p String, &'p String)>) -> Result<(), Refusal> {
    let wrong = properties.find_map(|(name, value)| features::problem(name, value));
    wrong.map_or(Ok(()), |problem| Err(Refusal::unread("set", &problem)))
}

/// Opens the days that a job keeps open, and schedules it; does nothing for a resource without such a job.
pub(super) fn keep_open(work: &mut UnitOfWork<'_>, resource: &Resource) -> Result<(), Failure> {
    let Policy::Preallocated { roll_days: Some(days), .. } = resource.policy else {
        return Ok(());
    };
    if days == 0 || days > ROLL_DAYS_MAX {
        return Err(Refusal::bad("roll", Problem::Between(1, ROLL_DAYS_MAX)).into());
    }
    let next = horizon::roll(work, resource.clone(), days)?;
    work.put_job(JobKind::Horizon, &resource.id, next)
}

/// Makes a resource part of another: both share zone and segment, and the part gets the parent's open-ended marks.
pub(super) fn join(work: &mut UnitOfWork<'_>, part: &mut Resource, whole: &ResourceId) -> Result<(), Failure> {
    let mut parent: Resource = work.get(whole)?;
    if parent.retired {
        return Err(retired("resource", &parent.name).into());
    }
    if parent.count.is_some() {
        return Err(Refusal::from(CountRefusal::CountedPart { resource: parent.name }).into());
    }
    if parent.grid != part.grid {
        let problem =
            Problem::OtherGrid { zone: parent.zone(), minutes: parent.grid.segment.minutes(), parent: parent.name };
        return Err(Refusal::bad("segment", problem).into());
    }
    let mut depth = 1;
    let mut above = parent.parent.clone();
    while let Some(next) = above {
        depth += 1;
        above = work.get::<Resource>(next)?.parent;
    }
    if depth >= DEPTH_MAX {
        return Err(Refusal::bad("parent", Problem::TooDeep).into());
    }
    let now = work.now();
    let standing = claims_from(work, &parent, now)?;
    let late_at = work.late_at();
    // a claim on the whole includes all its parts, and would not include a later one
    if let Some((_, claim)) = standing.iter().find(|(_, claim)| claim.grip != Grip::Held || !claim.is_late(late_at)) {
        let by = owner_of(work, claim)?;
        let problem = Problem::TakenWhole(parent.name, by);
        return Err(Refusal::bad("parent", problem).into());
    }
    part.parent = Some(parent.id.clone());
    part.marks.clone_from(&parent.marks);
    parent.children.push(part.id.clone());
    work.put(&parent)
}

/// Gives a resource another number of units, not below what is claimed of it at any time to come. One that is not counted
/// becomes so while it has neither stored days nor relatives.
pub(super) fn recount(work: &mut UnitOfWork<'_>, resource: &mut Resource, count: &Count) -> Result<(), Failure> {
    if resource.count.is_none() {
        let days = format!("SELECT key FROM chunk WHERE {BETWEEN} LIMIT 1");
        let days = work.query(&days, &days_from(resource.id.as_str(), 0))?;
        if !days.is_empty() || resource.parent.is_some() || !resource.children.is_empty() {
            let resource = resource.name.clone();
            return Err(Refusal::from(CountRefusal::CountStays { resource }).into());
        }
    }
    let now = work.now();
    let claims = claims_from(work, resource, now)?;
    let mut days: BTreeMap<ChunkKey, Vec<u32>> = BTreeMap::new();
    for (cells, _) in claims::live(work, claims) {
        days.entry(cells.chunk.clone()).or_default().extend(cells.cells().map(|cell| cell / resource.stride()));
    }
    let mut most: Option<(u32, SlotAt)> = None;
    for (chunk, mut segments) in days {
        segments.sort_unstable();
        for same in segments.chunk_by(|one, next| one == next) {
            let (claimed, at) =
                (u32::try_from(same.len()).unwrap_or(u32::MAX), same.first().copied().unwrap_or_default());
            let cells = CellRange { chunk: chunk.clone(), from: at * resource.stride(), to: at * resource.stride() };
            if let Some(slot) =
                resource.slot_of(&cells).filter(|_| most.as_ref().is_none_or(|(most, _)| *most < claimed))
            {
                most = Some((claimed, SlotAt::of(resource, slot)));
            }
        }
    }
    if let Some(((claimed, at), old)) = most.zip(resource.count.as_ref()) {
        let unit = old.unit.clone();
        if !count.unit.eq_ignore_ascii_case(&unit) {
            return Err(Refusal::from(CountRefusal::UnitStays { at, unit, claimed }).into());
        }
        if claimed > count.number {
            return Err(Refusal::from(CountRefusal::UnitsClaimed { at, unit, claimed }).into());
        }
    }
    resource.count = Some(count.clone());
    Ok(())
}

/// Cuts the time of a resource by another grid, while it has neither stored days nor relatives.
pub(super) fn regrid(work: &mut UnitOfWork<'_>, resource: &mut Resource, grid: Grid) -> Result<(), Failure> {
    if grid == resource.grid {
        return Ok(());
    }
    let days = format!("SELECT key FROM chunk WHERE {BETWEEN} LIMIT 1");
    let days = work.query(&days, &days_from(resource.id.as_str(), 0))?;
    if !days.is_empty() || resource.parent.is_some() || !resource.children.is_empty() {
        let (Grid { zone, segment }, resource) = (resource.grid, resource.name.clone());
        return Err(Refusal::from(ChangeRefusal::GridStays { resource, zone, segment }).into());
    }
    resource.grid = grid;
    Ok(())
}
