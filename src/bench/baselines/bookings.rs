//! Load of `bench calendar`: bookings, queries and answers, alike for the desk and its baselines.

use crate::domain::time::Instant;
use crate::engine::Failure;

pub(in crate::bench) const SEGMENT: u32 = 15;

const DAY: i64 = 24 * 60;

/// Length of the free time searched for, in minutes.
const ALONE: i64 = 120;

/// Resources in the month query.
pub(in crate::bench) const MONTH_OF: usize = 100;

/// Commands in flight at once.
pub(in crate::bench) const IN_FLIGHT: usize = 200;

/// A stretch of time of a resource, in minutes since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bench) struct Stretch {
    pub(in crate::bench) resource: u32,
    pub(in crate::bench) from: i64,
    pub(in crate::bench) until: i64,
}

/// Another way to store the bookings of a calendar.
pub(super) trait CalendarBaseline {
    /// Books the free ones of these slots in order, in one durable transaction; gives their number.
    fn book(&mut self, wanted: &[Stretch]) -> Result<usize, Failure>;

    /// The bookings of the resources below a number in a window, by resource and time.
    fn taken(&mut self, below: u32, window: (i64, i64)) -> Result<Vec<Stretch>, Failure>;

    /// The size of all tables and indexes in bytes.
    fn size(&mut self) -> Result<i64, Failure>;
}

/// Windows of the queries, in minutes since 1970.
#[derive(Clone, Copy, Debug)]
pub(in crate::bench) struct Asked {
    pub(in crate::bench) resources: u32,
    pub(in crate::bench) month: (i64, i64),
    /// Day searched for two free hours.
    pub(in crate::bench) day: (i64, i64),
    pub(in crate::bench) length: i64,
}

impl Asked {
    /// Windows in a year that starts then.
    pub(in crate::bench) const fn of(resources: u32, start: Instant) -> Self {
        let minute = start.millis() / 60_000;
        Self { resources, month: (minute, minute + 30 * DAY), day: (minute + 8 * 60, minute + 18 * 60), length: ALONE }
    }

    /// Blocks of thirty days, beyond the year.
    pub(in crate::bench) fn blocks(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let first = self.month.0 + 431 * DAY;
        (0..).map(move |number| first + number * 31 * DAY).map(|from| (from, from + 30 * DAY))
    }
}

/// Answers of the desk, which the baselines must repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bench) struct Answers {
    pub(in crate::bench) booked: usize,
    pub(in crate::bench) month: usize,
    pub(in crate::bench) free: usize,
}
