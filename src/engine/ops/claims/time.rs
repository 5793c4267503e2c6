//! Cells of time: the segments of a slot, and in each segment of a counted resource as many cells as units.

use crate::domain::availability::{Act, CellRange, CellSet, CellSetError, ChunkKey};
use crate::domain::owner::Owner;
use crate::domain::refusal::{CountRefusal, Refusal, SlotAt};
use crate::domain::resource::{Count, Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

/// Resources, their cells (`None` without slots), and the refusal of more units than are free.
type TimeCells = (Vec<Resource>, Option<CellSet>, Option<Refusal>);

/// Cells of slots, with their resources.
pub(super) fn cells(
    work: &mut UnitOfWork<'_>,
    time: &[(&ResourceId, &[Slot], u32)],
    by: (&Owner, Act),
) -> Result<TimeCells, Failure> {
    let mut resources: Vec<Resource> = Vec::new();
    let (mut ranges, mut short) = (Vec::new(), None);
    for (id, slots, number) in time {
        let resource: Resource = work.get(*id)?;
        for slot in *slots {
            match &resource.count {
                None => ranges.extend(resource.cells(*slot)),
                Some(count) => {
                    let (picked, lacks) = counted(work, (&resource, count), (*slot, *number), by)?;
                    ranges.extend(picked);
                    short = short.or(lacks);
                }
            }
        }
        if resources.iter().all(|known| known.id != resource.id) {
            resources.push(resource);
        }
    }
    match CellSet::new(ranges) {
        Ok(cells) => Ok((resources, Some(cells), short)),
        Err(CellSetError::Empty) => Ok((resources, None, short)),
        Err(CellSetError::Repeated(chunk, _)) => {
            let named = resources.iter().find(|one| one.id.as_str() == chunk.resource);
            Err(Refusal::RepeatedResource { resource: named.map_or(chunk.resource, |one| one.name.clone()) }.into())
        }
        Err(CellSetError::Backwards(..)) => {
            Err(Fault::Broken("a slot on the grid has its cells in order".into()).into())
        }
    }
}

/// Cells of units of a counted resource, and the refusal of the first stretch in which too few are free.
fn counted(
    work: &mut UnitOfWork<'_>,
    (resource, count): (&Resource, &Count),
    (slot, wanted): (Slot, u32),
    (owner, act): (&Owner, Act),
) -> Result<(Vec<CellRange>, Option<Refusal>), Failure> {
    let segments = resource.cells(slot);
    let keys: Vec<ChunkKey> = segments.iter().map(|range| range.chunk.clone()).collect();
    let (chunks, now) = (work.chunks(&keys)?, work.late_at());
    let takes = matches!(act, Act::Hold { .. } | Act::Book { .. } | Act::Disable);
    let mut ranges = Vec::new();
    let mut lacks: Option<(Slot, u32)> = None;
    for CellRange { chunk, from, to } in segments {
        let free_day = crate::domain::time::date_of(chunk.number).map(|date| resource.free_day(date));
        let Some(day) = chunks.get(&chunk).or(free_day.as_ref()) else {
            continue;
        };
        for segment in from..=to {
            let picked = day.pick(resource.counted(segment, wanted), (owner, act), now);
            let cells = |(from, to)| CellRange { chunk: chunk.clone(), from, to };
            ranges.extend(picked.ranges.into_iter().map(cells));
            let at = segment * resource.stride();
            let at = resource.slot_of(&CellRange { chunk: chunk.clone(), from: at, to: at });
            if let Some(at) = at.filter(|_| takes && picked.free < wanted) {
                lacks = match lacks {
                    None => Some((at, picked.free)),
                    Some((first, free)) if first.until() == at.from() => {
                        Some((Slot::new(first.from(), at.until()).unwrap_or(first), free.min(picked.free)))
                    }
                    known @ Some(_) => known,
                };
            }
        }
    }
    let refusal = |(slot, free)| {
        let (at, unit) = (SlotAt::of(resource, slot), count.unit.clone());
        CountRefusal::UnitsShort { at, unit, wanted, free, of: count.number }.into()
    };
    Ok((ranges, lacks.map(refusal)))
}
