//! Cells of time: the segments of a slot, and in each segment of a counted resource as many cells as units.

use std::collections::BTreeMap;

use crate::domain::availability::{Act, CellRange, CellSet, CellSetError, ChunkKey};
use crate::domain::owner::Owner;
use crate::domain::refusal::{CountRefusal, Refusal, SlotAt};
use crate::domain::resource::{Count, Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

/// Resources, their cells (`None` without slots), and the refusal of more units than are free.
type TimeCells = (Vec<Resource>, Option<CellSet>, Option<Refusal>);

/// Units wanted in segments of a counted resource.
type Wanted = BTreeMap<(ChunkKey, u32), u32>;

/// Cells of slots, with their resources.
pub(super) fn cells(
    work: &mut UnitOfWork<'_>,
    time: &[(&ResourceId, &[Slot], u32)],
    by: (&Owner, Act),
) -> Result<TimeCells, Failure> {
    let mut resources: Vec<Resource> = Vec::new();
    let (mut ranges, mut short) = (Vec::new(), None);
    let mut units: BTreeMap<&ResourceId, Wanted> = BTreeMap::new();
    for (id, slots, number) in time {
        let resource: Resource = work.get(*id)?;
        let segments = slots.iter().flat_map(|slot| resource.cells(*slot));
        if resource.count.is_none() {
            ranges.extend(segments);
        } else {
            let wanted = units.entry(*id).or_default();
            for range in segments {
                for segment in range.cells() {
                    *wanted.entry((range.chunk.clone(), segment)).or_default() += number;
                }
            }
        }
        if resources.iter().all(|known| known.id != resource.id) {
            resources.push(resource);
        }
    }
    for resource in &resources {
        if let (Some(count), Some(wanted)) = (&resource.count, units.get(&resource.id)) {
            let (picked, lacks) = counted(work, (resource, count), wanted, by)?;
            ranges.extend(picked);
            short = short.or(lacks);
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
    segments: &Wanted,
    (owner, act): (&Owner, Act),
) -> Result<(Vec<CellRange>, Option<Refusal>), Failure> {
    let mut keys: Vec<ChunkKey> = segments.keys().map(|(chunk, _)| chunk.clone()).collect();
    keys.dedup();
    let (chunks, now) = (work.chunks(&keys)?, work.late_at());
    let takes = matches!(act, Act::Hold { .. } | Act::Book { .. } | Act::Disable);
    let mut ranges = Vec::new();
    let mut lacks: Option<(Slot, (u32, u32))> = None;
    for ((chunk, segment), wanted) in segments {
        let free_day = crate::domain::time::date_of(chunk.number).map(|date| resource.free_day(date));
        let Some(day) = chunks.get(chunk).or(free_day.as_ref()) else {
            continue;
        };
        let picked = day.pick(resource.counted(*segment, *wanted), (owner, act), now);
        let cells = |(from, to)| CellRange { chunk: chunk.clone(), from, to };
        ranges.extend(picked.ranges.into_iter().map(cells));
        let at = segment * resource.stride();
        let at = resource.slot_of(&CellRange { chunk: chunk.clone(), from: at, to: at });
        if let Some(at) = at.filter(|_| takes && picked.free < *wanted) {
            lacks = match lacks {
                None => Some((at, (picked.free, *wanted))),
                Some((first, (free, most))) if first.until() == at.from() => {
                    let slot = Slot::new(first.from(), at.until()).unwrap_or(first);
                    Some((slot, (free.min(picked.free), most.max(*wanted))))
                }
                known @ Some(_) => known,
            };
        }
    }
    let refusal = |(slot, (free, wanted))| {
        let (at, unit) = (SlotAt::of(resource, slot), count.unit.clone());
        CountRefusal::UnitsShort { at, unit, wanted, free, of: count.number }.into()
    };
    Ok((ranges, lacks.map(refusal)))
}
