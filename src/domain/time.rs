//! Instants, and the reading and writing of local times.
//!
//! An instant is UTC milliseconds. Local times exist only at the edges: what people type and read is in a
//! house's zone, and a local time that does not exist or exists twice is refused, never guessed.

use std::fmt;
use std::ops::{Add, Sub};

use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, TimeZone, Utc};
use chrono_tz::Tz;
use serde::Serialize;

mod grid;
mod local;
mod millis;
#[cfg(test)]
mod model;
mod slot;
pub mod typed;

pub use grid::{Day, DayCells, Grid, SEGMENT_MINUTES_LEAST, Segment, date_of, day_number};
pub use local::Local;
pub use slot::{Slot, Wall, common, hull, joined, subtract};

/// A point in time: milliseconds since 1970 in UTC; read from RFC 3339 too.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Instant(i64);

/// A length of time in milliseconds, never negative; read from a typed one too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Span(i64);

/// The longest length of time that is understood when it is typed: a year.
const SPAN_TYPED_MAX: Span = Span::minutes(10 * 366 * 24 * 60);

impl Instant {
    /// From milliseconds since 1970 in UTC.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970 in UTC.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Moved by the same difference as another instant.
    #[must_use]
    pub const fn moved(self, from: Self, to: Self) -> Self {
        Self(self.0.saturating_add(to.0.saturating_sub(from.0)))
    }

    /// Moved by the same difference of wall time as another instant.
    #[must_use]
    pub fn moved_on_wall(self, (from, to): (Self, Self), zone: Tz) -> Self {
        let local = |at: Self| at.in_zone(zone).naive_local();
        local_at(local(self) + (local(to) - local(from)), zone)
    }

    /// Time since `earlier`; zero if that is not earlier.
    pub fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0).max(0))
    }

    /// The first multiple of a slot that is not before this.
    #[must_use]
    pub const fn round_up(self, slot: Span) -> Self {
        let slot = if slot.0 < 1 { 1 } else { slot.0 };
        let over = self.0.rem_euclid(slot);
        if over == 0 { self } else { Self(self.0.saturating_add(slot - over)) }
    }

    /// In a zone, to be formatted.
    pub fn in_zone(self, zone: Tz) -> DateTime<Tz> {
        DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or(DateTime::<Utc>::MAX_UTC).with_timezone(&zone)
    }

    /// As RFC 3339 with the zone's offset.
    pub fn rfc3339(self, zone: Tz) -> String {
        let format = if self.0 % 1000 == 0 { SecondsFormat::Secs } else { SecondsFormat::Millis };
        self.in_zone(zone).to_rfc3339_opts(format, true)
    }

    /// Formatted in a zone by a chrono pattern.
    pub fn format(self, zone: Tz, pattern: &str) -> String {
        self.in_zone(zone).format(pattern).to_string()
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.rfc3339(Tz::UTC))
    }
}

impl Add<Span> for Instant {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Instant {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Span {
    /// 24 hours.
    pub const DAY: Self = Self(86_400_000);

    /// Of milliseconds; what is below zero is nothing.
    pub const fn from_millis(millis: i64) -> Self {
        Self(if millis < 0 { 0 } else { millis })
    }

    /// Of minutes.
    pub const fn minutes(minutes: i64) -> Self {
        Self::from_millis(minutes.saturating_mul(60_000))
    }

    /// Of seconds.
    pub const fn seconds(seconds: i64) -> Self {
        Self::from_millis(seconds.saturating_mul(1000))
    }

    /// Milliseconds since 1970 in UTC.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }

    /// `self * parts / of`.
    #[must_use]
    pub const fn part(self, parts: i64, of: i64) -> Self {
        Self::from_millis(self.0.saturating_mul(parts) / of)
    }

    /// As a countdown, unlike any time of day: `41s`, `7m41s`, from an hour on `1h02m`. A begun second counts.
    pub fn clock(self) -> String {
        let seconds = self.0.saturating_add(999) / 1000;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match (hours, minutes) {
            (0, 0) => format!("{seconds}s"),
            (0, _) => format!("{minutes}m{seconds:02}s"),
            _ => format!("{hours}h{minutes:02}m"),
        }
    }

    /// Reads `500ms`, `90s`, `10m`, `2h`, `1d`, `2w`, several from the longest on (`2h30m`), or a bare number of minutes.
    ///
    /// # Errors
    /// Anything else; nothing, and more than ten years, each in its own words.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let text = text.trim();
        let wrong = || TimeError::Span(text.to_owned());
        let (mut rest, mut sum, mut longer) = (text, 0_i64, i64::MAX);
        loop {
            let split = |is_end: fn(char) -> bool, text: &str| text.find(is_end).unwrap_or(text.len());
            let (number, after) = rest.split_at(split(|letter| !letter.is_ascii_digit(), rest));
            let (unit, next) = after.split_at(split(|letter| letter.is_ascii_digit(), after));
            let millis = match unit.trim() {
                "ms" => 1,
                "s" => 1000,
                "" if rest == text => 60_000,
                "m" | "min" => 60_000,
                "h" => 3_600_000,
                "d" => Self::DAY.0,
                "w" => 7 * Self::DAY.0,
                _ => return Err(wrong()),
            };
            if number.is_empty() || millis >= longer {
                return Err(wrong());
            }
            // digits that are no number are too many
            let number: i64 = number.parse().unwrap_or(i64::MAX);
            sum = sum.saturating_add(number.saturating_mul(millis));
            (rest, longer) = (next, millis);
            if rest.is_empty() {
                break;
            }
        }
        match sum {
            0 => Err(TimeError::NoSpan(text.to_owned())),
            millis if millis > SPAN_TYPED_MAX.0 => Err(TimeError::LongSpan(text.to_owned())),
            millis => Ok(Self(millis)),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        match seconds {
            _ if self.0 % 1000 != 0 => write!(out, "{}ms", self.0),
            s if s % 3600 == 0 && s > 0 => write!(out, "{}h", s / 3600),
            s if s % 60 == 0 => write!(out, "{}m", s / 60),
            s => write!(out, "{s}s"),
        }
    }
}

/// The latest end of anything that is booked: the first instant of the year 2500 in UTC.
pub const LAST_BOOKABLE: Instant = Instant::from_millis(16_725_225_600_000);

/// Reads a time zone's name.
pub fn parse_zone(name: &str) -> Result<Tz, TimeError> {
    name.trim().parse().map_err(|_| TimeError::Zone(name.to_owned()))
}

/// Reads `2026-12-01T19:30` (local in `zone`), with or without seconds, or with an offset of its own
/// (`2026-12-01T19:30+01:00`, `...Z`). `2026-12-01T24:00` is the end of that day.
///
/// # Errors
/// Not a time; a local time in the gap of spring; one in the fold of autumn, with both offsets to choose from.
pub fn parse_local(text: &str, zone: Tz) -> Result<Instant, TimeError> {
    let text = text.trim();
    if let Some(at) = parse_offset(text) {
        return Ok(at);
    }
    let end_of_day = text.strip_suffix("24:00").map(|day| day.trim_end_matches(['T', ' ']));
    if let Some(next) = end_of_day.and_then(|day| parse_date(day).ok()?.succ_opt()) {
        return Ok(day_start(next, zone));
    }
    let local = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
        .iter()
        .find_map(|pattern| NaiveDateTime::parse_from_str(text, pattern).ok())
        .ok_or_else(|| TimeError::Time(text.to_owned()))?;
    resolve(local, zone)
}

/// Reads a time with an offset of its own.
fn parse_offset(text: &str) -> Option<Instant> {
    let utc = text.strip_suffix(['Z', 'z']).map_or_else(|| text.to_owned(), |bare| format!("{bare}+00:00"));
    let patterns = ["%Y-%m-%dT%H:%M:%S%.f%:z", "%Y-%m-%dT%H:%M%:z"];
    let at = patterns.iter().find_map(|pattern| DateTime::parse_from_str(&utc, pattern).ok())?;
    Some(Instant(at.timestamp_millis()))
}

/// The instant of a local time.
///
/// # Errors
/// The local time does not exist, or exists twice.
pub fn resolve(local: NaiveDateTime, zone: Tz) -> Result<Instant, TimeError> {
    match zone.from_local_datetime(&local) {
        LocalResult::Single(at) => Ok(Instant(at.timestamp_millis())),
        LocalResult::Ambiguous(first, second) => {
            Err(TimeError::Fold { local, first: first.to_rfc3339(), second: second.to_rfc3339() })
        }
        LocalResult::None => Err(TimeError::Gap { local, zone }),
    }
}

/// The instant of a local time that a clock on the wall shows: the first where it shows it twice, and where the
/// clocks go forward over it, when they have.
pub fn local_at(local: NaiveDateTime, zone: Tz) -> Instant {
    (0..8)
        .find_map(|half| {
            let later = local + chrono::TimeDelta::minutes(30 * half);
            zone.from_local_datetime(&later).earliest()
        })
        .map_or(Instant(i64::MAX), |at| Instant(at.timestamp_millis()))
}

/// Reads a date, `2026-12-01`.
pub fn parse_date(text: &str) -> Result<NaiveDate, TimeError> {
    NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").map_err(|_| TimeError::Date(text.to_owned()))
}

/// The first instant with a date in a zone (some days have no midnight); where a zone skipped the day, that of
/// the day after.
pub fn day_start(date: NaiveDate, zone: Tz) -> Instant {
    let first = |date: NaiveDate| {
        (0..24 * 4)
            .filter_map(|quarter| NaiveTime::from_num_seconds_from_midnight_opt(quarter * 900, 0))
            .find_map(|time| zone.from_local_datetime(&date.and_time(time)).earliest())
    };
    first(date).or_else(|| first(date.succ_opt()?)).map_or(Instant(i64::MAX), |at| Instant(at.timestamp_millis()))
}

/// Errors of a typed time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("{0:?} is not a time; write it like fri 19:30, 27 nov, +3h or 2026-12-01T19:30")]
    Time(String),
    #[error("{0:?} is not a date; write it like fri, 27 nov, +2w or 2026-12-01")]
    Date(String),
    #[error("{0:?} is no date with a time; write it like 2026-12-01 19:30")]
    Whole(String),
    /// Date that is no such weekday as was typed with it.
    #[error("{} is a {}; leave the weekday out, or write another date", .0.format("%-d %b %Y"), .0.format("%A"))]
    Weekday(NaiveDate),
    #[error("{0:?} is not a length of time; write it like 90s, 10m or 2h")]
    Span(String),
    #[error("{0:?} is no time at all; write it like 90s, 10m or 2h")]
    NoSpan(String),
    #[error("{0:?} is more than ten years; write at most 3660d")]
    LongSpan(String),
    #[error("it ends when it starts; give it at least a minute")]
    EmptySlot,
    #[error("it ends before it starts; give a later end")]
    Backwards,
    #[error("{0:?} are no opening hours; write them like 08:00-23:00, or 18:00-02:00 past midnight")]
    Hours(String),
    #[error("a day cannot be cut into {0} minutes; use 5, 10, 15, 20, 30, 45, 60, 90, 120, 240 or 1440")]
    Segment(u32),
    #[error("there is no time zone {0:?}; use a name like Europe/London")]
    Zone(String),
    #[error("{local} does not exist in {zone}: the clocks go forward over it; choose another time")]
    Gap { local: NaiveDateTime, zone: Tz },
    #[error("{local} comes twice that night; write {first} or {second}")]
    Fold { local: NaiveDateTime, first: String, second: String },
}

#[cfg(test)]
mod tests {
    use chrono_tz::{Africa, Europe};

    use super::{Instant, Span, TimeError, day_start, parse_date, parse_local};

    #[test]
    fn local_times_are_read_in_the_zone() {
        let at = parse_local("2026-12-01T19:30", Europe::London).unwrap();
        assert_eq!(at.rfc3339(Europe::London), "2026-12-01T19:30:00Z");
        assert_eq!(parse_local("2026-12-01T20:30+01:00", Europe::London), Ok(at));
        assert_eq!(parse_local("2026-12-01T19:30:00Z", Europe::Berlin), Ok(at));
    }

    #[test]
    fn a_time_that_is_not_there_or_there_twice_is_refused() {
        assert!(matches!(parse_local("2026-03-29T02:30", Europe::Berlin), Err(TimeError::Gap { .. })));
        let Err(TimeError::Fold { first, second, .. }) = parse_local("2026-10-25T02:30", Europe::Berlin) else {
            panic!("not refused")
        };
        assert_ne!(parse_local(&first, Europe::Berlin), parse_local(&second, Europe::Berlin));
        assert!(matches!(parse_local("tomorrow", Europe::Berlin), Err(TimeError::Time(_))));
    }

    #[test]
    fn a_day_without_midnight_starts_when_it_starts() {
        let day = parse_date("2026-04-24").unwrap();
        assert_eq!(day_start(day, Africa::Cairo).rfc3339(Africa::Cairo), "2026-04-24T01:00:00+03:00");
    }

    #[test]
    fn spans_read_and_count_down() {
        assert_eq!(Span::parse("10m"), Ok(Span::minutes(10)));
        assert_eq!(Span::parse("2h30m"), Ok(Span::minutes(150)));
        assert_eq!(Span::parse("1d 2h 5 min"), Ok(Span::minutes(1565)));
        assert_eq!(Span::parse("90s").unwrap().to_string(), "90s");
        assert!(Span::parse("0m").is_err() && Span::parse("-1m").is_err() && Span::parse("soon").is_err());
        for (text, why) in [
            ("0m", "no time at all"),
            ("999999h", "ten years"),
            ("9999999999999999999999m", "ten years"),
            ("3660d1h", "ten years"),
            ("h", "like"),
            ("-1m", "like"),
            ("30m2h", "like"),
            ("2h2h", "like"),
            ("2h30", "like"),
            ("2hm", "like"),
        ] {
            assert!(Span::parse(text).unwrap_err().to_string().contains(why), "{text}");
        }
        assert_eq!(Span::from_millis(461_000).clock(), "7m41s");
        assert_eq!(Span::from_millis(1).clock(), "1s");
        assert_eq!(Instant::from_millis(5).since(Instant::from_millis(9)), Span::default());
    }
}
