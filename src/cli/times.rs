//! Slots as people type them, in the local time of what is spoken of.

use chrono_tz::Tz;

use crate::cli::values::bad;
use crate::domain::recurrence::LocalSlot;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Slot, Span, day_start, parse_date, parse_local};

/// A time, or the first instant of a date.
pub(super) fn moment(field: &str, text: &str, zone: Tz) -> Result<Instant, Refusal> {
    match parse_date(text) {
        Ok(date) => Ok(day_start(date, zone)),
        Err(_) => parse_local(text, zone).map_err(|error| bad(field, error)),
    }
}

/// The same, when something was said.
pub(super) fn some_moment(
    field: &str,
    text: Option<&str>,
    zone: Tz,
) -> Result<Option<Instant>, Refusal> {
    text.map(|text| moment(field, text, zone)).transpose()
}

/// A slot from its start and end; the end of dates is a date too, which is not a part of it.
pub(super) fn slot(from: &str, until: &str, zone: Tz) -> Result<Slot, Refusal> {
    of_bounds(moment("from", from, zone)?, moment("until", until, zone)?)
}

/// A slot from its bounds.
pub(super) fn of_bounds(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| bad("until", error))
}

/// A slot from its start and its length.
pub(super) fn of_length(from: Instant, length: Span) -> Result<Slot, Refusal> {
    of_bounds(from, from + length)
}

/// A stretch of the wall's time, for what comes again.
pub(super) fn local((from, until): (&str, &str), zone: Tz) -> Result<LocalSlot, Refusal> {
    if let (Ok(from), Ok(until)) = (parse_date(from), parse_date(until)) {
        slot(&from.to_string(), &until.to_string(), zone)?;
        return Ok(LocalSlot::Days(from, until));
    }
    let slot = slot(from, until, zone)?;
    let wall = |at: Instant| at.in_zone(zone).naive_local();
    Ok(LocalSlot::Times(wall(slot.from()), wall(slot.until())))
}
