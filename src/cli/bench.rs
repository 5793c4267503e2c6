//! Benchmarks from the command line.

use std::process::ExitCode;

use clap::Subcommand;

use crate::bench::calendar::{self, CalendarArgs, CalendarReport};
use crate::bench::hotel::{self, HotelArgs, HotelReport, Way};
use crate::bench::jobs::report::JobsReport;
use crate::bench::jobs::{self, JobsArgs};
use crate::bench::report::TheaterReport;
use crate::bench::theater::{self, BenchError, TheaterArgs};
use crate::cli::options::Options;
use crate::cli::out::{Answer, Out};
use crate::cli::stop::{Cannot, Stop};
use crate::cli::table::{Table, numbers, words};
use crate::engine::Failure;
use crate::store::Fault;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Carts that open, hold seats and pay, on a throw-away house unless --db names one
    Theater(TheaterArgs),
    /// A year of many resources in quarter hours: bookings a second, and the questions of a calendar
    Calendar(CalendarArgs),
    /// Which rooms of a hotel are free on a date: nights that exist, beside bookings taken away
    Hotel(HotelArgs),
    /// A million waiting checks, and what comes due among them, on a throw-away house
    Jobs(JobsArgs),
}

impl Answer for CalendarReport {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("WAY"),
            numbers("BOOKINGS/S"),
            numbers("MONTH OF 100"),
            numbers("FREE FOR 2 H"),
            numbers("30 DAYS BLOCKED"),
            numbers("SIZE"),
            words("AGREES"),
        ]);
        let ms = |ms: f64| format!("{ms:.3} ms");
        let mb = |bytes: i64| format!("{:.1} MB", megabytes(bytes));
        table.row([
            "this desk, and its days".to_owned(),
            format!("{:.0}", self.bookings_per_second),
            ms(self.month_ms),
            ms(self.free_ms),
            ms(self.block_ms),
            mb(self.days_size.saturating_add(self.days_index_size)),
            String::new(),
        ]);
        for one in &self.controls {
            let agrees = if one.same_answers { "yes" } else { "NO" };
            table.row([
                one.way.to_owned(),
                format!("{:.0}", one.bookings_per_second),
                ms(one.month_ms),
                ms(one.free_ms),
                ms(one.block_ms),
                mb(one.size),
                agrees.to_owned(),
            ]);
        }
        format!(
            "{} bookings of {} resources stand, {} were refused\n{} days are kept in {} of pages and {} of their index, of which {} is text; the desk's whole file, with bookings and journal, has {}\n\n{}",
            self.bookings,
            self.resources,
            self.refused,
            self.days,
            mb(self.days_size),
            mb(self.days_index_size),
            mb(self.days_text_size),
            mb(i64::try_from(self.file_size).unwrap_or(i64::MAX)),
            table.text()
        )
    }
}

impl Answer for HotelReport {
    fn people(&self) -> String {
        let way = |name: &str, way: &Way| {
            format!(
                "{name:<15} {} rooms available on {}, {} rows read, {:.3} ms; {:.2} MB in pages\n  {}\n",
                way.rooms.len(),
                self.date,
                way.rows_read,
                way.ms,
                megabytes(way.size),
                way.rooms.join(" "),
            )
        };
        let same = if self.same_rooms {
            "Both ways name the same rooms."
        } else {
            "The two ways name different rooms!"
        };
        format!(
            "{}{}{same}\n",
            way("preallocated", &self.preallocated),
            way("by subtracting", &self.by_subtracting),
        )
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "sizes are shown rounded"
)]
fn megabytes(bytes: i64) -> f64 {
    bytes as f64 / 1_000_000.0
}

impl Answer for TheaterReport {
    fn people(&self) -> String {
        let mut text = Vec::new();
        // writing to memory cannot fail
        let _ = self.print(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Verb {
    /// Measures; the exit code says whether the house was whole afterwards.
    ///
    /// # Errors
    /// The house could not be opened, or failed under the load.
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
        match self {
            Self::Theater(args) => theater(args, options, out),
            Self::Jobs(args) => jobs(args, out),
            Self::Calendar(args) => {
                let report = calendar::run(args).map_err(stop)?;
                out.answer(&report)?;
                Ok(if report.controls.iter().all(|one| one.same_answers) {
                    ExitCode::SUCCESS
                } else {
                    ExitCode::FAILURE
                })
            }
            Self::Hotel(args) => {
                let report = hotel::run(args).map_err(stop)?;
                out.answer(&report)?;
                Ok(if report.same_rooms && report.verified {
                    ExitCode::SUCCESS
                } else {
                    ExitCode::FAILURE
                })
            }
        }
    }
}

fn theater(args: &TheaterArgs, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
    if let Some(share) = &args.share {
        theater::run_share(share, &mut std::io::stdout()).map_err(stop)?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = theater::run(args, options.named_db()?).map_err(stop)?;
    out.answer(&report)?;
    Ok(if report.verified == Some(false) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn jobs(args: &JobsArgs, out: &mut Out) -> Result<ExitCode, Stop> {
    if let Some(path) = &args.share {
        let made = jobs::run_share(path).map_err(stop)?;
        out.text(&made.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = jobs::run(args).map_err(stop)?;
    out.answer(&report)?;
    Ok(if report.is_exact() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Answer for JobsReport {
    fn people(&self) -> String {
        Self::people(self)
    }
}

fn stop(error: BenchError) -> Stop {
    match error {
        BenchError::Open(error) => Cannot::Open(error).into(),
        BenchError::Desk(Failure::Fault(Fault::Full)) => Cannot::LoadEnded(String::new()).into(),
        BenchError::Full(carts) => Cannot::LoadEnded(format!(" after {carts} carts")).into(),
        BenchError::Desk(failure) => failure.into(),
        BenchError::Machine(error) => Fault::Broken(error.to_string()).into(),
        BenchError::Process(problem) => Fault::Broken(problem).into(),
    }
}
