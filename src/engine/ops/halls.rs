//! Hall of a theater: the resource whose time its performances take, from get-in to get-out.
//!
//! A theater has a hall from its creation. Two of its performances overlap only if one lost its time in the hall to a
//! disable that ended since.
//!
//! # Invariants
//! - Each cell of a hall during a future performance of its theater was claimed by a performance, or by something else
//!   that was there first. [`settle`] restores this after a cancellation and in another hall.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Cause, Details, Taken};
use crate::domain::ids::BookingId;
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Grid, Segment, Slot, Span, subtract};
use crate::engine::ops::booking::{Past, Request, Want, book, end_booking, new_booking};
use crate::engine::ops::resource_ids::free_id;
use crate::engine::ops::retiring::{bring_back, retire};
use crate::engine::ops::worklist::resolve_items_of;
use crate::engine::ops::{claims, taking};
use crate::engine::work::{Failure, UnitOfWork};

const KIND: &str = "hall";

/// Most names tried for a hall if other resources have the theater's name.
const NAMES_MAX: usize = 100;

/// Creates the hall of a theater, named after it, with a suffix if the name is in use.
pub(super) fn make(work: &mut UnitOfWork<'_>, theater: &str, zone: Tz) -> Result<ResourceId, Failure> {
    let mut refusal = None;
    for number in 0..NAMES_MAX {
        let name = match number {
            0 => theater.to_owned(),
            1 => format!("{theater} (hall)"),
            _ => format!("{theater} (hall {number})"),
        };
        let name = clean(&name);
        match free_id(work, &name, KIND) {
            Ok(id) => {
                work.put(&hall(id.clone(), name, zone))?;
                return Ok(id);
            }
            Err(Failure::Refused(why)) => refusal = Some(why),
            Err(fault @ Failure::Fault(_)) => return Err(fault),
        }
    }
    Err(refusal.unwrap_or(Refusal::NothingChosen).into())
}

fn hall(id: ResourceId, name: String, zone: Tz) -> Resource {
    Resource {
        id,
        name,
        kind: KIND.to_owned(),
        parent: None,
        children: Vec::new(),
        grid: Grid { zone, segment: Segment::LEAST },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: None,
        prices: None,
        count: None,
        properties: BTreeMap::new(),
        marks: Vec::new(),
        retired: false,
    }
}

/// Retires the hall that was made for a theater with it, unless something else needs it, and brings a retired hall back.
pub(super) fn follow(work: &mut UnitOfWork<'_>, theater: &Theater, mut hall: Resource) -> Result<(), Failure> {
    match (theater.retired, hall.retired) {
        (true, false) if is_own(theater, &hall) => match retire(work, &mut hall) {
            Ok(()) => work.put(&hall),
            Err(Failure::Refused(_)) => Ok(()),
            Err(fault @ Failure::Fault(_)) => Err(fault),
        },
        (false, true) => bring_back(work, &mut hall),
        (true | false, _) => Ok(()),
    }
}

/// Returns whether a hall has the name that [`make`] gave it.
fn is_own(theater: &Theater, hall: &Resource) -> bool {
    hall.kind == KIND
        && hall.name.strip_prefix(&theater.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(" (hall"))
}

/// Open performances of a theater that are not over, by start.
pub(super) fn to_come(work: &mut UnitOfWork<'_>, theater: &Theater) -> Result<Vec<Performance>, Failure> {
    let from = work.now() - taking::SLOT_MAX;
    let mut found: Vec<Performance> = work.select(
        "WHERE theater = $1 AND start_at >= $2 ORDER BY start_at, key",
        &[theater.id.to_string().into(), from.millis().into()],
    )?;
    let now = work.now();
    found.retain(|one| one.state == PerformanceState::Open && one.end > now);
    Ok(found)
}

/// Books the hall of a theater for a performance; refuses if it is taken.
pub(super) fn take(
    work: &mut UnitOfWork<'_>,
    hall: &ResourceId,
    performance: &Performance,
) -> Result<BookingId, Failure> {
    let slot = slot(performance)?;
    let details = details(performance);
    let request = request(performance, &details);
    let booking = book(work, &[Want::all(vec![hall.clone()], slot)], &request)?;
    Ok(booking.id)
}

/// Moves the hall of a performance to its new time; refuses if it is taken, or the house closed that day. Others of the theater get the time before.
pub(super) fn postpone(
    work: &mut UnitOfWork<'_>,
    before: &Performance,
    performance: &mut Performance,
) -> Result<(), Failure> {
    let theater: Theater = work.get(performance.theater)?;
    let day = theater.day_of(performance.start);
    if performance.start != before.start && work.settings()?.closed_days.contains(&day) {
        return Err(Refusal::HouseClosed { day }.into());
    }
    let booked: Option<Booking> = before.hall.map(|id| work.get(id)).transpose()?;
    match booked.filter(|booking| booking.state == BookingState::Active) {
        None => performance.hall = Some(take(work, &theater.hall, performance)?),
        Some(mut booking) => {
            claims::free(work, &booking, &booking.owner())?;
            booking.taken = taking::taken(work, &theater.hall, slot(performance)?)?;
            let act = Act::Book { until: None };
            claims::act(work, &booking.taken, (&booking.owner(), act))?;
            work.put(&booking)?;
            resolve_items_of(work, &booking.owner(), "the performance moved")?;
        }
    }
    pass_on(work, before)
}

/// Books the free part of a performance's time in the hall.
pub(super) fn settle(
    work: &mut UnitOfWork<'_>,
    theater: &Theater,
    mut performance: Performance,
) -> Result<(), Failure> {
    let hall = &theater.hall;
    let mut booking: Booking = match performance.hall {
        Some(id) => work.get(id)?,
        None => new_booking(work, &request(&performance, &details(&performance))),
    };
    let elsewhere = |taken: &[Taken]| taken.first().is_some_and(|one| one.resource != *hall);
    if elsewhere(&booking.taken) {
        return Ok(());
    }
    let mut taken = match taking::taken(work, hall, slot(&performance)?) {
        Ok(taken) => taken,
        // a hall out of service cannot be booked
        Err(Failure::Refused(_)) => return Ok(()),
        Err(fault @ Failure::Fault(_)) => return Err(fault),
    };
    let (owner, act) = (booking.owner(), Act::Book { until: None });
    let facts = claims::in_the_way(work, &taken, (&owner, act))?;
    let stands = facts.iter().filter_map(|fact| fact.slot()).filter_map(|at| Slot::new(at.from, at.until).ok());
    let stands: Vec<Slot> = stands.collect();
    for one in &mut taken {
        one.live = subtract(&one.live, &stands);
    }
    if taken.iter().all(|one| one.live.is_empty()) || taken == booking.taken {
        return Ok(());
    }
    claims::act(work, &taken, (&owner, act))?;
    booking.taken = taken;
    work.put(&booking)?;
    if performance.hall.is_none() {
        performance.hall = Some(booking.id);
        work.put(&performance)?;
    }
    Ok(())
}

fn slot(performance: &Performance) -> Result<Slot, Failure> {
    Ok(Slot::new(performance.start, performance.end).map_err(|_| Refusal::EndsBeforeStart)?)
}

fn details(performance: &Performance) -> Details {
    Details { title: performance.title.clone(), ..Details::default() }
}

fn request<'a>(performance: &Performance, details: &'a Details) -> Request<'a> {
    Request::new(Cause::Performance(performance.id), details, Past::Record)
}

/// Frees the hall of a performance, for others of its theater at the same time.
pub(super) fn free(work: &mut UnitOfWork<'_>, performance: &Performance, why: &str) -> Result<(), Failure> {
    let Some(id) = performance.hall else {
        return Ok(());
    };
    let mut booking: Booking = work.get(id)?;
    if booking.state == BookingState::Active {
        end_booking(work, &mut booking)?;
        resolve_items_of(work, &booking.owner(), why)?;
    }
    Ok(())
}

/// Books the hall time of a canceled or moved performance for those that overlap it.
pub(super) fn pass_on(work: &mut UnitOfWork<'_>, gone: &Performance) -> Result<(), Failure> {
    let theater: Theater = work.get(gone.theater)?;
    for other in to_come(work, &theater)? {
        if other.id != gone.id && other.start < gone.end && gone.start < other.end {
            settle(work, &theater, other)?;
        }
    }
    Ok(())
}
