//! `cargo bench --bench calendar`: a year of many resources in quarter hours, and the queries of a calendar.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]
#![expect(clippy::unwrap_used, reason = "a server that goes wrong ends the benchmark")]

use std::time::Instant as Tick;

use chrono::Days;
use chrono_tz::Tz;
use clap::Parser;
use serde::Serialize;
use willcall::bench::{BenchError, count, dice, median_ms, open_house, pages_of, stage, temporary_folder};
use willcall::domain::booking::Cause;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Instant, Segment, Slot, Span, day_start};
use willcall::engine::ops::{Past, TakeOut};
use willcall::engine::reads::calendar::{ReadCalendar, Words};
use willcall::engine::reads::free_time::ReadFree;
use willcall::engine::reads::resources::ResourceFilter;
use willcall::engine::reads::sizes::ReadSizes;
use willcall::engine::{Config, Desk, Failure};

#[path = "calendar/baselines.rs"]
mod baselines;
#[path = "calendar/bookings.rs"]
mod bookings;
#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "one plain server is enough")]
mod cluster;
#[path = "../support/limit.rs"]
#[expect(dead_code, reason = "a benchmark waits for nothing else")]
mod limit;
#[path = "calendar/ranges.rs"]
mod ranges;
#[path = "calendar/segments.rs"]
mod segments;
#[path = "support.rs"]
mod support;

use baselines::{BaselineRun, measure};
use bookings::{Answers, Asked, IN_FLIGHT, MONTH_OF, SEGMENT, Stretch};
use support::submit_all;

/// Quarter hours of the booked year.
const QUARTERS: u32 = 365 * 96;

/// Options of the measurement.
#[derive(Clone, Debug, Parser)]
struct CalendarArgs {
    /// Resources.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    resources: u32,
    /// Bookings to try.
    #[arg(long, default_value_t = 200_000)]
    bookings: usize,
    /// Measure only the desk, no baselines.
    #[arg(long)]
    no_control: bool,
    /// Given by Cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Measured figures.
#[derive(Clone, Debug, Serialize)]
struct CalendarReport {
    resources: usize,
    bookings: usize,
    refused: usize,
    bookings_per_second: f64,
    /// The calendar of a month of a hundred resources, in milliseconds.
    month_ms: f64,
    /// Query for resources free for two hours of a day, in milliseconds.
    free_ms: f64,
    /// Thirty days of a resource taken for maintenance, in milliseconds with its commit.
    block_ms: f64,
    days: i64,
    /// Pages of the stored days' rows, in bytes.
    days_size: i64,
    /// Pages of the stored days' index, in bytes.
    days_index_size: i64,
    /// Text within those pages, in bytes.
    days_text_size: i64,
    /// Size of the whole file in bytes, with the journal.
    file_size: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    controls: Vec<BaselineRun>,
}

fn main() -> Result<(), BenchError> {
    let report = run(&CalendarArgs::parse())?;
    println!("{}", serde_json::to_string_pretty(&report).map_err(BenchError::part)?);
    assert!(report.controls.iter().all(|one| one.same_answers), "a baseline answered otherwise");
    Ok(())
}

/// Measures on a throw-away house.
fn run(args: &CalendarArgs) -> Result<CalendarReport, BenchError> {
    let folder = temporary_folder()?;
    let path = folder.path().join("house.db");
    let desk = &open_house(Config::new(path.clone()))?;
    let resources = furnish(desk, args.resources)?;
    let tomorrow = desk.now().in_zone(Tz::UTC).date_naive() + Days::new(1);
    let start = day_start(tomorrow, Tz::UTC);
    let asked = Asked::of(args.resources, start);
    let wanted = wanted(args, start);
    let started = Tick::now();
    let (booked, refused) = fill(desk, &resources, &wanted)?;
    let seconds = started.elapsed().as_secs_f64();
    let some: Vec<ResourceId> = resources.iter().take(MONTH_OF).cloned().collect();
    let month = window(asked.month)?;
    let (month, month_ms) =
        median_ms(|| Ok(desk.read(ReadCalendar { resources: some.clone(), window: month, words: Words::Owners })?))?;
    let day = window(asked.day)?;
    let (free, free_ms) = median_ms(|| {
        Ok(desk.read(ReadFree {
            count: None,
            filter: ResourceFilter::default(),
            window: day,
            span: Some(Span::minutes(asked.length)),
        })?)
    })?;
    let sizes = desk.read(ReadSizes)?;
    // measured before the months beyond the year are blocked
    let (days_size, days_index_size) = pages_of(&path, "chunk")?;
    let mut blocks = asked.blocks();
    let (_, block_ms) = median_ms(|| {
        let slot = window(blocks.next().unwrap_or_default())?;
        Ok(desk.run(block(&resources, slot))?)
    })?;
    let periods = month.iter().flat_map(|view| &view.periods);
    let answers = Answers { booked, month: periods.filter(|period| period.owner.is_some()).count(), free: free.len() };
    let controls = if args.no_control { Vec::new() } else { measure(folder.path(), (&wanted, &asked), answers)? };
    Ok(CalendarReport {
        resources: resources.len(),
        bookings: booked,
        refused,
        bookings_per_second: count(booked) / seconds,
        month_ms,
        free_ms,
        block_ms,
        days: sizes.days,
        days_size,
        days_index_size,
        days_text_size: sizes.days_text,
        file_size: std::fs::metadata(&path)?.len(),
        controls,
    })
}

/// A slot from minutes since 1970.
fn window((from, until): (i64, i64)) -> Result<Slot, BenchError> {
    let instant = |minute: i64| Instant::from_millis(minute * 60_000);
    Slot::new(instant(from), instant(until)).map_err(BenchError::part)
}

/// Random slots of one to four hours, in the year that starts then.
fn wanted(args: &CalendarArgs, start: Instant) -> Vec<Stretch> {
    let mut dice = dice::Dice(42);
    let start = start.millis() / 60_000;
    let mut one = |_| {
        let resource = dice.below(args.resources);
        let from = start + i64::from(SEGMENT * dice.below(QUARTERS));
        let until = from + i64::from(SEGMENT * (4 + dice.below(12)));
        Stretch { resource, from, until }
    };
    (0..args.bookings).map(&mut one).collect()
}

fn block(resources: &[ResourceId], slot: Slot) -> TakeOut {
    TakeOut {
        reason: "overhaul".into(),
        ..TakeOut::of(Cause::Maintenance, resources.iter().take(1).cloned().collect(), slot)
    }
}

fn furnish(desk: &Desk, count: u32) -> Result<Vec<ResourceId>, BenchError> {
    let segment = Segment::of_minutes(SEGMENT).map_err(BenchError::part)?;
    let add = |number| stage::resource(format!("room {number}"), segment, Policy::OpenEnded);
    (0..count).map(|number| Ok(desk.run(add(number))?.id)).collect()
}

/// Books the slots; gives the numbers of booked and refused ones.
fn fill(desk: &Desk, resources: &[ResourceId], wanted: &[Stretch]) -> Result<(usize, usize), BenchError> {
    let books = wanted.iter().map(|one| {
        let room = usize::try_from(one.resource).ok();
        let room = room.and_then(|room| resources.get(room).cloned());
        let slot = window((one.from, one.until))?;
        Ok(stage::book(room, slot, ("rehearsal", Past::Refuse)))
    });
    let books: Vec<_> = books.collect::<Result<_, BenchError>>()?;
    let (mut booked, mut refused) = (0, 0);
    submit_all(desk, IN_FLIGHT, books, |answer| {
        match answer {
            Ok(_) => booked += 1,
            Err(Failure::Refused(_)) => refused += 1,
            Err(fault @ Failure::Fault(_)) => return Err(fault),
        }
        Ok(())
    })?;
    Ok((booked, refused))
}
