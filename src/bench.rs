//! Benchmarks that an operator can run: loads on a throw-away house, beside baselines from the same run.
//!
//! A load is a client of the desk like any other. All figures are measured in this run, on this machine; published
//! figures stand beside them under that name. Each benchmark is a module with its arguments, a `run` and its report;
//! the house, the progress bar and the processes that they share are here.

#![expect(missing_docs, reason = "fields and variants whose names say all")]

use std::fmt::Display;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use indicatif::{ProgressBar, ProgressStyle};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::engine::reads::catalog::ReadSettings;
use crate::engine::{Config, Desk, Failure, Fault, Missing, OpenError};

mod baselines;
pub mod hotel;
pub mod load;
pub mod report;
pub mod search;
mod seller;
pub mod stage;
pub mod theater;

pub use crate::demo::dice;
pub use baselines::pages::pages_of;
pub use dice::Dice;

/// How often a question is asked; the median counts.
const ASKED: usize = 21;

/// Longer waits than an hour count as one.
const LATENCY_MICROS_MAX: u64 = 3_600_000_000;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the desk failed under the load: {0}")]
    Desk(#[from] Failure),
    #[error("the benchmark could not write or start what it needs: {0}")]
    Machine(#[from] std::io::Error),
    #[error("the disk is full after {0} carts")]
    Full(u64),
    /// A baseline or a process of the load failed.
    #[error("a part of the load ended without a result: {0}")]
    Part(String),
}

impl BenchError {
    /// Failure of a part of the load.
    pub fn part(error: impl Display) -> Self {
        Self::Part(error.to_string())
    }
}

impl From<Fault> for BenchError {
    fn from(fault: Fault) -> Self {
        Self::Desk(fault.into())
    }
}

/// A folder that is deleted with its value.
pub fn temporary_folder() -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix("willcall-bench-").tempdir()
}

/// Opens a house as the desk that a load asks, or makes it where there is none.
pub fn open_house(config: Config) -> Result<Desk, OpenError> {
    let desk = Desk::open_with(Config { missing: Missing::Create, ..config })?;
    Ok(desk_of(&desk, "bench"))
}

fn desk_of(desk: &Desk, station: &str) -> Desk {
    desk.working_as("bench", station)
}

/// A desk signed in by a PIN, in a house that has operators.
fn signed_in(desk: Desk, pin: Option<&str>) -> Result<Desk, Failure> {
    match pin {
        Some(pin) if !desk.read(ReadSettings)?.operators.is_empty() => desk.signed_in(pin, None),
        _ => Ok(desk),
    }
}

/// A bar of a template of `indicatif`.
pub fn progress_bar(of: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(of).unwrap_or(u64::MAX));
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// This program once more, for its share of a benchmark: the file says of what.
fn share_command(bench: &str, file: &Path) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bench", bench, "--share"]).arg(file);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    Ok(command)
}

/// The result of a share, as the last that its process writes.
fn result_of<T: DeserializeOwned>(child: Child) -> Result<T, BenchError> {
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let ended = format!("a process of this bench ended by {}", output.status);
        return Err(BenchError::Part(ended));
    }
    serde_json::from_slice(&output.stdout).map_err(BenchError::part)
}

/// Asks several times; gives the last answer and the median time in milliseconds.
pub fn median_ms<T>(mut ask: impl FnMut() -> Result<T, BenchError>) -> Result<(T, f64), BenchError> {
    let mut times = Vec::with_capacity(ASKED);
    let mut answer = ask()?;
    for _ in 0..ASKED {
        let started = Instant::now();
        answer = ask()?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok((answer, median(times)))
}

/// The median; zero of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// An empty histogram of microseconds.
pub fn micros() -> Histogram<u64> {
    Histogram::new_with_max(LATENCY_MICROS_MAX, 3)
        .unwrap_or_else(|error| unreachable!("an hour in microseconds: {error}"))
}

/// Counts a wait.
pub fn record(micros: &mut Histogram<u64>, waited: Duration) {
    micros.saturating_record(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX));
}

/// A number of things as a measure.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "counts of a load are far below 2^52")]
pub fn count(number: usize) -> f64 {
    number as f64
}
