//! Stretches of time, `[from, until)`, never empty.
//!
//! Import cycle with `grid`: a grid divides slots, and a slot is shown on a grid.

use std::cmp::Ordering;

use chrono::{DateTime, LocalResult, TimeZone};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::time::{Grid, Instant, Local, Span, TimeError, day_start};

/// A stretch of time, `[from, until)`, never empty. Slots that only touch do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Bounds")]
pub struct Slot {
    from: Instant,
    until: Instant,
}

/// Bounds as read, in any order.
#[derive(Deserialize)]
struct Bounds {
    from: Instant,
    until: Instant,
}

impl TryFrom<Bounds> for Slot {
    type Error = TimeError;

    fn try_from(bounds: Bounds) -> Result<Self, TimeError> {
        Self::new(bounds.from, bounds.until)
    }
}

/// The wall that time is told by: a zone, and whether whole days are nights there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Wall {
    pub zone: Tz,
    /// True if whole days are worded from arrival to departure.
    pub nights: bool,
}

impl From<Tz> for Wall {
    fn from(zone: Tz) -> Self {
        let nights = false;
        Self { zone, nights }
    }
}

impl From<Grid> for Wall {
    fn from(grid: Grid) -> Self {
        Self { zone: grid.zone, nights: grid.segment.is_day() }
    }
}

impl Slot {
    /// A slot from its bounds.
    pub fn new(from: Instant, until: Instant) -> Result<Self, TimeError> {
        match from.cmp(&until) {
            Ordering::Less => Ok(Self { from, until }),
            Ordering::Equal => Err(TimeError::EmptySlot),
            Ordering::Greater => Err(TimeError::Backwards),
        }
    }

    /// First instant.
    pub const fn from(&self) -> Instant {
        self.from
    }

    /// The first instant after it.
    pub const fn until(&self) -> Instant {
        self.until
    }

    /// Length.
    pub fn span(&self) -> Span {
        self.until.since(self.from)
    }

    /// Returns whether an instant lies in it.
    pub fn has(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }

    /// Returns whether all of another lies in it.
    pub fn covers(&self, other: &Self) -> bool {
        self.from <= other.from && other.until <= self.until
    }

    /// Returns whether they have an instant in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.from < other.until && other.from < self.until
    }

    /// In words of a wall: `Sat 21 Nov 09:00-12:00`, over midnight `Sat 21 Nov 22:00 - Sun 22 Nov 02:00`, a whole day
    /// `Sat 21 Nov`, more of them `Sat 21 Nov - Sun 22 Nov, 2 days`; where whole days are nights, with the days of
    /// arrival and departure `2 nights in Sat 21 Nov out Mon 23 Nov`. Days of another year than the present have it.
    pub fn words(&self, wall: impl Into<Wall>, now: Instant) -> String {
        let wall = wall.into();
        let here = Local { now, zone: wall.zone };
        self.told(wall, |at| here.date(at.date_naive()))
    }

    /// Formats with the year, where any year is possible: `Sat 21 Nov 2026 09:00-12:00`.
    pub fn dated(&self, wall: impl Into<Wall>) -> String {
        self.told(wall.into(), |at| at.format("%a %-d %b %Y").to_string())
    }

    fn told(&self, Wall { zone, nights }: Wall, date: impl Fn(&DateTime<Tz>) -> String) -> String {
        let (from, until) = (self.from.in_zone(zone), self.until.in_zone(zone));
        let last = (self.until - Span::from_millis(1)).in_zone(zone);
        let (first_day, end_day) = (from.date_naive(), until.date_naive());
        let day = date(&from);
        if day_start(first_day, zone) == self.from && day_start(end_day, zone) == self.until {
            let count = end_day.signed_duration_since(first_day).num_days();
            return if nights {
                let s = if count == 1 { "" } else { "s" };
                format!("{count} night{s} in {day} out {}", date(&until))
            } else if first_day == last.date_naive() {
                day
            } else {
                format!("{day} - {}, {count} days", date(&last))
            };
        }
        let begins = time_of_day(&from);
        if first_day == last.date_naive() {
            let end = if end_day == last.date_naive() { time_of_day(&until) } else { "24:00".to_owned() };
            format!("{day} {begins}-{end}")
        } else {
            let ends = time_of_day(&until);
            format!("{day} {begins} - {} {ends}", date(&until))
        }
    }

    /// The intersection.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        Self::new(self.from.max(other.from), self.until.min(other.until)).ok()
    }

    /// The parts of `self` before and after another slot.
    pub fn without(&self, other: &Self) -> impl Iterator<Item = Self> + use<> {
        let before = Self::new(self.from, self.until.min(other.from)).ok();
        let after = Self::new(self.from.max(other.until), self.until).ok();
        before.into_iter().chain(after)
    }
}

/// A time of day, with its offset where the clock shows it twice: `01:45+01:00`.
fn time_of_day(at: &DateTime<Tz>) -> String {
    let twice = at.timezone().from_local_datetime(&at.naive_local());
    let pattern = match twice {
        LocalResult::Ambiguous(..) => "%H:%M%:z",
        LocalResult::Single(_) | LocalResult::None => "%H:%M",
    };
    at.format(pattern).to_string()
}

/// The slots without the others, sorted.
pub fn subtract(slots: &[Slot], others: &[Slot]) -> Vec<Slot> {
    let mut left = slots.to_vec();
    for other in others {
        left = left.iter().flat_map(|slot| slot.without(other)).collect();
    }
    left.sort_unstable();
    left
}

/// Merges touching and overlapping slots, sorted.
pub fn joined(mut slots: Vec<Slot>) -> Vec<Slot> {
    slots.sort_unstable();
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    for slot in slots {
        match out.last_mut() {
            Some(last) if slot.from <= last.until => last.until = last.until.max(slot.until),
            _ => out.push(slot),
        }
    }
    out
}

/// From the first instant of some slots to the last; `None` when there are none.
pub fn hull(slots: &[Slot]) -> Option<Slot> {
    let from = slots.iter().map(|slot| slot.from).min()?;
    let until = slots.iter().map(|slot| slot.until).max()?;
    Slot::new(from, until).ok()
}

/// The intersection of two sorted lists of slots.
pub fn common(left: &[Slot], right: &[Slot]) -> Vec<Slot> {
    let (mut a, mut b) = (left.iter().peekable(), right.iter().peekable());
    let mut out = Vec::new();
    while let (Some(one), Some(two)) = (a.peek(), b.peek()) {
        out.extend(one.meet(two));
        if one.until <= two.until {
            a.next();
        } else {
            b.next();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(from: &str, until: &str) -> Slot {
        let at = |text: &str| {
            let at = DateTime::parse_from_rfc3339(text).unwrap();
            Instant::from_millis(at.timestamp_millis())
        };
        Slot::new(at(from), at(until)).unwrap()
    }

    fn words(from: &str, until: &str) -> String {
        let told = slot(from, until);
        told.words(Tz::Europe__Berlin, told.from())
    }

    #[test]
    fn nights_are_told_with_arrival_and_departure_and_other_whole_days_with_the_last() {
        let bounds = ("2026-01-01T00:00:00+01:00", "2026-02-05T00:00:00+01:00");
        let nights = Wall { nights: true, ..Tz::Europe__Berlin.into() };
        let stay = slot(bounds.0, bounds.1);
        assert_eq!(stay.words(nights, stay.from()), "35 nights in Thu 1 Jan out Thu 5 Feb");
        assert_eq!(stay.words(nights, stay.from() - Span::DAY), "35 nights in Thu 1 Jan 2026 out Thu 5 Feb 2026");
        let told = words(bounds.0, bounds.1);
        assert_eq!(told, "Thu 1 Jan - Wed 4 Feb, 35 days");
        let one = words("2026-01-01T00:00:00+01:00", "2026-01-02T00:00:00+01:00");
        assert_eq!(one, "Thu 1 Jan");
        let one = slot("2026-01-01T00:00:00+01:00", "2026-01-02T00:00:00+01:00");
        assert_eq!(one.words(nights, one.from()), "1 night in Thu 1 Jan out Fri 2 Jan");
    }

    #[test]
    fn a_time_that_the_clock_shows_twice_is_told_with_its_offset() {
        let told = words("2026-10-25T02:45:00+02:00", "2026-10-25T02:30:00+01:00");
        assert_eq!(told, "Sun 25 Oct 02:45+02:00-02:30+01:00");
        let after = words("2026-10-25T01:30:00+02:00", "2026-10-25T03:00:00+01:00");
        assert_eq!(after, "Sun 25 Oct 01:30-03:00");
    }
}
