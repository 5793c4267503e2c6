//! `willcall bench theater --target-p99`: how many customers a second a machine bears.
//!
//! The rate doubles from trial to trial until the target does not hold, and is halved in between from then on. Each trial has
//! a house of its own, and few seconds of load. None begins after a minute: the best so far is the answer then.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::theater::{self, TheaterArgs};
use super::{BenchError, count};
use crate::domain::time::Span;
use crate::engine::Location;

/// Rate of the first trial, without `--rate`.
const FIRST_RATE: f64 = 100.0;

/// Highest rate that is tried.
const RATE_MAX: f64 = 100_000.0;

/// Load of a trial, in seconds.
const TRIAL_SECONDS: u32 = 4;

/// Longest load of a trial: a machine that is overrun never gets through all of it.
const TRIAL_LONGEST: Duration = Duration::from_secs(8);

/// No trial begins later than this.
pub const SEARCH_LONGEST: Duration = Duration::from_mins(1);

/// Trials between the last rate that held and the first that did not.
const HALVINGS: usize = 4;

/// Figures of a search.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    pub target_p99_ms: i64,
    /// Customers a second of the fastest trial that held the target; `None` if none did.
    pub customers_per_second: Option<f64>,
    /// In the order in which they were made.
    pub trials: Vec<Trial>,
    /// True when all trials were made; false when time was up before.
    pub complete: bool,
    /// True when every house was whole afterwards.
    pub verified: bool,
}

/// One load at a rate.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    pub rate: f64,
    pub carts: usize,
    pub p99_ms: f64,
    pub held: bool,
}

/// Searches the most customers a second whose 99th percentile of waiting is at most a target; `trying` hears each rate before
/// it is tried.
pub fn run(
    args: &TheaterArgs,
    target: Span,
    (db, trying): (Option<&Location>, &dyn Fn(f64)),
) -> Result<SearchReport, BenchError> {
    let (mut trials, mut verified) = (Vec::new(), true);
    let began = Instant::now();
    // tells whether a rate held; nothing where time is up
    let mut trial = |rate: f64| -> Result<Option<bool>, BenchError> {
        if began.elapsed() >= SEARCH_LONGEST {
            return Ok(None);
        }
        trying(rate);
        let carts = (1..args.carts).find(|carts| count(*carts) >= rate * f64::from(TRIAL_SECONDS));
        let carts = carts.unwrap_or(args.carts);
        let longest = Some(TRIAL_LONGEST);
        let load = TheaterArgs { carts, rate: Some(rate), no_control: true, longest, ..args.clone() };
        let report = theater::run(&load, db.cloned())?;
        let p99_ms = report.latency_ms.p99;
        let held = p99_ms <= count(usize::try_from(target.millis()).unwrap_or(usize::MAX));
        trials.push(Trial { rate, carts: report.carts, p99_ms, held });
        verified &= report.verified;
        Ok(Some(held))
    };
    let (mut borne, mut next, mut most, mut complete) = (None, args.rate.unwrap_or(FIRST_RATE), None, true);
    while next <= RATE_MAX && most.is_none() && complete {
        match trial(next)? {
            Some(true) => (borne, next) = (Some(next), next * 2.0),
            Some(false) => most = Some(next),
            None => complete = false,
        }
    }
    for _ in 0..HALVINGS {
        let Some(top) = most.filter(|_| complete) else { break };
        let between = f64::midpoint(borne.unwrap_or(0.0), top).round().max(1.0);
        match trial(between)? {
            Some(true) => borne = Some(between),
            Some(false) => most = Some(between),
            None => complete = false,
        }
    }
    Ok(SearchReport { target_p99_ms: target.millis(), customers_per_second: borne, trials, complete, verified })
}
