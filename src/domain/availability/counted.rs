//! Cells of counted resources: in a segment any free cells serve a claim, so no claim asks which units it has.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::domain::availability::{Act, Chunk, Claim, Grip, Run};
use crate::domain::owner::Owner;
use crate::domain::time::Instant;

/// Segment of a counted resource: its cells, and its number of units.
#[derive(Clone, Copy, Debug)]
pub struct CountedSegment {
    /// Number of the segment in its day.
    pub number: u32,
    /// Cells of each segment; at least as many as units.
    pub stride: u32,
    pub units: u32,
    /// Units that an act is about.
    pub wanted: u32,
}

/// Cells for an act on a number of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// First and last cells.
    pub ranges: Vec<(u32, u32)>,
    /// Units that are free, or the owner's already; for a disable all that it can take.
    pub free: u32,
}

impl CountedSegment {
    const fn bounds(self) -> (u32, u32) {
        (self.number * self.stride, self.number * self.stride + self.stride - 1)
    }
}

impl Chunk {
    /// Picks the cells of a segment for an act on a number of units: what the owner has for one that ends or moves its
    /// claim; else its own, then free ones, and then those of others: the newest claims first.
    pub fn pick(&self, of: CountedSegment, (owner, act): (&Owner, Act), now: Instant) -> Picked {
        let (first, last) = of.bounds();
        let ends = matches!(act, Act::Extend { .. } | Act::Settle | Act::Release | Act::Enable);
        let mut stretches = self.stretches(first, last);
        let size = |from: u32, to: u32| to - from + 1;
        let is_own = |claim: &Claim| claim.owner == *owner;
        let taken: u32 = (stretches.iter())
            .filter(|(_, _, claim)| claim.is_some_and(|claim| !claim.is_late(now) && !is_own(claim)))
            .map(|(from, to, _)| size(*from, *to))
            .sum();
        let free = of.units.saturating_sub(taken);
        if ends {
            let own = stretches.iter().filter(|(_, _, claim)| claim.is_some_and(is_own));
            let own: Vec<(u32, u32)> = own.map(|(from, to, _)| (*from, *to)).collect();
            // a segment without one is refused as any other cell that is not the owner's
            return Picked { ranges: if own.is_empty() { vec![(first, first)] } else { own }, free };
        }
        let rank = |claim: Option<&Claim>| match claim {
            Some(claim) if is_own(claim) => (0, Reverse(None)),
            Some(claim) if claim.is_late(now) => (1, Reverse(None)),
            None => (1, Reverse(None)),
            Some(claim) => (2 + u8::from(claim.grip == Grip::Disabled), Reverse(Some(made(&claim.owner)))),
        };
        stretches.sort_by_cached_key(|(from, _, claim)| (rank(*claim), *from));
        let (mut left, mut room, mut ranges) = (of.wanted, free, Vec::new());
        for (from, to, claim) in stretches {
            let (rank, _) = rank(claim);
            // units that are out of use are not taken out twice
            if rank == 3 && act == Act::Disable {
                continue;
            }
            let is_room = rank < 2;
            let number = size(from, to).min(left).min(if is_room { room } else { u32::MAX });
            if number > 0 {
                ranges.push((from, from + number - 1));
                left -= number;
                room -= if is_room { number } else { 0 };
            }
        }
        let free = if act == Act::Disable { of.wanted - left } else { free };
        Picked { ranges, free }
    }

    /// Claims of the segments of a counted day, late ones left out: for each its claims with their numbers of units.
    pub fn counted(&self, stride: u32, now: Instant) -> Vec<Vec<(&Claim, u32)>> {
        let segments = self.cells / stride.max(1);
        let mut out: Vec<Vec<(&Claim, u32)>> = (0..segments).map(|_| Vec::new()).collect();
        for run in self.runs.iter().filter(|run| !run.claim.is_late(now)) {
            for number in run.from / stride..=run.to / stride {
                let units = run.to.min(number * stride + stride - 1) - run.from.max(number * stride) + 1;
                let Some(claims) = usize::try_from(number).ok().and_then(|at| out.get_mut(at)) else {
                    continue;
                };
                match claims.iter_mut().find(|(claim, _)| *claim == &run.claim) {
                    Some((_, known)) => *known += units,
                    None => claims.push((&run.claim, units)),
                }
            }
        }
        out
    }

    /// Owners of its claims.
    pub fn owners(&self) -> BTreeSet<&Owner> {
        self.runs.iter().map(|run| &run.claim.owner).collect()
    }

    /// The day of a counted resource as one owner has it: a cell for each segment.
    #[must_use]
    pub fn of_owner(&self, owner: &Owner, stride: u32) -> Self {
        let mut day = Self::empty(self.key(), self.cells / stride.max(1));
        for Run { from, to, claim } in self.runs.iter().filter(|run| run.claim.owner == *owner) {
            day.set(from / stride, to / stride, Some(claim));
        }
        day
    }
}

/// Id of an act, which grows with time.
fn made(owner: &Owner) -> String {
    let booking = owner.booking().map(|id| id.to_string());
    booking.or_else(|| owner.cart().map(|id| id.to_string())).unwrap_or_default()
}
