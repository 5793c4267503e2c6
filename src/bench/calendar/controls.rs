//! The same bookings kept in other ways, in the same run: what a row for each segment costs, and what a server's
//! ranges do.

use std::path::Path;
use std::time::Instant as Tick;

use serde::Serialize;

use super::super::hotel::middle;
use super::super::load::count;
use super::{Asked, IN_FLIGHT, MONTH_OF, SEGMENT};
use crate::bench::theater::BenchError;
use crate::engine::Failure;
use crate::store::Fault;
use crate::store::control::{Control, Stretch};
use crate::store::postgres::control::Ranges;
use crate::store::postgres::{Address, Cluster};
use crate::store::sqlite::SegmentRows;

/// What another way to keep the same bookings reached.
#[derive(Clone, Debug, Serialize)]
pub struct ControlReport {
    /// How it keeps time.
    pub way: &'static str,
    /// Bookings that stand.
    pub bookings: usize,
    /// Bookings a second.
    pub bookings_per_second: f64,
    /// As of the desk.
    pub month_ms: f64,
    /// As of the desk.
    pub free_ms: f64,
    /// As of the desk.
    pub block_ms: f64,
    /// Its size in bytes.
    pub size: i64,
    /// Whether it booked the same and answers the same as the desk.
    pub same_answers: bool,
}

/// What the desk answered, for the controls to agree with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answers {
    /// Bookings that stand.
    pub(super) booked: usize,
    /// Periods taken in the month.
    pub(super) month: usize,
    /// Resources free for two hours.
    pub(super) free: usize,
}

/// Measures every control that this machine has.
pub(super) fn measure(
    folder: &Path,
    (wanted, asked): (&[Stretch], &Asked),
    desk: Answers,
) -> Result<Vec<ControlReport>, BenchError> {
    let mut rows =
        SegmentRows::new(&folder.join("segments.db"), i64::from(SEGMENT)).map_err(fault)?;
    let mut out = vec![play(
        "a row per segment (SQLite)",
        &mut rows,
        (wanted, asked, desk),
    )?];
    if let Some(cluster) = Cluster::start("")? {
        let address = Address::parse(&cluster.address("public"))
            .map_err(|error| BenchError::Process(error.to_string()))?;
        let mut ranges = Ranges::new(&address).map_err(fault)?;
        out.push(play(
            "range exclusion (PostgreSQL)",
            &mut ranges,
            (wanted, asked, desk),
        )?);
    }
    Ok(out)
}

fn fault(fault: Fault) -> BenchError {
    Failure::from(fault).into()
}

fn play(
    way: &'static str,
    control: &mut dyn Control,
    (wanted, asked, desk): (&[Stretch], &Asked, Answers),
) -> Result<ControlReport, BenchError> {
    let started = Tick::now();
    let mut booked = 0;
    // as many at once as wait for their answer at the desk
    for some in wanted.chunks(IN_FLIGHT) {
        booked += control.book(some).map_err(fault)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let size = control.size().map_err(fault)?;
    let some = u32::try_from(MONTH_OF)
        .unwrap_or(u32::MAX)
        .min(asked.resources);
    let (month, month_ms) = middle(|| control.taken(some, asked.month).map_err(fault))?;
    let (free, free_ms) = middle(|| {
        let taken = control.taken(asked.resources, asked.day).map_err(fault)?;
        Ok(free(&taken, asked))
    })?;
    let mut later = asked.later;
    let (_, block_ms) = middle(|| {
        later += 31 * 24 * 60;
        let block = Stretch {
            resource: 0,
            from: later,
            until: later + 30 * 24 * 60,
        };
        control.book(&[block]).map_err(fault)
    })?;
    let answers = Answers {
        booked,
        month: month.len(),
        free,
    };
    Ok(ControlReport {
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

/// How many resources are free for two hours of the day.
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
    (0..asked.resources)
        .map(is_free)
        .filter(|free| *free)
        .count()
}
