//! Claims on cells: applies an act to seats or time, all or none.
//!
//! The kernel in [`availability`] only knows cells. This module converts the seats of a performance
//! and the time of resources to cells ([`Cells`]), creates missing chunks of open-ended days, and
//! converts a refusal back to seats or slots with their owners. [`UnitOfWork::end_later`] queues
//! the end of each late owner that an act met. An act that rests on a resource touches it.

use crate::domain::availability::{
    self, Act, Applied, CellRange, CellSet, CellSetError, Chunk, ChunkKey, Chunks, RefusedCells,
};
use crate::domain::booking::Taken;
use crate::domain::ids::PerformanceId;
use crate::domain::line::Goods;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Fact, Refusal};
use crate::domain::resource::{Policy, Resource};
use crate::domain::time::date_of;
use crate::engine::ops::waitlist;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

mod explain;

use explain::{explain, facts};
pub(super) use explain::{not_yours, owner_of, told, wanted_for};

/// Target of an act: cells of one performance, or of resources.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cells<'a> {
    /// Seats of a performance.
    Seats(PerformanceId, &'a [SeatRef]),
    /// Time of resources.
    Time(&'a [Taken]),
}

impl<'a> From<(PerformanceId, &'a Vec<SeatRef>)> for Cells<'a> {
    fn from((performance, seats): (PerformanceId, &'a Vec<SeatRef>)) -> Self {
        Self::Seats(performance, seats)
    }
}

impl<'a> From<(PerformanceId, &'a [SeatRef])> for Cells<'a> {
    fn from((performance, seats): (PerformanceId, &'a [SeatRef])) -> Self {
        Self::Seats(performance, seats)
    }
}

impl<'a> From<&'a Goods> for Cells<'a> {
    fn from(goods: &'a Goods) -> Self {
        match goods {
            Goods::Seats {
                performance, seats, ..
            } => Self::Seats(*performance, seats),
            Goods::Time { taken, .. } => Self::Time(taken),
        }
    }
}

impl<'a> From<&'a Vec<Taken>> for Cells<'a> {
    fn from(taken: &'a Vec<Taken>) -> Self {
        Self::Time(taken)
    }
}

impl<'a> From<&'a [Taken]> for Cells<'a> {
    fn from(taken: &'a [Taken]) -> Self {
        Self::Time(taken)
    }
}

/// Cells with their present chunks, and their resources; none for a performance.
struct Loaded {
    resources: Vec<Resource>,
    cells: CellSet,
    chunks: Chunks,
}

/// Chunk of a performance's row.
pub(super) fn chunk_of(performance: PerformanceId, row: u32) -> ChunkKey {
    ChunkKey {
        resource: performance.to_string(),
        number: row,
    }
}

/// Cells of some seats; `None` without seats.
pub(super) fn cells_of(
    performance: PerformanceId,
    seats: &[SeatRef],
) -> Result<Option<CellSet>, Failure> {
    let ranges = seats.iter().map(|seat| CellRange {
        chunk: chunk_of(performance, seat.row),
        from: seat.seat,
        to: seat.seat,
    });
    match CellSet::new(ranges.collect()) {
        Ok(cells) => Ok(Some(cells)),
        Err(CellSetError::Empty) => Ok(None),
        Err(error) => {
            Err(Fault::Broken(format!("seats that were checked make no set: {error:?}")).into())
        }
    }
}

/// Seats of a range of cells.
pub(super) fn seats_of(range: &CellRange) -> impl Iterator<Item = SeatRef> {
    let row = range.chunk.number;
    range.cells().map(move |seat| SeatRef { row, seat })
}

/// Cells of the live time, with their resources; `None` if nothing is live.
fn time_cells(
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

/// Loads the cells of an act; `None` without cells.
fn load(work: &mut UnitOfWork<'_>, cells: Cells<'_>) -> Result<Option<Loaded>, Failure> {
    let (resources, cells) = match cells {
        Cells::Seats(performance, seats) => (Vec::new(), cells_of(performance, seats)?),
        Cells::Time(taken) => time_cells(work, taken)?,
    };
    let Some(cells) = cells else { return Ok(None) };
    let chunks = work.chunks(&cells.chunk_keys())?;
    Ok(Some(Loaded {
        resources,
        cells,
        chunks,
    }))
}

impl Loaded {
    /// Adds a chunk, not yet put, for each open-ended day without one.
    fn with_free_days(mut self) -> Self {
        for key in self.cells.chunk_keys() {
            let mut resources = self.resources.iter();
            let resource = resources.find(|one| one.id.as_str() == key.resource);
            if let (Some(resource), Some(date)) = (resource, date_of(key.number))
                && resource.policy == Policy::OpenEnded
                && !self.chunks.contains_key(&key)
            {
                let cells = resource.grid.day(date).cells;
                self.chunks.insert(key.clone(), Chunk::empty(key, cells));
            }
        }
        self
    }

    fn apply(
        &mut self,
        work: &UnitOfWork<'_>,
        (owner, act): (&Owner, Act),
    ) -> Result<Applied, Vec<RefusedCells>> {
        availability::apply(&mut self.chunks, &self.cells, owner, (act, work.now()))
    }
}

/// Applies an act to all cells or none, and queues the end of the late owners it met.
///
/// # Errors
/// All conflicts, with their owners.
pub(super) fn act<'c>(
    work: &mut UnitOfWork<'_>,
    cells: impl Into<Cells<'c>>,
    (owner, act): (&Owner, Act),
) -> Result<Applied, Failure> {
    let cells = cells.into();
    let mut loaded = match (load(work, cells)?, cells) {
        (Some(loaded), _) => loaded.with_free_days(),
        (None, Cells::Seats(..)) => return Err(Refusal::NothingChosen.into()),
        (None, Cells::Time(_)) => return Ok(Applied::default()),
    };
    let done = match loaded.apply(work, (owner, act)) {
        Ok(done) => done,
        Err(refused) => {
            let about = (cells, loaded.resources.as_slice());
            return Err(explain(work, about, (owner, act), &refused)?.into());
        }
    };
    work.put_chunks(&loaded.chunks)?;
    let frees = matches!(act, Act::Release | Act::Enable);
    for resource in loaded.resources.iter().filter(|_| !frees) {
        work.touch(resource)?;
    }
    work.end_later(done.late.iter().cloned());
    match cells {
        Cells::Seats(performance, _) if frees => waitlist::nudge(work, performance)?,
        Cells::Seats(..) | Cells::Time(_) => {}
    }
    Ok(done)
}

/// Frees all cells that an owner still has among these, late or not.
pub(super) fn free<'c>(
    work: &mut UnitOfWork<'_>,
    cells: impl Into<Cells<'c>>,
    owner: &Owner,
) -> Result<(), Failure> {
    let cells = cells.into();
    let Some(mut loaded) = load(work, cells)? else {
        return Ok(());
    };
    availability::free_of(&mut loaded.chunks, &loaded.cells, owner);
    work.put_chunks(&loaded.chunks)?;
    match cells {
        Cells::Seats(performance, _) => waitlist::nudge(work, performance),
        Cells::Time(_) => Ok(()),
    }
}

/// Checks that an act would succeed; nothing is put.
pub(super) fn would_do(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<(), Failure> {
    let Some(loaded) = load(work, Cells::Time(taken))? else {
        return Ok(());
    };
    let mut loaded = loaded.with_free_days();
    match loaded.apply(work, (owner, act)) {
        Ok(_) => Ok(()),
        Err(refused) => {
            let about = (Cells::Time(taken), loaded.resources.as_slice());
            Err(explain(work, about, (owner, act), &refused)?.into())
        }
    }
}

/// Conflicts of an act on time; nothing is put.
pub(super) fn in_the_way(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<Vec<Fact>, Failure> {
    let Some(loaded) = load(work, Cells::Time(taken))? else {
        return Ok(Vec::new());
    };
    let mut loaded = loaded.with_free_days();
    match loaded.apply(work, (owner, act)) {
        Ok(_) => Ok(Vec::new()),
        Err(refused) => facts(work, (Cells::Time(taken), &loaded.resources), &refused),
    }
}
