//! The zones that times of a file are in: by name, by Windows's name, or as the file itself describes them.

use std::collections::HashMap;
use std::rc::Rc;

use chrono::{Datelike, NaiveDateTime, TimeDelta};
use chrono_tz::Tz;

use crate::domain::recurrence::{LocalSlot, Repeat, Window};
use crate::domain::time::{Instant, LAST_BOOKABLE, Slot, TimeError, local_at, resolve};

use super::lines::Component;
use super::values::{Written, offset, written};
use super::windows;

#[derive(Clone, Debug)]
pub(super) enum Zone {
    Named(Tz),
    /// One that only the file knows, or an offset.
    Own(Rc<OwnZone>),
    /// A known name, and what the file says of it, which holds where both differ.
    Described(Rc<OwnZone>, Tz),
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

/// Year from which all clocks run by offsets of whole minutes.
const WHOLE_MINUTES: i32 = 1973;

/// The zones of a file by the names that it gives them.
pub(super) struct Zones(HashMap<String, Zone>);

impl Zones {
    /// Reads the time zones that a file describes.
    pub(super) fn of(file: &Component) -> Self {
        let described = file.parts("VTIMEZONE").filter_map(|part| {
            let name = part.line("TZID")?.value.trim().to_owned();
            let said = part.line("X-LIC-LOCATION").map(|line| line.value.as_str());
            let zone = match (OwnZone::of(part), known(&name).or_else(|| known(said?))) {
                (Some(own), Some(known)) => Zone::Described(Rc::new(own), known),
                (Some(own), None) => Zone::Own(Rc::new(own)),
                (None, known) => Zone::Named(known?),
            };
            Some((name, zone))
        });
        Self(described.collect())
    }

    /// The zone of a name; `None` when nobody knows it.
    pub(super) fn named(&self, name: &str) -> Option<Zone> {
        let name = name.trim();
        let said = self.0.get(name).cloned();
        said.or_else(|| known(name).map(Zone::Named)).or_else(|| {
            let seconds = written_offset(name)?;
            let always = Observance { start: NaiveDateTime::MIN, before: seconds, offset: seconds, onsets: Vec::new() };
            Some(Zone::Own(Rc::new(OwnZone(vec![always]))))
        })
    }
}

/// A zone by its usual name, by that name at the end of a path, by Windows's name, or as Windows shows it to people.
fn known(name: &str) -> Option<Tz> {
    let name = name.trim().trim_matches('"');
    let ends = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    std::iter::once(name)
        .chain(ends)
        .filter(|end| !end.is_empty())
        .find_map(|end| windows::zone(end).or_else(|| end.parse().ok()))
        .or_else(|| shown_by_windows(name))
}

/// `(UTC-05:00) Eastern Time (US & Canada)`, `(UTC+01:00) Amsterdam, Berlin, Rome`.
fn shown_by_windows(name: &str) -> Option<Tz> {
    let (offset, words) = name.strip_prefix('(')?.split_once(')')?;
    let seconds = written_offset(offset)?;
    let windows = words.trim().replace(" Time (US & Canada)", " Standard Time");
    let cities = words.split(',').map(|city| format!("/{}", city.trim().replace(' ', "_")));
    let mut cities = cities.filter_map(|end| chrono_tz::TZ_VARIANTS.iter().find(|zone| zone.name().ends_with(&end)));
    let zone = windows::zone(&windows).or_else(|| cities.next().copied())?;
    // its winter is that of one of the two hemispheres
    let winters = ["2030-01-15T12:00:00", "2030-07-15T12:00:00"].map(|at| at.parse::<NaiveDateTime>().ok());
    let mut winters = winters.into_iter().flatten();
    winters.any(|at| local_at(at, zone) == utc(at, seconds)).then_some(zone)
}

/// Seconds of an offset that stands for a zone: `UTC+01`, `GMT-05:30`, `+0200`.
fn written_offset(name: &str) -> Option<i32> {
    let name = name.trim().to_uppercase();
    let bare = ["UTC", "GMT"].iter().find_map(|zone| name.strip_prefix(zone)).unwrap_or(&name).trim();
    let (sign, digits) = bare.split_at_checked(1)?;
    let (hours, minutes) = digits.split_once(':').or_else(|| digits.split_at_checked(2)).unwrap_or((digits, ""));
    if hours.is_empty() { None } else { offset(&format!("{sign}{hours:0>2}{minutes:0>2}")) }
}

impl Zone {
    /// The instant that its wall shows; the first where it shows it twice.
    pub(super) fn instant(&self, local: NaiveDateTime) -> Result<Instant, TimeError> {
        match self.at(local) {
            Ok(zone) => match resolve(local, zone) {
                Err(TimeError::Fold { .. }) => Ok(local_at(local, zone)),
                other => other,
            },
            Err(own) => Ok(own.instant(local)),
        }
    }

    /// The slot from one local time until another.
    pub(super) fn slot(&self, from: NaiveDateTime, until: NaiveDateTime) -> Result<Slot, TimeError> {
        match self.at(from) {
            Ok(zone) => LocalSlot::Times(from, until).slot(zone),
            Err(own) => Slot::new(own.instant(from), own.instant(until)),
        }
    }

    pub(super) fn wall(&self, at: Instant) -> NaiveDateTime {
        let shown = |zone: Tz| at.in_zone(zone).naive_local();
        match self {
            Self::Named(zone) => shown(*zone),
            Self::Own(own) => own.wall(at),
            Self::Described(own, zone) => self.at(shown(*zone)).map_or_else(|_| own.wall(at), shown),
        }
    }

    /// The zone that holds at a local time: a known one, or what the file says.
    fn at(&self, local: NaiveDateTime) -> Result<Tz, &OwnZone> {
        match self {
            Self::Named(zone) => Ok(*zone),
            Self::Described(own, zone) if !own.contradicts(local, *zone) => Ok(*zone),
            Self::Own(own) | Self::Described(own, _) => Err(own),
        }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(one), Self::Named(other)) => one == other,
            (Self::Own(one) | Self::Described(one, _), Self::Own(other) | Self::Described(other, _)) => {
                Rc::ptr_eq(one, other)
            }
            _ => false,
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

    /// Returns whether it says another offset than a known zone has around a local time.
    fn contradicts(&self, local: NaiveDateTime, zone: Tz) -> bool {
        let differs = |days: i64| {
            let near = local.checked_add_signed(TimeDelta::days(days)).unwrap_or(local);
            self.instant(near) != local_at(near, zone)
        };
        // near a change the two may spell it differently
        self.speaks_of(local) && differs(-1) && differs(1)
    }

    /// Returns whether a local time lies between its changes: one that lists those of a few years alone says nothing of
    /// later ones.
    fn speaks_of(&self, local: NaiveDateTime) -> bool {
        let is_one = self.0.iter().all(|one| self.0.first().is_some_and(|first| first.offset == one.offset));
        let changes = || self.0.iter().flat_map(|one| [one.onsets.first(), one.onsets.last()]).flatten();
        is_one || (changes().any(|at| *at <= local) && changes().any(|at| *at > local))
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
        let (before, offset) = (offset(line("TZOFFSETFROM")?)?, offset(line("TZOFFSETTO")?)?);
        // no country has kept a time with odd seconds for long: such a description is broken, and the name holds
        let is_odd = offset % 60 != 0 && start.year() >= WHOLE_MINUTES;
        (!is_odd).then_some(Self { start, before, offset, onsets })
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
