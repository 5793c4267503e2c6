//! `willcall bench calendar`: a year of many resources in quarter hours, and the questions that are asked of it.

use std::sync::mpsc::sync_channel;
use std::time::Instant as Tick;

use chrono::Days;
use chrono_tz::Tz;
use serde::Serialize;

use controls::Answers;

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
use crate::store::control::{Stretch, pages_of};

mod controls;

pub use controls::ControlReport;

/// Minutes of a segment.
const SEGMENT: u32 = 15;

/// How long somebody wants to be alone, in minutes.
const ALONE: i64 = 120;

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
    /// Only the desk: no controls.
    #[arg(long)]
    pub no_control: bool,
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
    /// The pages of their rows, in bytes.
    pub days_size: i64,
    /// The pages of their index, in bytes.
    pub days_index_size: i64,
    /// Of which so much is text, in bytes.
    pub days_text_size: i64,
    /// The size of the whole file in bytes, with the journal.
    pub file_size: u64,
    /// The same bookings kept in other ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub controls: Vec<ControlReport>,
}

/// What is asked, in minutes since 1970.
#[derive(Clone, Copy, Debug)]
struct Asked {
    resources: u32,
    /// The month that is read.
    month: (i64, i64),
    /// The day in which somebody wants to be alone.
    day: (i64, i64),
    length: i64,
    /// From where on months are blocked.
    later: i64,
}

impl Asked {
    /// Of a year that starts then.
    fn of(resources: u32, start: Instant) -> Self {
        let minute = start.millis() / 60_000;
        let day = 24 * 60;
        Self {
            resources,
            month: (minute, minute + 30 * day),
            day: (minute + 8 * 60, minute + 18 * 60),
            length: ALONE,
            later: minute + 400 * day,
        }
    }
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
    let asked = Asked::of(args.resources, start);
    let wanted = wanted(args, start);
    let started = Tick::now();
    let (booked, refused) = fill(&desk, &resources, &wanted)?;
    let seconds = started.elapsed().as_secs_f64();
    let some: Vec<ResourceId> = resources.iter().take(MONTH_OF).cloned().collect();
    let month = window(asked.month)?;
    let (month, month_ms) = middle(|| {
        Ok(desk.read(ReadCalendar {
            resources: some.clone(),
            window: month,
            words: Words::Owners,
        })?)
    })?;
    let day = window(asked.day)?;
    let (free, free_ms) = middle(|| {
        Ok(desk.read(ReadFree {
            filter: Filter::default(),
            window: day,
            span: Some(Span::minutes(asked.length)),
        })?)
    })?;
    let sizes = desk.read(ReadSizes)?;
    // before the months that are blocked beyond the year
    let pages = pages_of(&path, "chunk").map_err(Failure::from)?;
    let mut later = asked.later;
    let (_, block_ms) = middle(|| {
        later += 31 * 24 * 60;
        let slot = window((later, later + 30 * 24 * 60))?;
        Ok(desk.run(block(&resources, slot))?)
    })?;
    let periods = month.iter().flat_map(|view| &view.periods);
    let answers = Answers {
        booked,
        month: periods.filter(|period| period.owner.is_some()).count(),
        free: free.len(),
    };
    let controls = if args.no_control {
        Vec::new()
    } else {
        controls::measure(folder.path(), (&wanted, &asked), answers)?
    };
    Ok(CalendarReport {
        resources: resources.len(),
        bookings: booked,
        refused,
        bookings_per_second: count(booked) / seconds,
        month_ms,
        free_ms,
        block_ms,
        days: sizes.days,
        days_size: pages.rows,
        days_index_size: pages.indexes,
        days_text_size: sizes.days_text,
        file_size: std::fs::metadata(&path)?.len(),
        controls,
    })
}

/// A slot from minutes since 1970.
fn window((from, until): (i64, i64)) -> Result<Slot, BenchError> {
    let instant = |minute: i64| Instant::from_millis(minute * 60_000);
    Slot::new(instant(from), instant(until)).map_err(|error| BenchError::Process(error.to_string()))
}

/// Slots of one to four hours at random, in the year that starts then.
fn wanted(args: &CalendarArgs, start: Instant) -> Vec<Stretch> {
    let mut dice = Dice(42);
    let start = start.millis() / 60_000;
    let mut one = |_| {
        let resource = dice.below(args.resources);
        let from = start + i64::from(SEGMENT * dice.below(QUARTERS));
        let until = from + i64::from(SEGMENT * (4 + dice.below(12)));
        Stretch {
            resource,
            from,
            until,
        }
    };
    (0..args.bookings).map(&mut one).collect()
}

fn block(resources: &[ResourceId], slot: Slot) -> Occupy {
    Occupy {
        resources: resources.iter().take(1).cloned().collect(),
        from: slot.from(),
        until: Some(slot.until()),
        cause: Cause::Maintenance,
        reason: "overhaul".into(),
        past: Past::Refuse,
    }
}

fn furnish(desk: &Desk, count: u32) -> Result<Vec<ResourceId>, BenchError> {
    let segment =
        Segment::of_minutes(SEGMENT).map_err(|error| BenchError::Process(error.to_string()))?;
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

/// Books what is wanted; gives how many were booked and how many refused.
fn fill(
    desk: &Desk,
    resources: &[ResourceId],
    wanted: &[Stretch],
) -> Result<(usize, usize), BenchError> {
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
    for (number, one) in wanted.iter().enumerate() {
        if number >= IN_FLIGHT {
            take(received(&answers)?)?;
        }
        let room = usize::try_from(one.resource)
            .ok()
            .and_then(|room| resources.get(room).cloned());
        let slot = window((one.from, one.until))?;
        let book = BookSlot {
            wants: vec![Want::all(room.into_iter().collect(), slot)],
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
    for _ in 0..wanted.len().min(IN_FLIGHT) {
        take(received(&answers)?)?;
    }
    Ok((booked, refused))
}

fn received<T>(answers: &std::sync::mpsc::Receiver<T>) -> Result<T, BenchError> {
    answers
        .recv()
        .map_err(|_| BenchError::Process("the desk has stopped".into()))
}
