//! The availability kernel: who has which cell, alike for seats, rooms, nights and cars.
//!
//! A chunk is a run of cells kept as one document. An [`Act`] applies to all of its cells, in every chunk and resource
//! they lie in, or to none. Nothing here knows what a cell is, who asks, or what time it is: `now` is an argument.
//!
//! # Invariants
//! - A cell has at most one claim; a chunk's runs are sorted, disjoint and merged.
//! - `free` counts the cells that no run covers.
//! - **The deadline decides:** a claim whose `until` has passed is free to every act at that instant.
//! - A refused act has changed nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::domain::owner::Owner;
use crate::domain::time::Instant;

mod cells;
mod counted;
#[cfg(test)]
mod model;
mod stored;
mod table;

use table::{Verdict, claim_of, decide};

pub use cells::{CellRange, CellSet, CellSetError};
pub use counted::{CountedSegment, Picked};

/// Key of a chunk: a resource's id and the chunk's number in it (a seat row, a day).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChunkKey {
    /// The resource: a performance's id, or a room's.
    pub resource: String,
    /// The seat row's number in the plan, or the day.
    pub number: u32,
}

/// The kind of a claim on cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Grip {
    Held,
    Booked,
    Disabled,
}

worded!(Grip);

/// An owner's grip on cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    pub owner: Owner,
    pub grip: Grip,
    /// From then on the cells are free to everybody; a hold always has one.
    pub until: Option<Instant>,
}

impl Claim {
    /// Returns whether its deadline has passed, which frees its cells.
    pub fn is_late(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// Neighbouring cells with the same claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub from: u32,
    /// The last cell, inclusive.
    pub to: u32,
    pub claim: Claim,
}

/// A row of seats, or a day of a calendar: the document that is stored and versioned.
///
/// The stored form leaves out the key and everything derived from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub resource: String,
    pub number: u32,
    pub cells: u32,
    /// Number of cells that no run covers.
    pub free: u32,
    /// Sorted, disjoint, merged.
    pub runs: Vec<Run>,
}

impl Chunk {
    /// A chunk with every cell free.
    pub fn empty(key: ChunkKey, cells: u32) -> Self {
        Self { resource: key.resource, number: key.number, cells, free: cells, runs: Vec::new() }
    }

    /// Sets the key of a chunk that was parsed from its stored body.
    pub fn set_key(&mut self, key: ChunkKey) {
        (self.resource, self.number) = (key.resource, key.number);
    }

    /// Key of this chunk.
    pub fn key(&self) -> ChunkKey {
        ChunkKey { resource: self.resource.clone(), number: self.number }
    }

    /// The claim on a cell as stored, late or not.
    pub fn claim(&self, cell: u32) -> Option<&Claim> {
        self.runs.iter().find(|run| run.from <= cell && cell <= run.to).map(|run| &run.claim)
    }

    /// The claim that counts on a cell at `now`.
    pub fn claim_at(&self, cell: u32, now: Instant) -> Option<&Claim> {
        self.claim(cell).filter(|claim| !claim.is_late(now))
    }

    /// Returns whether a cell can be taken at `now`.
    pub fn is_free(&self, cell: u32, now: Instant) -> bool {
        cell < self.cells && self.claim_at(cell, now).is_none()
    }

    /// Counts the cells that can be taken at `now`: uncovered ones and those of late claims.
    pub fn free_at(&self, now: Instant) -> u32 {
        self.runs.iter().filter(|run| run.claim.is_late(now)).fold(self.free, |free, run| free + run.to - run.from + 1)
    }

    /// Stretches of `from..=to`, each with the one claim that covers it or none.
    fn stretches(&self, from: u32, to: u32) -> Vec<(u32, u32, Option<&Claim>)> {
        let mut out = Vec::new();
        let mut next = from;
        let runs = self.runs.iter();
        for run in runs.filter(|run| run.from <= to && run.to >= from) {
            if run.from > next {
                out.push((next, run.from - 1, None));
            }
            let end = run.to.min(to);
            out.push((run.from.max(next), end, Some(&run.claim)));
            next = end + 1;
        }
        if next <= to {
            out.push((next, to, None));
        }
        out
    }

    /// Gives `from..=to` one claim, or frees it.
    fn set(&mut self, from: u32, to: u32, claim: Option<&Claim>) {
        let mut runs: Vec<Run> = Vec::with_capacity(self.runs.len() + 2);
        for run in self.runs.drain(..) {
            if run.from < from {
                runs.push(Run { to: run.to.min(from.saturating_sub(1)), ..run.clone() });
            }
            if run.to > to {
                runs.push(Run { from: run.from.max(to + 1), ..run });
            }
        }
        runs.extend(claim.map(|claim| Run { from, to, claim: claim.clone() }));
        runs.sort_by_key(|run| run.from);
        runs.dedup_by(|right, left| {
            let joins = left.to + 1 == right.from && left.claim == right.claim;
            if joins {
                left.to = right.to;
            }
            joins
        });
        self.runs = runs;
        self.count();
    }

    /// Claims on the cells from one on.
    pub fn claims_from(&self, least: u32) -> impl Iterator<Item = (CellRange, Claim)> {
        let runs = self.runs.iter().filter(move |run| run.to >= least);
        runs.map(move |run| {
            let (chunk, from, to) = (self.key(), run.from.max(least), run.to);
            (CellRange { chunk, from, to }, run.claim.clone())
        })
    }

    /// Counts the cells that no run covers; 0 if the runs of a damaged chunk cover more than its cells.
    fn count(&mut self) {
        let covered =
            self.runs.iter().map(|run| run.to.saturating_sub(run.from).saturating_add(1)).fold(0, u32::saturating_add);
        self.free = self.cells.saturating_sub(covered);
    }
}

/// A requested change of cells; the variants are the operations of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Hold {
        until: Instant,
    },
    /// Take for good, or (a kept house seat) until a time.
    Book {
        /// From then on free to everybody.
        until: Option<Instant>,
    },
    /// Move the deadline of what the owner holds; never earlier.
    Extend {
        until: Instant,
    },
    /// Held becomes booked, at checkout.
    Settle,
    Release,
    Disable,
    Enable,
}

/// Why a cell was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedWhy {
    Taken,
    Disabled,
    NotYours,
    Expired,
    /// There is no chunk, or it has no such cells: not open.
    NotOpen,
}

/// One refused stretch of cells, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCells {
    pub cells: CellRange,
    pub why: RefusedWhy,
    pub claim: Option<Claim>,
}

/// Side results of an act that succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    pub changed: Vec<CellRange>,
    /// Claims that a disable took away, each with its cells.
    pub displaced: Vec<(CellRange, Claim)>,
    /// Cells that already had the requested claim; for a disable, one by another act of its operator.
    pub same: Vec<(CellRange, Claim)>,
    /// Owners of the late claims that the act replaced; each is ended whole in this transaction.
    pub late: BTreeSet<Owner>,
}

/// The loaded chunks that an act works on, by key.
pub type Chunks = BTreeMap<ChunkKey, Chunk>;

/// Applies an act to all of the cells, or refuses it with every cell that stood in the way.
///
/// # Errors
/// Every refused stretch; then the chunks are unchanged.
pub fn apply(
    chunks: &mut Chunks,
    cells: &CellSet,
    owner: &Owner,
    (act, now): (Act, Instant),
) -> Result<Applied, Vec<RefusedCells>> {
    let mut refused = Vec::new();
    let mut done = Applied::default();
    let mut writes = Vec::new();
    for range in cells.ranges() {
        // a chunk without the cells is a day that was closed
        let Some(chunk) = chunks.get(&range.chunk).filter(|chunk| range.to < chunk.cells) else {
            refused.push(RefusedCells { cells: range.clone(), why: RefusedWhy::NotOpen, claim: None });
            continue;
        };
        for (from, to, claim) in chunk.stretches(range.from, range.to) {
            let stretch = CellRange { chunk: range.chunk.clone(), from, to };
            let verdict = decide(act, owner, claim, now);
            if let (Verdict::Set | Verdict::Displace, Some(claim)) = (&verdict, claim)
                && claim.is_late(now)
            {
                done.late.insert(claim.owner.clone());
            }
            match verdict {
                Verdict::No(why) => refused.push(RefusedCells { cells: stretch, why, claim: claim.cloned() }),
                Verdict::Same => done.same.extend(claim.map(|claim| (stretch, claim.clone()))),
                Verdict::Set => writes.push((stretch, claim_of(act, owner, claim))),
                Verdict::Free => writes.push((stretch, None)),
                Verdict::Displace => {
                    done.displaced.extend(claim.map(|claim| (stretch.clone(), claim.clone())));
                    writes.push((stretch, claim_of(act, owner, claim)));
                }
            }
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    for (stretch, claim) in writes {
        if let Some(chunk) = chunks.get_mut(&stretch.chunk) {
            chunk.set(stretch.from, stretch.to, claim.as_ref());
        }
        done.changed.push(stretch);
    }
    Ok(done)
}

/// Frees the claims of an owner among the cells, late or not; cells of others are left as they are.
pub fn free_of(chunks: &mut Chunks, cells: &CellSet, owner: &Owner) {
    for range in cells.ranges() {
        let Some(chunk) = chunks.get_mut(&range.chunk) else {
            continue;
        };
        let own: Vec<_> = chunk
            .stretches(range.from, range.to)
            .into_iter()
            .filter(|(_, _, claim)| claim.is_some_and(|claim| claim.owner == *owner))
            .map(|(from, to, _)| (from, to))
            .collect();
        for (from, to) in own {
            chunk.set(from, to, None);
        }
    }
}
