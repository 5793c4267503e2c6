//! The zones that times of a file are in: by name, by Windows's name, or as the file itself describes them.

use std::collections::HashMap;
use std::rc::Rc;

use chrono::{NaiveDateTime, TimeDelta};
use chrono_tz::Tz;

use crate::domain::recurrence::{Repeat, Window};
use crate::domain::time::{Instant, LAST_BOOKABLE, TimeError, local_at, resolve};

use super::lines::Component;
use super::values::{Written, offset, unescaped, written};
use super::windows;

#[derive(Clone, Debug)]
pub(super) enum Zone {
    Named(Tz),
    /// One that only the file knows.
    Own(Rc<OwnZone>),
}

/// A zone as a file describes it: offsets, and from when each holds.
#[derive(Debug)]
pub(super) struct OwnZone(Vec<Observance>);

#[derive(Debug)]
struct Observance {
    start: NaiveDateTime,
    /// Seconds east of UTC, before and from its start on.
    before: i32,
    offset: i32,
    /// Each local time from which it holds, in order, expanded once.
    onsets: Vec<NaiveDateTime>,
}

/// The zones of a file by the names that it gives them.
pub(super) struct Zones(HashMap<String, Zone>);

impl Zones {
    /// Reads the time zones that a file describes.
    pub(super) fn of(file: &Component) -> Self {
        let described = file.parts("VTIMEZONE").filter_map(|part| {
            // a value is escaped, and the parameter that names it is not
            let name = unescaped(part.line("TZID")?.value.trim());
            let said = part.line("X-LIC-LOCATION").map(|line| line.value.as_str());
            let zone = known(&name)
                .or_else(|| known(said?))
                .map(Zone::Named)
                .or_else(|| OwnZone::of(part).map(|own| Zone::Own(Rc::new(own))))?;
            Some((name, zone))
        });
        Self(described.collect())
    }

    /// The zone of a name; `None` when nobody knows it.
    pub(super) fn named(&self, name: &str) -> Option<Zone> {
        let name = unescaped(name.trim());
        let said = self.0.get(&name).cloned();
        said.or_else(|| known(&name).map(Zone::Named))
    }
}

/// A zone by its usual name, by that name at the end of a path, or by Windows's name.
fn known(name: &str) -> Option<Tz> {
    let name = name.trim().trim_matches('"');
    let ends = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    std::iter::once(name)
        .chain(ends)
        .filter(|end| !end.is_empty())
        .find_map(|end| windows::zone(end).or_else(|| end.parse().ok()))
}

impl Zone {
    /// The instant that its wall shows; the first where it shows it twice.
    pub(super) fn instant(&self, local: NaiveDateTime) -> Result<Instant, TimeError> {
        match self {
            Self::Named(zone) => match resolve(local, *zone) {
                Err(TimeError::Fold { .. }) => Ok(local_at(local, *zone)),
                other => other,
            },
            Self::Own(own) => Ok(own.instant(local)),
        }
    }

    pub(super) fn wall(&self, at: Instant) -> NaiveDateTime {
        match self {
            Self::Named(zone) => at.in_zone(*zone).naive_local(),
            Self::Own(own) => own.wall(at),
        }
    }
}

impl OwnZone {
    fn of(part: &Component) -> Option<Self> {
        let observances: Vec<Observance> = part.parts.iter().filter_map(Observance::of).collect();
        (!observances.is_empty()).then_some(Self(observances))
    }

    fn instant(&self, local: NaiveDateTime) -> Instant {
        utc(local, self.offset(local))
    }

    /// The offset of the observance that began last.
    fn offset(&self, local: NaiveDateTime) -> i32 {
        let begun = self.0.iter().filter_map(|one| Some((one.last_start(local)?, one.offset)));
        let first = || self.0.iter().min_by_key(|one| one.start).map(|one| one.before);
        begun.max_by_key(|(start, _)| *start).map(|(_, offset)| offset).or_else(first).unwrap_or(0)
    }

    fn wall(&self, at: Instant) -> NaiveDateTime {
        let shown = |offset: i32| at.in_zone(Tz::UTC).naive_utc() + TimeDelta::seconds(i64::from(offset));
        let offsets = self.0.iter().flat_map(|one| [one.offset, one.before]);
        offsets.map(shown).find(|local| self.instant(*local) == at).unwrap_or_else(|| shown(0))
    }
}

impl Observance {
    fn of(part: &Component) -> Option<Self> {
        let line = |name: &str| part.line(name).map(|line| line.value.as_str());
        let others = part.all("RDATE").flat_map(|line| line.value.split(','));
        let start = local(line("DTSTART")?)?;
        let repeat = line("RRULE").and_then(|rule| Repeat::parse(rule).ok());
        let wall = |at: Instant| at.in_zone(Tz::UTC).naive_utc();
        let bookable = Window { from: None, until: Some(LAST_BOOKABLE) };
        let repeated = repeat.map(|repeat| repeat.starts(start, wall, bookable));
        let mut onsets = repeated.and_then(Result::ok).unwrap_or_default();
        onsets.extend(others.filter_map(local).chain([start]));
        onsets.sort_unstable();
        Some(Self { start, before: offset(line("TZOFFSETFROM")?)?, offset: offset(line("TZOFFSETTO")?)?, onsets })
    }

    /// The last onset up to a local time.
    fn last_start(&self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let begun = self.onsets.partition_point(|onset| *onset <= local);
        self.onsets.get(begun.checked_sub(1)?).copied()
    }
}

fn local(text: &str) -> Option<NaiveDateTime> {
    match written(text)? {
        Written::Local(at) | Written::Utc(at) => Some(at),
        Written::Date(_) => None,
    }
}

fn utc(local: NaiveDateTime, offset: i32) -> Instant {
    Instant::from_millis(local.and_utc().timestamp_millis() - i64::from(offset) * 1000)
}
