//! Disables of seats, and seats that the house keeps until a time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::availability::Grip;
use crate::domain::booking::{Booking, Cause, Details, TakenSeats};
use crate::domain::house::Keep;
use crate::domain::ids::{BookingId, KeepId, PerformanceId, TheaterId};
use crate::domain::owner::Owner;
use crate::domain::performance::{BrokenSeat, Performance};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Refusal};
use crate::engine::ops::booking::{Past, Request, new_booking};
use crate::engine::ops::claims::{cells_of, claim_of, free, none_foreign};
use crate::engine::ops::ending::put_keep;
use crate::engine::work::{Failure, UnitOfWork};

/// New disable of seats of a performance, not yet put.
pub(super) fn new_disable(
    work: &UnitOfWork<'_>,
    (performance, mut wanted): (PerformanceId, Vec<SeatRef>),
    standing: Option<BookingId>,
    reason: &str,
) -> Booking {
    wanted.sort_unstable();
    let details = Details { title: reason.to_owned(), ..Details::default() };
    let request = Request::new(Cause::Disable, &details, Past::Refuse);
    Booking {
        seats: Some(TakenSeats { performance, live: Vec::new(), wanted, standing }),
        ..new_booking(work, &request)
    }
}

/// Disables that include some seats of a performance.
#[derive(Default)]
pub(super) struct Disables {
    /// All acts, oldest first.
    pub(super) all: BTreeMap<BookingId, Booking>,
    /// Disabled seats.
    pub(super) out: Vec<SeatRef>,
    pub(super) in_use: Vec<SeatRef>,
}

impl Disables {
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
            let claim = claim_of(&chunks, performance, *seat);
            let claim = claim.filter(|claim| claim.grip == Grip::Disabled);
            if let Some(Owner::Disable(id, _)) = claim.map(|claim| &claim.owner) {
                ids.insert(*id);
                acts.out.push(*seat);
            } else {
                acts.in_use.push(*seat);
            }
        }
        for id in ids {
            let holder: Booking = work.get(id)?;
            for other in &holder.overlaps {
                acts.all.insert(*other, work.get(*other)?);
            }
            acts.all.insert(id, holder);
        }
        Ok(acts)
    }

    /// First act to end for a seat: one on this performance alone before those on the whole theater.
    pub(super) fn first(&self, seat: SeatRef) -> Option<BookingId> {
        let wanting = || self.all.values().filter(move |act| act.wants(seat));
        let alone = wanting().find(|act| act.standing().is_none());
        alone.or_else(|| wanting().next()).map(|act| act.id)
    }

    /// Act of a seat made by an entry of the theater's list.
    pub(super) fn standing(&self, seat: SeatRef, entry: BookingId) -> Option<BookingId> {
        let mut acts = self.all.values();
        acts.find(|act| act.standing() == Some(entry) && act.wants(seat)).map(|act| act.id)
    }
}

/// Checks that the entries of a theater's list are the operator's own.
pub(super) fn all_of<'b>(operator: &str, listed: impl IntoIterator<Item = &'b BrokenSeat>) -> Result<(), Refusal> {
    let foreign = |broken: &&BrokenSeat| broken.operator != operator;
    let fact = |broken: &BrokenSeat| {
        let seat = CellName::Seat(broken.seat.clone());
        Fact::disabled(seat, (&broken.operator, broken.approved.as_deref()), &broken.reason)
    };
    none_foreign(listed.into_iter().filter(foreign).map(fact).collect())
}

/// One performance, or all of a theater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    Performance(PerformanceId),
    /// All performances that start on or after a date and have not started, and later additions.
    Theater {
        theater: TheaterId,
        /// First local date; today if `None`.
        from: Option<NaiveDate>,
    },
}

/// Removes seats from their keeps; returns the seats without a keep.
pub(super) fn give_up_kept(
    work: &mut UnitOfWork<'_>,
    performance: &Performance,
    seats: &[SeatRef],
) -> Result<Vec<SeatRef>, Failure> {
    let Some(cells) = cells_of(performance.id, seats)? else {
        return Ok(Vec::new());
    };
    let chunks = work.chunks(&cells.chunk_keys())?;
    let mut keeps: BTreeMap<KeepId, Vec<SeatRef>> = BTreeMap::new();
    let mut others = Vec::new();
    for seat in seats {
        match claim_of(&chunks, performance.id, *seat).map(|claim| &claim.owner) {
            Some(Owner::Keep(keep)) => keeps.entry(*keep).or_default().push(*seat),
            Some(Owner::Line(_) | Owner::Disable(..) | Owner::Booking(..)) | None => {
                others.push(*seat);
            }
        }
    }
    for (id, given) in keeps {
        let mut keep: Keep = work.get(id)?;
        free(work, (performance.id, &given), &Owner::Keep(id))?;
        keep.live.retain(|seat| !given.contains(seat));
        put_keep(work, &keep)?;
    }
    Ok(others)
}
