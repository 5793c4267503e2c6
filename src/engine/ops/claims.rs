//! Claims on cells: applies an act to seats or time, all or none.
//!
//! The kernel in [`availability`] only knows cells. This module converts the seats of a performance
//! and the time of resources to cells ([`Cells`]), creates missing chunks of open-ended days, and
//! converts a refusal back to seats or slots with their owners. An act that takes cells of expired owners queues
//! those owners ([`UnitOfWork::queue_late_owners`]); they end in the same transaction. An act on time also rewrites its
//! resources, so that a concurrent change of them conflicts.

use std::slice;

use crate::domain::availability::{
    self, Act, Applied, CellRange, CellSet, CellSetError, ChunkKey, Chunks, Claim, RefusedCells, RefusedWhy,
};
use crate::domain::booking::{Booking, Taken};
use crate::domain::ids::PerformanceId;
use crate::domain::line::Goods;
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Fact, Refusal};
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{Instant, Slot, date_of};
use crate::engine::ops::waitlist;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

mod explain;
mod time;

use explain::{CellsOf, explain, facts};
pub(super) use explain::{not_yours, owner_of, told, wanted_for};

/// Target of an act: cells of one performance, or of resources.
#[derive(Clone, Debug)]
pub(super) enum Cells<'a> {
    Seats(PerformanceId, &'a [SeatRef]),
    /// Slots of resources, with the number of units of counted ones.
    Time(Vec<(&'a ResourceId, &'a [Slot], u32)>),
}

impl<'a, S: AsRef<[SeatRef]> + ?Sized> From<(PerformanceId, &'a S)> for Cells<'a> {
    fn from((performance, seats): (PerformanceId, &'a S)) -> Self {
        Self::Seats(performance, seats.as_ref())
    }
}

impl<'a> From<&'a Goods> for Cells<'a> {
    fn from(goods: &'a Goods) -> Self {
        match goods {
            Goods::Seats { performance, seats, .. } => Self::Seats(*performance, seats),
            Goods::Time { taken, .. } => taken.into(),
            Goods::Booking { .. } => Self::Time(Vec::new()),
        }
    }
}

impl<'a> From<&'a Vec<Taken>> for Cells<'a> {
    fn from(taken: &'a Vec<Taken>) -> Self {
        taken.as_slice().into()
    }
}

impl<'a> From<&'a [Taken]> for Cells<'a> {
    fn from(taken: &'a [Taken]) -> Self {
        let live = |one: &'a Taken| (&one.resource, one.live.as_slice(), one.number);
        Self::Time(taken.iter().map(live).collect())
    }
}

impl<'a> From<&'a CellGroup> for Cells<'a> {
    fn from(cells: &'a CellGroup) -> Self {
        match cells {
            CellGroup::Seats { performance, seats } => Self::Seats(*performance, seats),
            CellGroup::Time { resource, slots } => Self::Time(vec![(resource, slots, 1)]),
        }
    }
}

impl<'a> From<&'a Booking> for Cells<'a> {
    /// Live cells.
    fn from(booking: &'a Booking) -> Self {
        match &booking.seats {
            Some(seats) => Self::Seats(seats.performance, &seats.live),
            None => booking.taken.as_slice().into(),
        }
    }
}

impl<'a> Cells<'a> {
    /// Cells that a disable keeps out of use, without time before and after.
    pub(super) fn wanted(act: &'a Booking) -> Self {
        let core = |taken: &'a Taken| (&taken.resource, slice::from_ref(&taken.core), taken.number);
        match &act.seats {
            Some(seats) => Self::Seats(seats.performance, &seats.wanted),
            None => Self::Time(act.taken.iter().map(core).collect()),
        }
    }
}

/// Cells with their present chunks, and their performance or resources.
struct Loaded {
    performance: Option<PerformanceId>,
    resources: Vec<Resource>,
    cells: CellSet,
    chunks: Chunks,
    /// Refusal of more units than are free.
    short: Option<Refusal>,
}

/// Chunk of a performance's row.
pub(super) fn chunk_of(performance: PerformanceId, row: u32) -> ChunkKey {
    ChunkKey { resource: performance.to_string(), number: row }
}

/// Cells of some seats; `None` without seats.
pub(super) fn cells_of(performance: PerformanceId, seats: &[SeatRef]) -> Result<Option<CellSet>, Failure> {
    let ranges =
        seats.iter().map(|seat| CellRange { chunk: chunk_of(performance, seat.row), from: seat.seat, to: seat.seat });
    match CellSet::new(ranges.collect()) {
        Ok(cells) => Ok(Some(cells)),
        Err(CellSetError::Empty) => Ok(None),
        Err(error) => Err(Fault::Broken(format!("seats that were checked make no set: {error:?}")).into()),
    }
}

/// Present claim of a seat.
pub(super) fn claim_of(chunks: &Chunks, performance: PerformanceId, seat: SeatRef) -> Option<&Claim> {
    let chunk = chunks.get(&chunk_of(performance, seat.row))?;
    chunk.claim(seat.seat)
}

/// Keeps the claims that are not late, and queues the end of the owners of the others.
pub(super) fn live(work: &mut UnitOfWork<'_>, claims: Vec<(CellRange, Claim)>) -> Vec<(CellRange, Claim)> {
    let now = work.late_at();
    let (late, live): (Vec<_>, Vec<_>) = claims.into_iter().partition(|(_, claim)| claim.is_late(now));
    work.queue_late_owners(late.into_iter().map(|(_, claim)| claim.owner));
    live
}

/// Seats of a range of cells.
pub(super) fn seats_of(range: &CellRange) -> impl Iterator<Item = SeatRef> {
    let row = range.chunk.number;
    range.cells().map(move |seat| SeatRef { row, seat })
}

/// Seats or time of a range of cells.
pub(super) fn cells_in(work: &mut UnitOfWork<'_>, range: &CellRange) -> Result<CellGroup, Failure> {
    if date_of(range.chunk.number).is_some() {
        let resource: Resource = work.get(&range.chunk.resource)?;
        return Ok(CellGroup::Time { slots: resource.slot_of(range).into_iter().collect(), resource: resource.id });
    }
    let performance = range.chunk.resource.parse();
    Ok(CellGroup::Seats {
        performance: performance.map_err(|_| Fault::Broken(format!("{} has no seats", range.chunk.resource)))?,
        seats: seats_of(range).collect(),
    })
}

/// Loads the cells of an act; `None` without cells.
fn load(work: &mut UnitOfWork<'_>, cells: &Cells<'_>, by: (&Owner, Act)) -> Result<Option<Loaded>, Failure> {
    let (performance, (resources, cells, short)) = match cells {
        Cells::Seats(id, seats) => (Some(*id), (Vec::new(), cells_of(*id, seats)?, None)),
        Cells::Time(time) => (None, time::cells(work, time, by)?),
    };
    let Some(cells) = cells else { return Ok(None) };
    let chunks = work.chunks(&cells.chunk_keys())?;
    Ok(Some(Loaded { performance, resources, cells, chunks, short }))
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
                self.chunks.insert(key, resource.free_day(date));
            }
        }
        self
    }

    /// Performance or resources.
    fn of(&self) -> CellsOf<'_> {
        (self.performance, self.resources.as_slice())
    }

    fn apply(&mut self, work: &UnitOfWork<'_>, (owner, act): (&Owner, Act)) -> Result<Applied, Vec<RefusedCells>> {
        availability::apply(&mut self.chunks, &self.cells, owner, (act, work.late_at()))
    }
}

/// Applies an act in memory only, all or none; `None` without cells. A refusal lists all conflicts.
fn attempt(
    work: &mut UnitOfWork<'_>,
    cells: &Cells<'_>,
    by: (&Owner, Act),
) -> Result<Option<(Loaded, Applied)>, Failure> {
    let Some(mut loaded) = load(work, cells, by)? else {
        return Ok(None);
    };
    // cells beyond the number of units are free for ever
    if let Some(short) = loaded.short.take() {
        return Err(short.into());
    }
    let mut loaded = loaded.with_free_days();
    match loaded.apply(work, by) {
        Ok(done) => Ok(Some((loaded, done))),
        Err(refused) => {
            if refused.iter().all(|one| is_late(one, work.now())) {
                work.may_end()?;
            }
            Err(explain(work, loaded.of(), by, &refused)?.into())
        }
    }
}

/// Returns whether cells are taken by a claim whose deadline has passed.
fn is_late(cells: &RefusedCells, now: Instant) -> bool {
    cells.why == RefusedWhy::Taken && cells.claim.as_ref().is_some_and(|claim| claim.is_late(now))
}

/// Applies an act to all cells or none, and queues the end of the late owners it met; a refusal lists all conflicts.
pub(super) fn act<'c>(
    work: &mut UnitOfWork<'_>,
    cells: impl Into<Cells<'c>>,
    by: (&Owner, Act),
) -> Result<Applied, Failure> {
    let cells = cells.into();
    let frees = matches!(by.1, Act::Release | Act::Enable);
    let Some((loaded, done)) = attempt(work, &cells, by)? else {
        return match cells {
            Cells::Seats(..) if !frees => Err(Refusal::NothingChosen.into()),
            Cells::Seats(..) | Cells::Time(_) => Ok(Applied::default()),
        };
    };
    work.put_chunks(&loaded.chunks)?;
    for resource in loaded.resources.iter().filter(|_| !frees) {
        work.touch(resource)?;
    }
    work.queue_late_owners(done.late.iter().cloned());
    if let Some(performance) = loaded.performance.filter(|_| frees) {
        waitlist::nudge(work, performance)?;
    }
    Ok(done)
}

/// Frees all cells that an owner still has among these, late or not.
pub(super) fn free<'c>(work: &mut UnitOfWork<'_>, cells: impl Into<Cells<'c>>, owner: &Owner) -> Result<(), Failure> {
    let Some(mut loaded) = load(work, &cells.into(), (owner, Act::Release))? else {
        return Ok(());
    };
    availability::free_of(&mut loaded.chunks, &loaded.cells, owner);
    work.put_chunks(&loaded.chunks)?;
    match loaded.performance {
        Some(performance) => waitlist::nudge(work, performance),
        None => Ok(()),
    }
}

/// Checks that an act would succeed; nothing is put.
pub(super) fn would_do(work: &mut UnitOfWork<'_>, taken: &[Taken], by: (&Owner, Act)) -> Result<(), Failure> {
    attempt(work, &taken.into(), by).map(|_| ())
}

/// Conflicts of an act; nothing is put.
pub(super) fn in_the_way<'c>(
    work: &mut UnitOfWork<'_>,
    cells: impl Into<Cells<'c>>,
    by: (&Owner, Act),
) -> Result<Vec<Fact>, Failure> {
    let Some(loaded) = load(work, &cells.into(), by)? else {
        return Ok(Vec::new());
    };
    let mut loaded = loaded.with_free_days();
    match loaded.apply(work, by) {
        Ok(_) => Ok(Vec::new()),
        Err(refused) => facts(work, loaded.of(), &refused),
    }
}

/// Refuses cells that another operator took out of use.
pub(super) fn none_foreign(facts: Vec<Fact>) -> Result<(), Refusal> {
    if facts.is_empty() { Ok(()) } else { Err(Refusal::DisabledByAnother { facts }) }
}
