//! Parses times and slots in the local time of a resource or theater.

use chrono::NaiveDate;
use clap::Args;

use crate::cli::values::{bad, some};
use crate::domain::recurrence::LocalSlot;
use crate::domain::refusal::Refusal;
use crate::domain::time::typed::{self, Moment};
use crate::domain::time::{Instant, Local, Slot, Span, TimeError, day_start};

/// A time, or the first instant of a date, as [`typed::moment`] reads it.
pub(super) fn moment(field: &str, text: &str, here: Local) -> Result<Instant, Refusal> {
    instant(field, typed::moment(text, here), here)
}

/// The end of what starts at a time, as [`typed::end`] reads it; a date is not part of it.
pub(super) fn end(field: &str, text: &str, (start, here): (Instant, Local)) -> Result<Instant, Refusal> {
    instant(field, typed::end(text, start, here), here)
}

fn instant(field: &str, read: Result<Moment, TimeError>, here: Local) -> Result<Instant, Refusal> {
    match read {
        Ok(Moment::Day(date)) => Ok(day_start(date, here.zone)),
        Ok(Moment::At(at)) => Ok(at),
        Err(error) => Err(bad(field, error)),
    }
}

pub(super) fn some_moment(field: &str, text: Option<&String>, here: Local) -> Result<Option<Instant>, Refusal> {
    some(text, |text| moment(field, text, here))
}

// a window of time
#[derive(Debug, Args)]
pub(super) struct Window {
    /// Only from a time or a date on
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only before a time or a date
    #[arg(long, value_name = "TIME", alias = "before")]
    until: Option<String>,
}

impl Window {
    /// Its bounds, as far as it has any.
    pub(super) fn bounds(&self, here: Local) -> Result<(Option<Instant>, Option<Instant>), Refusal> {
        let from = some_moment("from", self.from.as_ref(), here)?;
        let since = (from.unwrap_or(here.now), here);
        let until = some(self.until.as_ref(), |text| end("until", text, since))?;
        match (from, until) {
            (Some(from), Some(until)) => of_bounds(from, until).map(|_| (Some(from), Some(until))),
            bounds => Ok(bounds),
        }
    }
}

/// Parses an optional slot: both of its bounds, or none.
pub(super) fn some_slot(from: Option<&String>, until: Option<&String>, here: Local) -> Result<Option<Slot>, Refusal> {
    let bounds = from.zip(until);
    bounds.map(|(from, until)| slot(from, until, here)).transpose()
}

/// Parses a start and an optional end.
pub(super) fn bounds(from: &str, until: Option<&String>, here: Local) -> Result<(Instant, Option<Instant>), Refusal> {
    let from = moment("from", from, here)?;
    Ok((from, some(until, |until| end("until", until, (from, here)))?))
}

/// Parses a slot; a date as the end is not part of the slot.
pub(super) fn slot(from: &str, until: &str, here: Local) -> Result<Slot, Refusal> {
    let from = moment("from", from, here)?;
    of_bounds(from, end("until", until, (from, here))?)
}

pub(super) fn of_bounds(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| bad("until", error))
}

pub(super) fn of_length(from: Instant, length: Span) -> Result<Slot, Refusal> {
    of_bounds(from, from + length)
}

/// Parses a slot in local time, for recurrences.
pub(super) fn local((from, until): (&str, &str), here: Local) -> Result<LocalSlot, Refusal> {
    let slot = slot(from, until, here)?;
    let (first, last) = (typed::moment(from, here), typed::end(until, slot.from(), here));
    if let (Ok(Moment::Day(from)), Ok(Moment::Day(until))) = (first, last) {
        return Ok(LocalSlot::Days(from, until));
    }
    let wall = |at: Instant| at.in_zone(here.zone).naive_local();
    Ok(LocalSlot::Times(wall(slot.from()), wall(slot.until())))
}

/// A date, as [`typed::moment`] reads it.
pub(super) fn date(field: &str, text: &str, here: Local) -> Result<NaiveDate, Refusal> {
    day(field, text, typed::moment(text, here))
}

/// The end of what begins on a date, as [`typed::end`] reads it.
pub(super) fn last_date(field: &str, text: &str, (first, here): (NaiveDate, Local)) -> Result<NaiveDate, Refusal> {
    day(field, text, typed::end(text, day_start(first, here.zone), here))
}

fn day(field: &str, text: &str, read: Result<Moment, TimeError>) -> Result<NaiveDate, Refusal> {
    match read {
        Ok(Moment::Day(day)) => Ok(day),
        Ok(Moment::At(_)) | Err(TimeError::Time(_)) => Err(bad(field, TimeError::Date(text.to_owned()))),
        Err(error) => Err(bad(field, error)),
    }
}

/// A time to come, as [`typed::deadline`] reads it.
pub(super) fn deadline(field: &str, text: &str, here: Local) -> Result<Instant, Refusal> {
    typed::deadline(text, here).map_err(|error| bad(field, error))
}
