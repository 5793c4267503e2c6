//! Load of the calendar: bookings, queries and answers, alike for the desk and its baselines.

use willcall::Failure;
use willcall::domain::time::Instant;

pub(crate) const SEGMENT: u32 = 15;

const DAY: i64 = 24 * 60;

/// Length of the free time searched for, in minutes.
const ALONE: i64 = 120;

/// Resources in the month query.
pub(crate) const MONTH_OF: usize = 100;

/// Commands in flight at once.
pub(crate) const IN_FLIGHT: usize = 200;

/// A stretch of time of a resource, in minutes since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stretch {
    pub(crate) resource: u32,
    pub(crate) from: i64,
    pub(crate) until: i64,
}

/// Another way to store the bookings of a calendar.
pub(crate) trait CalendarBaseline {
    /// Books the free ones of these slots in order, in one durable transaction; gives their number.
    fn book(&mut self, wanted: &[Stretch]) -> Result<usize, Failure>;

    /// The bookings of the resources below a number in a window, by resource and time.
    fn taken(&mut self, below: u32, window: (i64, i64)) -> Result<Vec<Stretch>, Failure>;

    /// The size of all tables and indexes in bytes.
    fn size(&mut self) -> Result<i64, Failure>;
}

/// Windows of the queries, in minutes since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) resources: u32,
    pub(crate) month: (i64, i64),
    /// Day searched for two free hours.
    pub(crate) day: (i64, i64),
    pub(crate) length: i64,
}

impl Asked {
    /// Windows in a year that starts then.
    pub(crate) const fn of(resources: u32, start: Instant) -> Self {
        let minute = start.millis() / 60_000;
        Self { resources, month: (minute, minute + 30 * DAY), day: (minute + 8 * 60, minute + 18 * 60), length: ALONE }
    }

    /// Blocks of thirty days, beyond the year.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let first = self.month.0 + 431 * DAY;
        (0..).map(move |number| first + number * 31 * DAY).map(|from| (from, from + 30 * DAY))
    }
}

/// Answers of the desk, which the baselines must repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) booked: usize,
    pub(crate) month: usize,
    pub(crate) free: usize,
}
