//! Alternatives for a repeat: other resources free on all its dates, or the same ones a little earlier or later.
//!
//! Free stretches only preselect candidates: each offer was rehearsed as a booking on this snapshot.

use chrono::TimeDelta;

use crate::domain::booking::Details;
use crate::domain::recurrence::LocalSlot;
use crate::domain::refusal::Alternative;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, day_start, resolve};
use crate::engine::ops::{BookSeries, Conflicts, Past};
use crate::engine::reads::Snapshot;
use crate::engine::reads::calendar::in_order;
use crate::engine::reads::free_time::{fits, free_of};
use crate::engine::work::Failure;

use super::{OFFERS_EACH, WantedTime, is_free, is_related, line_of, stand_ins};

/// Most dates searched: a refusal is answered without delay.
const DATES_MAX: usize = 200;

/// Most resources examined.
const STAND_INS_MAX: usize = 50;

/// Range by which a repeat is moved: hours stay on their date.
const HOURS_AWAY: i32 = 12;
const NIGHTS_AWAY: i32 = 7;

/// Least step between candidate times.
const STEP_MINUTES_LEAST: i32 = 15;
const STEP_MINUTES: i32 = 30;

/// Dates of a repeat, from the first on which the house is open.
struct Dates {
    first: Slot,
    /// Offset of each date from the first, and whether the house is open.
    days: Vec<(TimeDelta, bool)>,
}

/// Free time of some resources around each date of a repeat.
struct Around {
    all: Vec<Resource>,
    /// Candidates of which `count` must be free, the same on all dates.
    any: Vec<Resource>,
    count: usize,
    /// Free stretches per open date: of each of `all`, then of each of `any`.
    free: Vec<Option<Vec<Vec<Slot>>>>,
}

pub(super) fn instead(snapshot: &mut Snapshot<'_>, wanted: &WantedTime) -> Result<Vec<Alternative>, Failure> {
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
    let Some(one) = all.iter().chain(&any).next().cloned() else {
        return Ok(Vec::new());
    };
    let Some(dates) = Dates::new(snapshot, (&one, &wanted.slots))? else {
        return Ok(Vec::new());
    };
    let named: Vec<ResourceId> = wanted.resources.iter().chain(&set).cloned().collect();
    let is_alone = all.len() == 1 && any.is_empty();
    let mut out = Vec::new();
    for one in &all {
        if is_alone || dates.offer(snapshot, &[one], dates.first)?.is_none() {
            out.extend(dates.elsewhere(snapshot, (one, &named))?);
        }
    }
    if let Some(one) = any.first() {
        out.extend(dates.elsewhere(snapshot, (one, &named))?);
    }
    let count = wanted.any.as_ref().map_or(0, |any| any.count);
    let around = Around {
        free: around(snapshot, (&all, &any), (&one, &dates))?,
        count: usize::try_from(count).unwrap_or(usize::MAX),
        all,
        any,
    };
    out.extend(dates.moved(snapshot, (&one, &around))?);
    Ok(out)
}

impl Dates {
    /// Dates of some slots, by a resource's wall clock; `None` if the house is closed on all of
    /// them, or there are too many.
    fn new(snapshot: &mut Snapshot<'_>, (one, slots): (&Resource, &[Slot])) -> Result<Option<Self>, Failure> {
        let closed = snapshot.settings()?.closed_days;
        let date = |slot: &Slot| one.grid.day_at(slot.from()).date;
        let is_open = |slot: &&Slot| one.closed_on(**slot, &closed).is_none();
        let Some(first) = slots.iter().find(is_open).copied() else {
            return Ok(None);
        };
        let later = slots.iter().skip_while(|slot| **slot != first);
        let days = later.map(|slot| (date(slot) - date(&first), is_open(&slot)));
        let days: Vec<_> = days.collect();
        Ok(Some(Self { first, days }).filter(|dates| dates.open() <= DATES_MAX))
    }

    /// Number of dates on which the house is open.
    fn open(&self) -> usize {
        self.days.iter().filter(|(_, is_open)| *is_open).count()
    }

    /// Slots of all dates on a resource, given the first one, as a customer would ask for them.
    fn slots(&self, of: &Resource, first: Slot) -> Option<Vec<Slot>> {
        let zone = of.zone();
        let wall = |at: Instant| at.in_zone(zone).naive_local();
        // the requested time is booked: whole segments may exceed the opening hours, or need more time on another grid
        let (first, local) = if of.grid.segment.is_day() {
            let core = of.grid.normalise(first);
            let (from, until) = (wall(core.from()).date(), wall(core.until()).date());
            (core, LocalSlot::Days(from, until))
        } else {
            let (from, until) = (wall(first.from()), wall(first.until()));
            (first, LocalSlot::Times(from, until))
        };
        let slot = |(days, _): &(TimeDelta, bool)| {
            if days.is_zero() {
                return Some(first);
            }
            let start = local.start().checked_add_signed(*days)?;
            local.starting(start).slot(zone).ok()
        };
        self.days.iter().map(slot).collect()
    }

    /// Offers all dates, described by the first, if they could be booked.
    fn offer(
        &self,
        snapshot: &mut Snapshot<'_>,
        of: &[&Resource],
        first: Slot,
    ) -> Result<Option<Alternative>, Failure> {
        let one = of.first().copied();
        let Some((one, slots)) = one.and_then(|one| Some((one, self.slots(one, first)?))) else {
            return Ok(None);
        };
        let Some(first) = slots.first().copied() else {
            return Ok(None);
        };
        let granted = snapshot.rehearse(&BookSeries {
            resources: of.iter().map(|one| one.id.clone()).collect(),
            any: None,
            slots,
            details: Details::default(),
            conflicts: Conflicts::Refuse,
            past: Past::Refuse,
        });
        let done = match granted {
            Ok(done) => done,
            Err(Failure::Refused(_)) => return Ok(None),
            Err(fault @ Failure::Fault(_)) => return Err(fault),
        };
        // other resources may be closed on other days
        let is_open = done.skipped.iter().all(|skipped| skipped.slot != first);
        if !is_open || done.bookings.len() != self.open() {
            return Ok(None);
        }
        let names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
        let dates = u32::try_from(self.open()).ok().filter(|dates| *dates > 1);
        Ok(Some(super::free(names.join(" and "), (first, one), dates)))
    }

    /// Resources that can replace one on all dates.
    fn elsewhere(
        &self,
        snapshot: &mut Snapshot<'_>,
        wanted: (&Resource, &[ResourceId]),
    ) -> Result<Vec<Alternative>, Failure> {
        let mut out = Vec::new();
        let others = stand_ins(snapshot, wanted)?;
        for other in others.into_iter().take(STAND_INS_MAX) {
            if out.len() == OFFERS_EACH {
                break;
            }
            if self.looks_free(snapshot, &other)? {
                out.extend(self.offer(snapshot, &[&other], self.first)?);
            }
        }
        Ok(out)
    }

    fn looks_free(&self, snapshot: &mut Snapshot<'_>, one: &Resource) -> Result<bool, Failure> {
        let slots = self.slots(one, self.first).unwrap_or_default();
        for (slot, (_, is_open)) in slots.into_iter().zip(&self.days) {
            if *is_open && !is_free(snapshot, one, slot)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Nearest moves of all dates by the same amount of wall time: one later, one earlier.
    fn moved(
        &self,
        snapshot: &mut Snapshot<'_>,
        (one, around): (&Resource, &Around),
    ) -> Result<Vec<Alternative>, Failure> {
        let (step, last) = steps(one);
        let mut found = Vec::new();
        for sign in [1, -1] {
            for number in 1..=last {
                let to = moved(one, self.first, step * number * sign);
                let slots = to.and_then(|to| Some((to, self.slots(one, to)?)));
                let free = slots.and_then(|(to, slots)| Some((to, around.free_at(&slots)?)));
                let Some((to, free)) = free else {
                    continue;
                };
                if let Some(fact) = self.offer(snapshot, &free, to)? {
                    found.push((number, fact));
                    break;
                }
            }
        }
        found.sort_by_key(|(number, _)| *number);
        Ok(found.into_iter().map(|(_, fact)| fact).collect())
    }
}

fn around(
    snapshot: &mut Snapshot<'_>,
    (all, any): (&[Resource], &[Resource]),
    (one, dates): (&Resource, &Dates),
) -> Result<Vec<Option<Vec<Vec<Slot>>>>, Failure> {
    let away = if one.grid.segment.is_day() {
        // one day more, because days differ in length
        Span::minutes((i64::from(NIGHTS_AWAY) + 1) * 24 * 60)
    } else {
        Span::minutes(i64::from(HOURS_AWAY) * 60)
    };
    let mut out = Vec::new();
    let slots = dates.slots(one, dates.first).unwrap_or_default();
    for (slot, (_, is_open)) in slots.into_iter().zip(&dates.days) {
        if !is_open {
            out.push(None);
            continue;
        }
        let window = Slot::new(slot.from() - away, slot.until() + away).unwrap_or(slot);
        let free = free_of(snapshot, [all, any].concat(), window)?;
        out.push(Some(free.into_iter().map(|(_, free)| free).collect()));
    }
    Ok(out)
}

impl Around {
    /// Resources that look free on all dates, if there are enough.
    fn free_at(&self, slots: &[Slot]) -> Option<Vec<&Resource>> {
        let is_free = |(at, one): (usize, &Resource)| {
            let mut dates = slots.iter().zip(&self.free);
            dates.all(|(slot, free)| {
                let free = free.as_ref().map(|free| free.get(at));
                free.is_none_or(|free| free.is_some_and(|free| fits(one, *slot, free)))
            })
        };
        let both = self.all.iter().chain(&self.any).enumerate();
        let free: Vec<(usize, &Resource)> = both.filter(|one| is_free(*one)).collect();
        let (all, any): (Vec<_>, Vec<_>) = free.into_iter().partition(|(at, _)| *at < self.all.len());
        if all.len() < self.all.len() || any.len() < self.count {
            return None;
        }
        let chosen = all.into_iter().chain(any.into_iter().take(self.count));
        Some(chosen.map(|(_, one)| one).collect())
    }
}

/// Step between candidate times, and number of steps.
fn steps(first: &Resource) -> (TimeDelta, i32) {
    if first.grid.segment.is_day() {
        return (TimeDelta::days(1), NIGHTS_AWAY);
    }
    let segment = i32::try_from(first.grid.segment.minutes()).unwrap_or(i32::MAX);
    let step = if segment < STEP_MINUTES_LEAST { STEP_MINUTES } else { segment };
    (TimeDelta::minutes(step.into()), HOURS_AWAY * 60 / step)
}

/// Moves a slot by wall time; `None` if it leaves its date, or the time does not exist.
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
