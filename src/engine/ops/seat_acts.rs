//! Disables of seats: several acts of one operator may include the same seat, and one of them has
//! its claim.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::availability::{Act, CellRange, Claim, Grip};
use crate::domain::house::Disable;
use crate::domain::ids::{DisableId, PerformanceId, TheaterId};
use crate::domain::owner::Owner;
use crate::domain::performance::BrokenSeat;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Refusal};
use crate::engine::ops::claims::{self, cells_of, chunk_of, seats_of};
use crate::engine::work::{Failure, UnitOfWork};

/// Disables seats under a new act; returns the displaced claims. Seats claimed by another act of
/// the same operator stay there until that act ends.
pub(super) fn begin(
    work: &mut UnitOfWork<'_>,
    mut disable: Disable,
    seats: &[SeatRef],
) -> Result<(Disable, Vec<(CellRange, Claim)>), Failure> {
    let act = (&disable.owner(), Act::Disable);
    let taken = claims::act(work, (disable.performance, seats), act)?;
    disable.live = taken.changed.iter().flat_map(seats_of).collect();
    let same = || taken.same.iter();
    disable.waits = same().flat_map(|(cells, _)| seats_of(cells)).collect();
    let others: BTreeSet<DisableId> = same()
        .filter_map(|(_, claim)| match &claim.owner {
            Owner::Disable(id, _) => Some(*id),
            Owner::Line(_) | Owner::Keep(_) | Owner::Booking(..) | Owner::DisableTime(..) => None,
        })
        .collect();
    for id in others {
        let mut other: Disable = work.get(id)?;
        other.overlaps.push(disable.id);
        work.put(&other)?;
    }
    work.create(&disable)?;
    Ok((disable, taken.displaced))
}

/// Ends an act on some seats: they pass to the other acts of its operator that include them, or
/// become free.
pub(super) fn end(
    work: &mut UnitOfWork<'_>,
    id: DisableId,
    seats: &[SeatRef],
) -> Result<(), Failure> {
    let mut ended: Disable = work.get(id)?;
    let (mut had, live): (Vec<SeatRef>, Vec<SeatRef>) = std::mem::take(&mut ended.live)
        .into_iter()
        .partition(|seat| seats.contains(seat));
    ended.live = live;
    ended.waits.retain(|seat| !seats.contains(seat));
    work.put(&ended)?;
    if had.is_empty() {
        return Ok(());
    }
    let act = (&ended.owner(), Act::Enable);
    claims::act(work, (ended.performance, &had), act)?;
    for id in &ended.overlaps {
        let mut heir: Disable = work.get(*id)?;
        let (gets, waits): (Vec<SeatRef>, Vec<SeatRef>) = std::mem::take(&mut heir.waits)
            .into_iter()
            .partition(|seat| had.contains(seat));
        if gets.is_empty() {
            continue;
        }
        had.retain(|seat| !gets.contains(seat));
        let act = (&heir.owner(), Act::Disable);
        claims::act(work, (heir.performance, &gets), act)?;
        heir.waits = waits;
        heir.live.extend(gets);
        let others = ended.overlaps.iter().filter(|other| *other != id);
        heir.overlaps.extend(others);
        heir.overlaps.sort_unstable();
        heir.overlaps.dedup();
        work.put(&heir)?;
    }
    Ok(())
}

/// Disables that include some seats of a performance.
#[derive(Default)]
pub(super) struct Acts {
    /// All acts, oldest first.
    pub(super) all: BTreeMap<DisableId, Disable>,
    /// Disabled seats.
    pub(super) out: Vec<SeatRef>,
    /// Seats in use.
    pub(super) in_use: Vec<SeatRef>,
}

impl Acts {
    pub(super) fn of(
        work: &mut UnitOfWork<'_>,
        performance: PerformanceId,
        seats: &[SeatRef],
    ) -> Result<Self, Failure> {
        let mut acts = Self::default();
        let Some(cells) = cells_of(performance, seats)? else {
            return Ok(acts);
        };
        let chunks = work.chunks(&cells.chunk_keys())?;
        let mut ids = BTreeSet::new();
        for seat in seats {
            let claim = chunks
                .get(&chunk_of(performance, seat.row))
                .and_then(|chunk| chunk.claim(seat.seat))
                .filter(|claim| claim.grip == Grip::Disabled);
            if let Some(Owner::Disable(id, _)) = claim.map(|claim| &claim.owner) {
                ids.insert(*id);
                acts.out.push(*seat);
            } else {
                acts.in_use.push(*seat);
            }
        }
        for id in ids {
            let holder: Disable = work.get(id)?;
            for other in &holder.overlaps {
                acts.all.insert(*other, work.get(*other)?);
            }
            acts.all.insert(id, holder);
        }
        Ok(acts)
    }

    /// First act to end for a seat: one on this performance alone before those on the whole
    /// theater.
    pub(super) fn first(&self, seat: SeatRef) -> Option<DisableId> {
        let wanting = || self.all.values().filter(move |act| act.wants(seat));
        let alone = wanting().find(|act| act.standing.is_none());
        alone.or_else(|| wanting().next()).map(|act| act.id)
    }

    /// Act of a seat made by an entry of the theater's list.
    pub(super) fn standing(&self, seat: SeatRef, entry: DisableId) -> Option<DisableId> {
        let mut acts = self.all.values();
        acts.find(|act| act.standing == Some(entry) && act.wants(seat))
            .map(|act| act.id)
    }
}

/// Checks that the entries of a theater's list are the operator's own.
///
/// # Errors
/// Entries of other operators.
pub(super) fn all_of<'b>(
    operator: &str,
    listed: impl IntoIterator<Item = &'b BrokenSeat>,
) -> Result<(), Refusal> {
    let foreign = |broken: &&BrokenSeat| broken.operator != operator;
    let fact = |broken: &BrokenSeat| {
        let seat = CellName::Seat(broken.seat.clone());
        Fact::disabled(seat, &broken.operator, &broken.reason)
    };
    let facts: Vec<Fact> = listed.into_iter().filter(foreign).map(fact).collect();
    if facts.is_empty() {
        Ok(())
    } else {
        Err(Refusal::DisabledByAnother { facts })
    }
}

/// One performance, or all of a theater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// One performance.
    Performance(PerformanceId),
    /// All performances that start on or after a date and have not started, and later additions.
    Theater {
        /// Theater.
        theater: TheaterId,
        /// First local date; today if `None`.
        from: Option<NaiveDate>,
    },
}

/// Operators whose disables may be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// Only the actor.
    Mine,
    /// All operators; an explicit choice.
    Anybody,
}
