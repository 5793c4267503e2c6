//! Parses times and slots in the local time of a resource or theater.

use crate::cli::values::{Local, bad, some};
use crate::domain::recurrence::LocalSlot;
use crate::domain::refusal::Refusal;
use crate::domain::time::typed::{Moment, moment as typed};
use crate::domain::time::{Instant, Slot, Span, day_start};

/// A time, or the first instant of a date, as [`typed`] reads it.
pub(super) fn moment(field: &str, text: &str, now: Local) -> Result<Instant, Refusal> {
    match typed(text, now) {
        Ok(Moment::Day(date)) => Ok(day_start(date, now.1)),
        Ok(Moment::At(at)) => Ok(at),
        Err(error) => Err(bad(field, error)),
    }
}

pub(super) fn some_moment(field: &str, text: Option<&String>, now: Local) -> Result<Option<Instant>, Refusal> {
    some(text, |text| moment(field, text, now))
}

/// Parses an optional slot: both of its bounds, or none.
pub(super) fn some_slot(from: Option<&String>, until: Option<&String>, now: Local) -> Result<Option<Slot>, Refusal> {
    let bounds = from.zip(until);
    bounds.map(|(from, until)| slot(from, until, now)).transpose()
}

/// Parses a start and an optional end; words of the end count from the start: `21:30`, `+2h`, `sun`.
pub(super) fn bounds(from: &str, until: Option<&String>, now: Local) -> Result<(Instant, Option<Instant>), Refusal> {
    let from = moment("from", from, now)?;
    Ok((from, some_moment("until", until, (from, now.1))?))
}

/// Parses a slot; a date as the end is not part of the slot.
pub(super) fn slot(from: &str, until: &str, now: Local) -> Result<Slot, Refusal> {
    let from = moment("from", from, now)?;
    of_bounds(from, moment("until", until, (from, now.1))?)
}

pub(super) fn of_bounds(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| bad("until", error))
}

pub(super) fn of_length(from: Instant, length: Span) -> Result<Slot, Refusal> {
    of_bounds(from, from + length)
}

/// Parses a slot in local time, for recurrences.
pub(super) fn local((from, until): (&str, &str), now: Local) -> Result<LocalSlot, Refusal> {
    let slot = slot(from, until, now)?;
    let date = |text, now| match typed(text, now) {
        Ok(Moment::Day(date)) => Some(date),
        Ok(Moment::At(_)) | Err(_) => None,
    };
    if let (Some(from), Some(until)) = (date(from, now), date(until, (slot.from(), now.1))) {
        return Ok(LocalSlot::Days(from, until));
    }
    let wall = |at: Instant| at.in_zone(now.1).naive_local();
    Ok(LocalSlot::Times(wall(slot.from()), wall(slot.until())))
}
