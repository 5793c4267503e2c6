//! Cells out of use: disables of seats or time, time taken for a cause, and open-ended marks.
//!
//! Several disables of one operator may want the same cell. The earliest has its claim, and passes it on when it ends.

use std::collections::BTreeSet;

use crate::domain::availability::{Act, Applied};
use crate::domain::booking::{Booking, BookingState};
use crate::domain::calendar::State;
use crate::domain::ids::BookingId;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Refusal, SlotAt};
use crate::domain::resource::{Mark, Resource, ResourceId};
use crate::domain::time::LAST_BOOKABLE;
use crate::engine::ops::booking::{Whose, end_booking};
use crate::engine::ops::claims::{self, Cells, none_foreign};
use crate::engine::ops::displacement::{Displaced, displace};
use crate::engine::ops::taking::family;
use crate::engine::work::{Failure, UnitOfWork};

/// Disables the wanted cells of a new act, taken or not. Cells that an earlier act of the same operator has stay
/// there until that ends.
pub(super) fn disable(work: &mut UnitOfWork<'_>, mut act: Booking) -> Result<(Booking, Displaced), Failure> {
    let done = take(work, &mut act)?;
    let displaced = displace(work, &done.displaced, &act.title)?;
    let earlier = done.same.iter();
    let earlier: BTreeSet<BookingId> = earlier.filter_map(|(_, claim)| claim.owner.booking()).collect();
    for id in earlier {
        let mut other: Booking = work.get(id)?;
        other.overlaps.push(act.id);
        work.put(&other)?;
    }
    work.create(&act)?;
    Ok((act, displaced))
}

/// Disables the wanted cells of an act that no act of its operator has, and adds them to its live ones; nothing is put.
fn take(work: &mut UnitOfWork<'_>, act: &mut Booking) -> Result<Applied, Failure> {
    let done = claims::act(work, Cells::wanted(act), (&act.owner(), Act::Disable))?;
    for cells in &done.changed {
        act.gain(claims::cells_in(work, cells)?);
    }
    Ok(done)
}

/// Ends an act, or a disable only on some seats: its cells pass to the later acts of its operator that want them, or
/// become free.
pub(super) fn end(work: &mut UnitOfWork<'_>, mut act: Booking, only: Option<&[SeatRef]>) -> Result<(), Failure> {
    let owner = act.owner();
    if let (Some(ended), Some(seats)) = (only, &act.seats) {
        let mut had = seats.live.clone();
        had.retain(|seat| ended.contains(seat));
        claims::act(work, (seats.performance, &had), (&owner, Act::Enable))?;
        act.end_on(ended);
        work.put(&act)?;
    } else {
        end_booking(work, &mut act)?;
    }
    for id in &act.overlaps {
        let mut heir: Booking = work.get(*id)?;
        if heir.state == BookingState::Canceled || take(work, &mut heir)?.changed.is_empty() {
            continue;
        }
        let others = act.overlaps.iter().filter(|other| *other != id);
        heir.overlaps.extend(others);
        heir.overlaps.sort_unstable();
        heir.overlaps.dedup();
        work.put(&heir)?;
    }
    Ok(())
}

/// Describes a mark as a conflict.
pub(super) fn endless(resource: &Resource, mark: &Mark) -> Fact {
    let at = SlotAt {
        resource: resource.name.clone(),
        from: mark.from,
        until: LAST_BOOKABLE,
        zone: resource.zone(),
        nights: resource.grid.segment.is_day(),
    };
    Fact {
        state: State::of_mark(mark),
        ..Fact::disabled(CellName::Slot(at), (&mark.operator, mark.approved.as_deref()), &mark.reason)
    }
}

/// Removes marks from a resource and all its parts: one by its id, or all out-of-service marks. Refuses if there is
/// none.
pub(super) fn unmark(
    work: &mut UnitOfWork<'_>,
    (of, id): (&ResourceId, Option<BookingId>),
    whose: Whose,
) -> Result<(), Failure> {
    let me = work.actor().operator.clone();
    let mut found = false;
    for mut resource in family(work, of)? {
        let named = |mark: &Mark| mark.of == *of && id.is_none_or(|id| mark.id == id);
        let mine = resource.marks.iter().any(|mark| named(mark) && mark.operator == me);
        // of several marks an operator removes only their own
        let only_mine = mine && whose == Whose::Mine;
        let meant = |mark: &Mark| named(mark) && (!only_mine || mark.operator == me);
        let foreign = |mark: &&Mark| meant(mark) && mark.operator != me;
        let others = resource.marks.iter().filter(foreign);
        let facts: Vec<Fact> = others.map(|mark| endless(&resource, mark)).collect();
        if whose == Whose::Mine {
            none_foreign(facts)?;
        }
        found |= resource.marks.iter().any(meant);
        resource.marks.retain(|mark| !meant(mark));
        work.put(&resource)?;
    }
    if found {
        Ok(())
    } else {
        let name = work.get::<Resource>(of)?.name;
        Err(Refusal::InService { resource: name }.into())
    }
}

pub(super) fn marked_by(work: &mut UnitOfWork<'_>, id: BookingId) -> Result<Vec<ResourceId>, Failure> {
    let mut out: Vec<ResourceId> = Vec::new();
    for resource in work.select::<Resource>("WHERE marks > 0 ORDER BY key", &[])? {
        for mark in resource.marks.iter().filter(|mark| mark.id == id) {
            if !out.contains(&mark.of) {
                out.push(mark.of.clone());
            }
        }
    }
    Ok(out)
}
