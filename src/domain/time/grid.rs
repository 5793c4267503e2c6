//! The grid that a resource's time is cut by: local days, and segments counted from each day's first instant.
//!
//! A day starts at the first instant with its date and ends where the next starts, so it has 23, 24 or 25
//! hours, or others; its last segment ends with it. A segment of one day is the whole local day, and a stay
//! on such a grid takes dates: arrival included, departure not.

use chrono::{Datelike, Days, NaiveDate};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::time::{Instant, Slot, Span, TimeError, day_start};

/// The shortest segment, in minutes.
pub const SEGMENT_MINUTES_LEAST: u32 = 5;

const DAY_MINUTES: u32 = 24 * 60;

/// A resource's unit of time, in minutes: 24 hours are a whole number of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Segment(u32);

impl TryFrom<u32> for Segment {
    type Error = TimeError;

    fn try_from(minutes: u32) -> Result<Self, TimeError> {
        Self::of_minutes(minutes)
    }
}

impl From<Segment> for u32 {
    fn from(segment: Segment) -> Self {
        segment.0
    }
}

impl Segment {
    /// The whole local day: a night.
    pub const DAY: Self = Self(DAY_MINUTES);

    /// The shortest.
    pub const LEAST: Self = Self(SEGMENT_MINUTES_LEAST);

    /// Of minutes.
    ///
    /// # Errors
    /// Shorter than [`SEGMENT_MINUTES_LEAST`], or 24 hours are no whole number of it.
    pub fn of_minutes(minutes: u32) -> Result<Self, TimeError> {
        if minutes >= SEGMENT_MINUTES_LEAST && DAY_MINUTES.is_multiple_of(minutes) {
            Ok(Self(minutes))
        } else {
            Err(TimeError::Segment(minutes))
        }
    }

    /// In minutes.
    pub const fn minutes(self) -> u32 {
        self.0
    }

    /// Returns whether it is the whole local day.
    pub fn is_day(self) -> bool {
        self == Self::DAY
    }

    fn millis(self) -> i64 {
        i64::from(self.0) * 60_000
    }
}

/// Local days of a zone, cut into segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grid {
    pub zone: Tz,
    pub segment: Segment,
}

/// A local day on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub date: NaiveDate,
    pub start: Instant,
    /// The first instant of the next day.
    pub end: Instant,
    pub cells: u32,
    segment: Segment,
}

/// Neighbouring segments of one day, `from..=to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayCells {
    pub date: NaiveDate,
    pub from: u32,
    /// The last, inclusive.
    pub to: u32,
}

/// The number of a day as chunks have it: 20261231.
pub fn day_number(date: NaiveDate) -> u32 {
    u32::try_from(date.year()).unwrap_or(0) * 10_000 + date.month() * 100 + date.day()
}

/// The date of a chunk's number; `None` when the number is not a day's.
pub fn date_of(number: u32) -> Option<NaiveDate> {
    let year = i32::try_from(number / 10_000).ok().filter(|year| *year >= 1000)?;
    NaiveDate::from_ymd_opt(year, number / 100 % 100, number % 100)
}

impl Day {
    /// The segment that an instant of the day lies in.
    pub fn cell_at(&self, at: Instant) -> u32 {
        if self.segment.is_day() {
            return 0;
        }
        let cell = at.since(self.start).millis() / self.segment.millis();
        u32::try_from(cell).unwrap_or(u32::MAX).min(self.cells.saturating_sub(1))
    }

    /// The first instant of a segment; of one past the last, the day's end.
    pub fn cell_start(&self, cell: u32) -> Instant {
        if cell >= self.cells {
            return self.end;
        }
        self.start + Span::from_millis(i64::from(cell) * self.segment.millis())
    }
}

impl Grid {
    /// The day with a date.
    pub fn day(&self, date: NaiveDate) -> Day {
        let start = day_start(date, self.zone);
        let end = date.succ_opt().map_or(start, |next| day_start(next, self.zone));
        let length = end.since(start).millis();
        let cells = if self.segment.is_day() {
            i64::from(length > 0)
        } else {
            (length + self.segment.millis() - 1) / self.segment.millis()
        };
        Day { date, start, end, cells: u32::try_from(cells).unwrap_or(0), segment: self.segment }
    }

    /// The day that an instant lies in.
    pub fn day_at(&self, at: Instant) -> Day {
        let day = self.day(at.in_zone(self.zone).date_naive());
        // where clocks go back over midnight, a date's first instants come before its day does
        if at >= day.end {
            day.date.succ_opt().map_or(day, |next| self.day(next))
        } else if at < day.start {
            day.date.pred_opt().map_or(day, |before| self.day(before))
        } else {
            day
        }
    }

    /// The days that a slot lies in, in order.
    pub fn days(&self, slot: Slot) -> impl Iterator<Item = Day> + use<> {
        let grid = *self;
        let first = self.day_at(slot.from());
        std::iter::successors(Some(first), move |day| {
            let next = day.date.succ_opt()?;
            (day.end < slot.until()).then(|| grid.day(next))
        })
        .filter(|day| day.cells > 0)
    }

    /// The slot on the grid that holds a wanted one: its start floored, its end ceiled to a segment's border.
    /// On a grid of days a stay takes dates: from the day of arrival to before the day of departure.
    pub fn normalise(&self, wanted: Slot) -> Slot {
        let first = self.day_at(wanted.from());
        let from = first.cell_start(first.cell_at(wanted.from()));
        let until = if self.segment.is_day() {
            self.day_at(wanted.until()).start.max(first.end)
        } else {
            let last = self.day_at(wanted.until() - Span::from_millis(1));
            let cell = last.cell_at(wanted.until() - Span::from_millis(1));
            last.cell_start(cell + 1)
        };
        Slot::new(from, until).unwrap_or(wanted)
    }

    /// The whole segments inside a slot: its start ceiled, its end floored to a segment's border; `None` when there are
    /// none. On a grid of days a slot takes dates, as in [`Self::normalise`].
    pub fn inside(&self, named: Slot) -> Option<Slot> {
        let from = if self.segment.is_day() { self.border_until(named.from()) } else { self.border_from(named.from()) };
        Slot::new(from, self.border_until(named.until())).ok()
    }

    /// The slot from a border on that is as long as another: as many nights, or as many minutes.
    pub fn like(&self, like: Slot, from: Instant) -> Option<Slot> {
        let until = if self.segment.is_day() {
            let nights = u64::try_from(self.days(like).count()).ok()?;
            day_start(self.day_at(from).date + Days::new(nights), self.zone)
        } else {
            from + like.span()
        };
        Some(self.normalise(Slot::new(from, until).ok()?))
    }

    /// The last border of a segment up to an instant.
    pub fn border_until(&self, at: Instant) -> Instant {
        let day = self.day_at(at);
        day.cell_start(day.cell_at(at))
    }

    /// The first border of a segment from an instant on.
    pub fn border_from(&self, at: Instant) -> Instant {
        let border = self.border_until(at);
        if border == at {
            return at;
        }
        let day = self.day_at(at);
        day.cell_start(day.cell_at(at) + 1)
    }

    /// The segments of each day that a slot touches, in order.
    pub fn split(&self, slot: Slot) -> Vec<DayCells> {
        self.days(slot)
            .map(|day| DayCells {
                date: day.date,
                from: day.cell_at(slot.from().max(day.start)),
                to: day.cell_at(slot.until().min(day.end) - Span::from_millis(1)),
            })
            .collect()
    }

    /// Counts the segments that a slot touches.
    pub fn segments(&self, slot: Slot) -> u32 {
        self.split(slot).iter().map(|cells| cells.to - cells.from + 1).sum()
    }

    /// The slot of neighbouring segments of a day.
    pub fn slot_of(&self, cells: DayCells) -> Result<Slot, TimeError> {
        let day = self.day(cells.date);
        Slot::new(day.cell_start(cells.from), day.cell_start(cells.to + 1))
    }
}
