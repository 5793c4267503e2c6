//! Other time for what repeats: others that are free on all its dates, or the same ones a little earlier or later.

use chrono::{NaiveDate, TimeDelta};

use crate::domain::refusal::FreeFact;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, day_start, resolve};
use crate::engine::reads::Snapshot;
use crate::engine::reads::calendar::in_order;
use crate::engine::reads::free_time::{fits, free_of};
use crate::engine::work::Failure;

use super::{OFFERS_EACH, ReadInstead, fact, is_free, is_related, line_of, stand_ins};

/// For more dates than these nothing is looked for: a refusal is answered at once.
const DATES_MAX: usize = 200;

/// How many resources are asked about.
const STAND_INS_MAX: usize = 50;

/// How far a repeat is moved: hours stay on their date.
const HOURS_AWAY: i32 = 12;
const NIGHTS_AWAY: i32 = 7;

/// Borders closer together than this are not all tried.
const STEP_MINUTES_LEAST: i32 = 15;
const STEP_MINUTES: i32 = 30;

/// When some resources are free around each date of a repeat.
struct Around {
    all: Vec<Resource>,
    /// Of which so many have to be free, all dates the same.
    any: Vec<Resource>,
    count: usize,
    /// Per date: the free stretches of each of `all`, then of each of `any`.
    free: Vec<Vec<Vec<Slot>>>,
    /// The days that a repeat leaves out: the house is closed.
    closed: Vec<NaiveDate>,
    now: Instant,
}

pub(super) fn instead(
    snapshot: &mut Snapshot<'_>,
    wanted: &ReadInstead,
) -> Result<Vec<FreeFact>, Failure> {
    let all = in_order(snapshot, &wanted.resources)?;
    let mut lines = Vec::new();
    for id in &wanted.resources {
        lines.push(line_of(snapshot, id)?);
    }
    let mut set: Vec<ResourceId> = Vec::new();
    for id in wanted.any.iter().flat_map(|any| &any.of) {
        if !is_related(&line_of(snapshot, id)?, &lines) {
            set.push(id.clone());
        }
    }
    let any = in_order(snapshot, &set)?;
    let Some(first) = all.iter().chain(&any).next().cloned() else {
        return Ok(Vec::new());
    };
    let closed = snapshot.settings()?.closed_days;
    let open = |slot: &&Slot| !closed.contains(&first.grid.day_at(slot.from()).date);
    let slots: Vec<Slot> = wanted.slots.iter().filter(open).copied().collect();
    if slots.is_empty() || slots.len() > DATES_MAX || dates_overlap(&first, &slots) {
        return Ok(Vec::new());
    }
    let named: Vec<ResourceId> = wanted.resources.iter().chain(&set).cloned().collect();
    let mut out = Vec::new();
    for one in &all {
        if (all.len() == 1 && any.is_empty()) || !free_on_all(snapshot, one, &slots)? {
            out.extend(elsewhere(snapshot, (one, &named), &slots)?);
        }
    }
    if let Some(one) = any.first() {
        out.extend(elsewhere(snapshot, (one, &named), &slots)?);
    }
    let count = wanted.any.as_ref().map_or(0, |any| any.count);
    let around = Around {
        free: around(snapshot, (&all, &any), (&first, &slots))?,
        count: usize::try_from(count).unwrap_or(usize::MAX),
        all,
        any,
        closed,
        now: snapshot.now(),
    };
    out.extend(around.moved((&first, &slots)));
    Ok(out)
}

/// Whether a repeat meets itself on a resource, preparation and cleaning included.
fn dates_overlap(one: &Resource, slots: &[Slot]) -> bool {
    let meet = |(date, next): (&Slot, &Slot)| one.taken(*date).1.overlaps(&one.taken(*next).1);
    slots.iter().zip(slots.iter().skip(1)).any(meet)
}

fn free_on_all(
    snapshot: &mut Snapshot<'_>,
    one: &Resource,
    slots: &[Slot],
) -> Result<bool, Failure> {
    for slot in slots {
        if !is_free(snapshot, one, *slot)? {
            return Ok(false);
        }
    }
    Ok(!dates_overlap(one, slots))
}

/// Resources that stand in for one and are free on all dates.
fn elsewhere(
    snapshot: &mut Snapshot<'_>,
    wanted: (&Resource, &[ResourceId]),
    slots: &[Slot],
) -> Result<Vec<FreeFact>, Failure> {
    let mut out = Vec::new();
    let others = stand_ins(snapshot, wanted)?;
    for other in others.into_iter().take(STAND_INS_MAX) {
        if out.len() == OFFERS_EACH {
            break;
        }
        if free_on_all(snapshot, &other, slots)? {
            out.extend(fact_of(std::slice::from_ref(&other.name), (&other, slots)));
        }
    }
    Ok(out)
}

/// All dates of a repeat, told by the first.
fn fact_of(names: &[String], (of, slots): (&Resource, &[Slot])) -> Option<FreeFact> {
    let first = *slots.first()?;
    let core = of.grid.normalise(first);
    // the wanted time is granted: whole segments may reach beyond the opening hours, or need more on another grid
    let slot = if of.grid.segment.is_day() {
        core
    } else {
        first
    };
    let dates = u32::try_from(slots.len()).ok().filter(|dates| *dates > 1);
    Some(FreeFact {
        dates,
        ..fact(names.join(" and "), (slot, of))
    })
}

fn around(
    snapshot: &mut Snapshot<'_>,
    (all, any): (&[Resource], &[Resource]),
    (first, slots): (&Resource, &[Slot]),
) -> Result<Vec<Vec<Vec<Slot>>>, Failure> {
    let away = if first.grid.segment.is_day() {
        // a day more, for days have not all the same length
        Span::minutes((i64::from(NIGHTS_AWAY) + 1) * 24 * 60)
    } else {
        Span::minutes(i64::from(HOURS_AWAY) * 60)
    };
    let mut out = Vec::new();
    for slot in slots {
        let window = Slot::new(slot.from() - away, slot.until() + away).unwrap_or(*slot);
        let free = free_of(snapshot, [all, any].concat(), window)?;
        out.push(free.into_iter().map(|(_, free)| free).collect());
    }
    Ok(out)
}

impl Around {
    /// The nearest moves of all dates by the same stretch of the wall at which all is free: one later, one earlier.
    fn moved(&self, (first, slots): (&Resource, &[Slot])) -> Vec<FreeFact> {
        let (step, last) = steps(first);
        let nearest = |sign: i32| {
            (1..=last).find_map(|number| {
                let by = step * number * sign;
                let moved: Option<Vec<Slot>> =
                    slots.iter().map(|slot| moved(first, *slot, by)).collect();
                let moved = moved?;
                let date = |slot: &Slot| first.grid.day_at(slot.from()).date;
                let is_none =
                    |slot: &Slot| slot.until() <= self.now || self.closed.contains(&date(slot));
                if moved.iter().any(is_none) {
                    return None;
                }
                let fact = fact_of(&self.free_at(&moved)?, (first, &moved))?;
                Some((number, fact))
            })
        };
        let mut found: Vec<(i32, FreeFact)> =
            [nearest(1), nearest(-1)].into_iter().flatten().collect();
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, fact)| fact).collect()
    }

    /// The names of those that are free on all dates, when they are enough.
    fn free_at(&self, slots: &[Slot]) -> Option<Vec<String>> {
        let is_free = |(at, one): (usize, &Resource)| {
            slots
                .iter()
                .zip(&self.free)
                .all(|(slot, free)| free.get(at).is_some_and(|free| fits(one, *slot, free)))
                && !dates_overlap(one, slots)
        };
        let both = self.all.iter().chain(&self.any).enumerate();
        let free: Vec<(usize, &Resource)> = both.filter(|one| is_free(*one)).collect();
        let (all, any): (Vec<_>, Vec<_>) =
            free.into_iter().partition(|(at, _)| *at < self.all.len());
        if all.len() < self.all.len() || any.len() < self.count {
            return None;
        }
        let any = any.into_iter().take(self.count);
        Some(
            all.into_iter()
                .chain(any)
                .map(|(_, one)| one.name.clone())
                .collect(),
        )
    }
}

/// By how much the dates are moved at a time, and how often.
fn steps(first: &Resource) -> (TimeDelta, i32) {
    if first.grid.segment.is_day() {
        return (TimeDelta::days(1), NIGHTS_AWAY);
    }
    let segment = i32::try_from(first.grid.segment.minutes()).unwrap_or(i32::MAX);
    let step = if segment < STEP_MINUTES_LEAST {
        STEP_MINUTES
    } else {
        segment
    };
    (TimeDelta::minutes(step.into()), HOURS_AWAY * 60 / step)
}

/// A slot moved on the wall; nothing where that leaves its date, or the wall does not show it.
fn moved(first: &Resource, slot: Slot, by: TimeDelta) -> Option<Slot> {
    let zone = first.zone();
    let wall = |at: Instant| at.in_zone(zone).naive_local();
    if first.grid.segment.is_day() {
        let core = first.grid.normalise(slot);
        let day = |at| Some(day_start((wall(at).checked_add_signed(by)?).date(), zone));
        return Slot::new(day(core.from())?, day(core.until())?).ok();
    }
    let (from, until) = (wall(slot.from()), wall(slot.until()));
    let begins = from.checked_add_signed(by)?;
    if begins.date() != from.date() {
        return None;
    }
    let until = resolve(until.checked_add_signed(by)?, zone).ok()?;
    Slot::new(resolve(begins, zone).ok()?, until).ok()
}
