//! Claims on cells: what an act takes of seats or of time, all of it or none.
//!
//! The kernel in [`availability`] knows cells only. Here the seats of a performance and the time of resources become
//! cells ([`Cells`]), a day without a chunk gets one where it is free by itself, and a refusal becomes seats or slots
//! with their owners again. [`UnitOfWork::end_later`] queues the end of each late owner that an act met.
//! An act that rests on a resource touches it.

use crate::domain::availability::{
    self, Act, Applied, CellRange, CellSet, CellSetError, Chunk, ChunkKey, Chunks, RefusedCells,
};
use crate::domain::booking::Taken;
use crate::domain::ids::PerformanceId;
use crate::domain::line::Goods;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Refusal, SlotFact};
use crate::domain::resource::{Policy, Resource};
use crate::domain::time::date_of;
use crate::engine::ops::line;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

mod explain;

pub(super) use explain::{disabled_by, owner_in_words, told, wanted_for};
use explain::{explain, explain_time, facts};

/// What an act is about: some cells of one performance, or of resources.
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

/// Cells with their chunks as they are now, and the resources they lie in; none of a performance's.
struct Loaded {
    resources: Vec<Resource>,
    cells: CellSet,
    chunks: Chunks,
}

/// The chunk of a row of a performance.
pub(super) fn chunk_of(performance: PerformanceId, row: u32) -> ChunkKey {
    ChunkKey {
        resource: performance.to_string(),
        number: row,
    }
}

/// The cells of some seats; `None` when there are no seats.
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

/// The seats that a stretch of cells stands for.
pub(super) fn seats_of(range: &CellRange) -> impl Iterator<Item = SeatRef> {
    let row = range.chunk.number;
    range.cells().map(move |seat| SeatRef { row, seat })
}

/// The cells that are taken, with the resources they lie in; no cells when nothing is live.
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

/// The cells of an act, loaded; `None` where it is about none.
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
    /// Adds a chunk, not yet put, for each day without one that is free by itself.
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

/// Applies an act to all the cells, or to none of them, and queues the end of the late owners that it met.
///
/// # Errors
/// Everything that stood in the way, with whose it is.
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
        Cells::Seats(performance, _) if frees => line::nudge(work, performance)?,
        Cells::Seats(..) | Cells::Time(_) => {}
    }
    Ok(done)
}

/// Frees every cell that an owner still has of these, late or not.
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
        Cells::Seats(performance, _) => line::nudge(work, performance),
        Cells::Time(_) => Ok(()),
    }
}

/// Whether an act would be done; nothing is put.
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
        Err(refused) => Err(explain_time(work, (&loaded.resources, owner, act), &refused)?.into()),
    }
}

/// The claims on time that stand in the way of an act; nothing is put.
pub(super) fn in_the_way(
    work: &mut UnitOfWork<'_>,
    taken: &[Taken],
    (owner, act): (&Owner, Act),
) -> Result<Vec<SlotFact>, Failure> {
    let Some(loaded) = load(work, Cells::Time(taken))? else {
        return Ok(Vec::new());
    };
    let mut loaded = loaded.with_free_days();
    match loaded.apply(work, (owner, act)) {
        Ok(_) => Ok(Vec::new()),
        Err(refused) => facts(work, &loaded.resources, &refused),
    }
}
