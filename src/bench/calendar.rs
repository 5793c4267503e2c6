//! `willcall bench calendar`: a year of many resources in quarter hours, and the questions that are asked of it.

use std::sync::mpsc::sync_channel;
use std::time::Instant as Tick;

use chrono::Days;
use chrono_tz::Tz;
use serde::Serialize;

use super::hotel::middle;
use super::load::{Dice, count};
use super::theater::{BenchError, desk_of, open};
use crate::domain::booking::{Cause, Details};
use crate::domain::ids::CommandId;
use crate::domain::resource::{Policy, ResourceId};
use crate::domain::time::{Grid, Instant, Segment, Slot, Span, day_start};
use crate::engine::ops::{AddResource, BookSlot, Occupy, Past, Want};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::engine::reads::free_time::ReadFree;
use crate::engine::reads::resources::Filter;
use crate::engine::reads::sizes::ReadSizes;
use crate::engine::{Desk, Failure};

/// Quarter hours of the year that is booked.
const QUARTERS: u32 = 365 * 96;

/// Resources of the month that is read.
const MONTH_OF: usize = 100;

/// Commands that wait for their answer at once.
const IN_FLIGHT: usize = 200;

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct CalendarArgs {
    /// How many resources there are.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub resources: u32,
    /// How many bookings are tried.
    #[arg(long, default_value_t = 200_000)]
    pub bookings: usize,
}

/// What was reached.
#[derive(Clone, Debug, Serialize)]
pub struct CalendarReport {
    /// Resources.
    pub resources: usize,
    /// Bookings that stand.
    pub bookings: usize,
    /// Bookings that were refused.
    pub refused: usize,
    /// Bookings a second.
    pub bookings_per_second: f64,
    /// The calendar of a month of a hundred resources, in milliseconds.
    pub month_ms: f64,
    /// Which resources are free for two hours of a day, in milliseconds.
    pub free_ms: f64,
    /// Thirty days of a resource taken for maintenance, in milliseconds with its commit.
    pub block_ms: f64,
    /// Days that are kept.
    pub days: i64,
    /// Their size in bytes.
    pub days_size: i64,
    /// The size of the whole file in bytes, with the journal.
    pub file_size: u64,
}

/// Measures on a throw-away house.
///
/// # Errors
/// See [`BenchError`].
pub fn run(args: &CalendarArgs) -> Result<CalendarReport, BenchError> {
    let folder = tempfile::Builder::new()
        .prefix("willcall-bench-")
        .tempdir()?;
    let path = folder.path().join("house.db");
    let engine = open(path.clone().into(), usize::MAX)?;
    let desk = desk_of(&engine, "bench");
    let resources = furnish(&desk, args.resources)?;
    let tomorrow = desk.now().in_zone(Tz::UTC).date_naive() + Days::new(1);
    let start = day_start(tomorrow, Tz::UTC);
    let started = Tick::now();
    let (booked, refused) = fill(&desk, &resources, (start, args.bookings))?;
    let seconds = started.elapsed().as_secs_f64();
    let month = window(start, 30 * 24 * 60)?;
    let some: Vec<ResourceId> = resources.iter().take(MONTH_OF).cloned().collect();
    let (_, month_ms) = middle(|| {
        Ok(desk.read(ReadCalendar {
            resources: some.clone(),
            window: month,
            words: Words::Owners,
        })?)
    })?;
    let day = window(start + Span::minutes(8 * 60), 10 * 60)?;
    let (_, free_ms) = middle(|| {
        Ok(desk.read(ReadFree {
            filter: Filter::default(),
            window: day,
            span: Some(Span::minutes(120)),
        })?)
    })?;
    let mut later = start + Span::minutes(400 * 24 * 60);
    let (_, block_ms) = middle(|| {
        later = later + Span::minutes(31 * 24 * 60);
        Ok(desk.run(block(&resources, later))?)
    })?;
    let sizes = desk.read(ReadSizes)?;
    Ok(CalendarReport {
        resources: resources.len(),
        bookings: booked,
        refused,
        bookings_per_second: count(booked) / seconds,
        month_ms,
        free_ms,
        block_ms,
        days: sizes.days,
        days_size: sizes.days_size,
        file_size: std::fs::metadata(&path)?.len(),
    })
}

fn window(from: Instant, minutes: i64) -> Result<Slot, BenchError> {
    Slot::new(from, from + Span::minutes(minutes))
        .map_err(|error| BenchError::Process(error.to_string()))
}

fn block(resources: &[ResourceId], from: Instant) -> Occupy {
    Occupy {
        resources: resources.iter().take(1).cloned().collect(),
        from,
        until: Some(from + Span::minutes(30 * 24 * 60)),
        cause: Cause::Maintenance,
        reason: "overhaul".into(),
        past: Past::Refuse,
    }
}

fn furnish(desk: &Desk, count: u32) -> Result<Vec<ResourceId>, BenchError> {
    let segment =
        Segment::of_minutes(15).map_err(|error| BenchError::Process(error.to_string()))?;
    (0..count)
        .map(|number| {
            let add = AddResource {
                name: format!("room {number}"),
                kind: "room".into(),
                parent: None,
                grid: Grid {
                    zone: Tz::UTC,
                    segment,
                },
                policy: Policy::OpenEnded,
                hours: None,
                before: Span::default(),
                after: Span::default(),
                price: None,
                properties: std::collections::BTreeMap::new(),
            };
            Ok(desk.run(add)?.id)
        })
        .collect()
}

/// Books slots of one to four hours at random; gives how many were booked and how many refused.
fn fill(
    desk: &Desk,
    resources: &[ResourceId],
    (start, bookings): (Instant, usize),
) -> Result<(usize, usize), BenchError> {
    let mut dice = Dice(42);
    let rooms = u32::try_from(resources.len()).unwrap_or(u32::MAX);
    let (sender, answers) = sync_channel(IN_FLIGHT);
    let (mut booked, mut refused) = (0, 0);
    let mut take = |answer: Result<(), Failure>| match answer {
        Ok(()) => {
            booked += 1;
            Ok(())
        }
        Err(Failure::Refused(_)) => {
            refused += 1;
            Ok(())
        }
        Err(fault @ Failure::Fault(_)) => Err(BenchError::from(fault)),
    };
    for number in 0..bookings {
        if number >= IN_FLIGHT {
            take(received(&answers)?)?;
        }
        let room = dice.below(rooms);
        let quarter = dice.below(QUARTERS);
        let length = 4 + dice.below(12);
        let from = start + Span::minutes(15 * i64::from(quarter));
        let slot = window(from, 15 * i64::from(length))?;
        let book = BookSlot {
            wants: vec![Want::all(
                usize::try_from(room)
                    .ok()
                    .and_then(|room| resources.get(room).cloned())
                    .into_iter()
                    .collect(),
                slot,
            )],
            details: Details {
                title: "rehearsal".into(),
                ..Details::default()
            },
            past: Past::Refuse,
        };
        let sender = sender.clone();
        desk.submit(CommandId::random(), book, move |answer| {
            // whoever waits is there until all is answered
            let _ = sender.send(answer.map(drop));
        });
    }
    for _ in 0..bookings.min(IN_FLIGHT) {
        take(received(&answers)?)?;
    }
    Ok((booked, refused))
}

fn received<T>(answers: &std::sync::mpsc::Receiver<T>) -> Result<T, BenchError> {
    answers
        .recv()
        .map_err(|_| BenchError::Process("the desk has stopped".into()))
}
