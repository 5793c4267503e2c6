//! Cells out of use: disables of seats or time, time taken for a cause, and open-ended marks.
//!
//! Several disables of one operator may want the same cell. The earliest has its claim, and passes it on when it ends.

use std::collections::BTreeSet;
use std::slice;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Act, Applied, CellRange, Claim, Grip};
use crate::domain::booking::{Booking, BookingState, Cause, Details};
use crate::domain::calendar::State;
use crate::domain::house::WorklistItem;
use crate::domain::ids::{BookingId, CartId};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Purpose, Refusal, SlotAt, WantedCells};
use crate::domain::resource::{Mark, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, LAST_BOOKABLE};
use crate::engine::ops::booking::{Past, Request, Want, Whose, book, end_booking, planned};
use crate::engine::ops::claims::{self, Cells, none_foreign};
use crate::engine::ops::displacement::{Displaced, displace, take_away};
use crate::engine::ops::taking::claims_from;
use crate::engine::ops::taking::{family, slot};
use crate::engine::work::{Failure, UnitOfWork};

/// Treatment of existing claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Displace {
    #[default]
    Ask,
    /// Displace them to the worklist.
    Take,
}

/// Out-of-use time of resources: a slot, or an open-ended mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfUse {
    Slot {
        booking: Box<Booking>,
        displaced: Vec<WorklistItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
    /// Open-ended.
    Marked {
        /// Mark, placed on the resources and all their parts.
        mark: Mark,
        displaced: Vec<WorklistItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
}

impl OutOfUse {
    /// Worklist items of displaced owners.
    pub fn displaced(&self) -> &[WorklistItem] {
        match self {
            Self::Slot { displaced, .. } | Self::Marked { displaced, .. } => displaced,
        }
    }

    /// Open carts that lost time.
    pub fn carts(&self) -> &[CartId] {
        match self {
            Self::Slot { carts, .. } | Self::Marked { carts, .. } => carts,
        }
    }
}

pub(super) struct TakeOut<'a> {
    pub(super) resources: &'a [ResourceId],
    pub(super) from: Instant,
    /// End; open-ended if `None`.
    pub(super) until: Option<Instant>,
    pub(super) cause: Cause,
    pub(super) reason: &'a str,
    pub(super) displace: Displace,
    pub(super) past: Past,
}

/// Takes time of resources and their parts out of use; refuses disables of another operator.
pub(super) fn take_out(work: &mut UnitOfWork<'_>, out: &TakeOut<'_>) -> Result<OutOfUse, Failure> {
    let Some(until) = out.until else {
        return mark(work, out);
    };
    let details = Details { title: out.reason.to_owned(), ..Details::default() };
    let request = Request::new(out.cause.clone(), &details, out.past);
    let wants = [Want::all(out.resources.to_vec(), slot(out.from, until)?)];
    let (booking, displaced) = match out.displace {
        Displace::Ask => (book(work, &wants, &request)?, Displaced::default()),
        Displace::Take => {
            let mut booking = planned(work, &wants, &request)?;
            booking.taken.iter_mut().for_each(|taken| taken.live.clear());
            disable(work, booking)?
        }
    };
    Ok(OutOfUse::Slot {
        booking: Box::new(booking),
        displaced: displaced.items,
        carts: displaced.carts.into_iter().collect(),
    })
}

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

/// Marks resources and all their parts from the border of a segment on. All of them are written, so
/// that a concurrent booking is a conflict.
fn mark(work: &mut UnitOfWork<'_>, out: &TakeOut<'_>) -> Result<OutOfUse, Failure> {
    let id = BookingId::random();
    let mut first = None;
    let mut displaced = Displaced::default();
    for whole in out.resources {
        for resource in family(work, whole)? {
            let from = resource.grid.border_until(out.from);
            if out.past != Past::Record && from < resource.grid.border_until(work.now()) {
                return Err(Refusal::InThePast { at: out.from }.into());
            }
            let mark = Mark {
                id,
                cause: out.cause.clone(),
                from,
                operator: work.actor().operator.clone(),
                reason: clean(out.reason),
                of: whole.clone(),
            };
            displaced.add(mark_one(work, resource, (&mark, out.displace))?);
            first.get_or_insert(mark);
        }
    }
    match first {
        Some(mark) => {
            Ok(OutOfUse::Marked { mark, displaced: displaced.items, carts: displaced.carts.into_iter().collect() })
        }
        None => Err(Refusal::NothingChosen.into()),
    }
}

fn mark_one(
    work: &mut UnitOfWork<'_>,
    mut resource: Resource,
    (mark, displace): (&Mark, Displace),
) -> Result<Displaced, Failure> {
    if resource.marks.iter().any(|other| other.id == mark.id) {
        return Err(Refusal::RepeatedResource { resource: resource.name }.into());
    }
    let beside = resource.marks.iter();
    let mut beside = beside.filter(|other| asks_of(mark, other)).peekable();
    let claims = claims_from(work, &resource, mark.from)?;
    let live = claims::live(work, claims);
    let (disabled, others): (Vec<_>, Vec<_>) = live.into_iter().partition(|(_, claim)| claim.grip == Grip::Disabled);
    let stands = !(disabled.is_empty() && others.is_empty() && beside.peek().is_none());
    if displace == Displace::Ask && stands {
        let mut facts: Vec<Fact> = beside.map(|other| endless(&resource, other)).collect();
        facts.extend(claims::told(work, (None, slice::from_ref(&resource)), &[disabled, others].concat())?);
        let purpose = if mark.cause == Cause::OutOfService { Purpose::OutOfService } else { Purpose::TakeOut };
        return Err(Refusal::taken(WantedCells::Time(purpose), facts).into());
    }
    let foreign = |claim: &Claim| claim.owner.operator() != Some(mark.operator.as_str());
    let disabled: Vec<(CellRange, Claim)> = disabled.into_iter().filter(|(_, claim)| foreign(claim)).collect();
    none_foreign(claims::told(work, (None, slice::from_ref(&resource)), &disabled)?)?;
    let items = take_away(work, &others, &mark.reason)?;
    resource.marks.push(mark.clone());
    work.put(&resource)?;
    Ok(items)
}

/// Returns whether a mark conflicts with another: out-of-service marks can coexist.
fn asks_of(mark: &Mark, other: &Mark) -> bool {
    !(mark.cause == Cause::OutOfService && other.cause == Cause::OutOfService)
}

/// Describes a mark as a conflict.
fn endless(resource: &Resource, mark: &Mark) -> Fact {
    let at = SlotAt {
        resource: resource.name.clone(),
        from: mark.from,
        until: LAST_BOOKABLE,
        zone: resource.zone(),
        nights: resource.grid.segment.is_day(),
    };
    Fact { state: State::of_mark(mark), ..Fact::disabled(CellName::Slot(at), &mark.operator, &mark.reason) }
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
