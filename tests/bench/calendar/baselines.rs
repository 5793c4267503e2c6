//! Baselines of the calendar, in the same run: a row for each segment in a file, and ranges on a server where one
//! is installed. No journal, no details, no stored answers.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::bookings::{Answers, Asked, CalendarBaseline, IN_FLIGHT, MONTH_OF, SEGMENT, Stretch};
use super::ranges::Ranges;
use super::segments::SegmentRows;
use crate::cluster::Cluster;
use willcall::bench::{BenchError, count, median_ms};

/// Figures of a baseline, from the queries that the desk answers.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BaselineRun {
    pub(crate) way: &'static str,
    pub(crate) bookings: usize,
    pub(crate) bookings_per_second: f64,
    /// The median of a month of a hundred resources.
    pub(crate) month_ms: f64,
    /// Median time of the query for resources free for two hours of a day.
    pub(crate) free_ms: f64,
    /// Median time of taking a resource for thirty days.
    pub(crate) block_ms: f64,
    /// Size in bytes.
    pub(crate) size: i64,
    /// True when the baseline booked and answered as the desk did.
    pub(crate) same_answers: bool,
}

/// Measures every baseline that this machine can run.
pub(crate) fn measure(
    folder: &Path,
    (wanted, asked): (&[Stretch], &Asked),
    desk: Answers,
) -> Result<Vec<BaselineRun>, BenchError> {
    let mut rows = SegmentRows::new(&folder.join("segments.db"), i64::from(SEGMENT))?;
    let mut reports = vec![play("a row per segment (SQLite)", &mut rows, wanted, (asked, desk))?];
    if let Some(cluster) = Cluster::start("") {
        let mut ranges = Ranges::new(&cluster.address("public"))?;
        reports.push(play("range exclusion (PostgreSQL)", &mut ranges, wanted, (asked, desk))?);
    }
    Ok(reports)
}

fn play(
    way: &'static str,
    baseline: &mut dyn CalendarBaseline,
    wanted: &[Stretch],
    (asked, desk): (&Asked, Answers),
) -> Result<BaselineRun, BenchError> {
    let started = Instant::now();
    let mut booked = 0;
    // batches as large as the desk's commands in flight
    for some in wanted.chunks(IN_FLIGHT) {
        booked += baseline.book(some)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let size = baseline.size()?;
    let some = u32::try_from(MONTH_OF).unwrap_or(u32::MAX).min(asked.resources);
    let (month, month_ms) = median_ms(|| Ok(baseline.taken(some, asked.month)?))?;
    let (free, free_ms) = median_ms(|| {
        let taken = baseline.taken(asked.resources, asked.day)?;
        Ok(free(&taken, asked))
    })?;
    let mut blocks = asked.blocks();
    let (_, block_ms) = median_ms(|| {
        let (from, until) = blocks.next().unwrap_or_default();
        let resource = 0;
        Ok(baseline.book(&[Stretch { resource, from, until }])?)
    })?;
    let answers = Answers { booked, month: month.len(), free };
    Ok(BaselineRun {
        way,
        bookings: booked,
        bookings_per_second: count(booked) / seconds,
        month_ms,
        free_ms,
        block_ms,
        size,
        same_answers: answers == desk,
    })
}

/// Number of resources free for two hours of the day.
fn free(taken: &[Stretch], asked: &Asked) -> usize {
    let (start, end) = asked.day;
    let mut taken = taken.iter().peekable();
    let is_free = |resource: u32| {
        let (mut since, mut longest) = (start, 0);
        while let Some(one) = taken.next_if(|one| one.resource == resource) {
            longest = longest.max(one.from - since);
            since = since.max(one.until);
        }
        longest.max(end - since) >= asked.length
    };
    (0..asked.resources).map(is_free).filter(|free| *free).count()
}
