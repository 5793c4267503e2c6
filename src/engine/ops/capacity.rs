//! Capacity of standing room on one night: fewer places are out of use, more are added.

use crate::domain::availability::Chunk;
use crate::domain::booking::Booking;
use crate::domain::ids::{BookingId, PlanId};
use crate::domain::performance::{Capacity, Performance};
use crate::domain::plan::{SeatRef, StandingRoom, Zone};
use crate::domain::refusal::{NightRefusal, Problem, Refusal};
use crate::domain::typed::PLACES_MAX;
use crate::engine::ops::seat_acts::new_disable;
use crate::engine::ops::{claims, outages, seats};
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::kinds::PlanVersion;

/// Gives standing room of a performance another number of places.
///
/// Fewer: free places go out of use by an act of its own, and none that somebody has. More: those come back first, then
/// the performance sells a plan of its own with further rows behind all others, whose numbers stay.
pub(super) fn set(
    work: &mut UnitOfWork<'_>,
    performance: &mut Performance,
    (name, places): (&str, u32),
) -> Result<(), Failure> {
    if !(1..=PLACES_MAX).contains(&places) {
        return Err(Refusal::bad("capacity", Problem::Between(1, PLACES_MAX)).into());
    }
    let seating = work.seating(performance.plan)?;
    let known = seating.plan.standing();
    let area = seating.plan.area(name);
    let area = area.ok_or_else(|| Refusal::none_of("area", name, known.iter().map(|area| area.name)))?;
    let at = performance.capacity.iter().position(|known| known.area == *area.name);
    let mut capacity = match at {
        Some(at) => performance.capacity.remove(at),
        None => Capacity { area: area.name.clone(), places: area.places, acts: Vec::new() },
    };
    let mut out = Vec::new();
    for act in &capacity.acts {
        out.push(work.get::<Booking>(act)?);
    }
    let gone: usize = out.iter().map(|act| live_of(act).len()).sum();
    let present = area.places.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX));
    if places < present {
        capacity.acts.push(lower(work, performance, &area, (present, places))?);
    } else {
        raise(work, performance, (&area, places - present), out)?;
    }
    capacity.places = places;
    performance.capacity.push(capacity);
    performance.capacity.sort_by(|one, other| one.area.cmp(&other.area));
    Ok(())
}

fn live_of(act: &Booking) -> &[SeatRef] {
    act.seats.as_ref().map_or(&[], |seats| seats.live.as_slice())
}

/// Takes free places out of use; returns the act.
fn lower(
    work: &mut UnitOfWork<'_>,
    performance: &Performance,
    area: &StandingRoom<'_>,
    (present, places): (u32, u32),
) -> Result<BookingId, Failure> {
    let chosen = seats::places(work, performance.id, (area, present - places), seats::FREE);
    let chosen = chosen.map_err(|failure| match failure {
        Failure::Refused(Refusal::AreaShort { area, free, .. }) => {
            NightRefusal::CapacityTaken { area, wanted: places, taken: present - free }.into()
        }
        other @ (Failure::Refused(_) | Failure::Fault(_)) => other,
    })?;
    let act = new_disable(work, (performance.id, chosen), None, &format!("{}={places}", area.name));
    let (act, _) = outages::disable(work, act)?;
    Ok(act.id)
}

/// Brings places back into use, the last ones first, and adds what is missing then.
fn raise(
    work: &mut UnitOfWork<'_>,
    performance: &mut Performance,
    (area, mut more): (&StandingRoom<'_>, u32),
    out: Vec<Booking>,
) -> Result<(), Failure> {
    for act in out.into_iter().rev() {
        let most = usize::try_from(more).unwrap_or(usize::MAX);
        let back: Vec<SeatRef> = live_of(&act).iter().copied().take(most).collect();
        if !back.is_empty() {
            more -= u32::try_from(back.len()).unwrap_or(more);
            outages::end(work, act, Some(&back))?;
        }
    }
    if more == 0 {
        return Ok(());
    }
    let version: PlanVersion = work.get(performance.plan)?;
    let mut plan = version.plan;
    let zone = Zone::standing(area.name, area.category, more);
    let first = plan.rows().map(|(row, ..)| row + 1).max().unwrap_or_default();
    for (row, added) in (first..).zip(&zone.rows) {
        let cells = u32::try_from(added.seats.len()).unwrap_or(u32::MAX);
        work.create(&Chunk::empty(claims::chunk_of(performance.id, row), cells))?;
    }
    plan.zones.push(zone);
    performance.plan = PlanId::random();
    work.create(&PlanVersion { id: performance.plan, theater: version.theater, plan })
}
