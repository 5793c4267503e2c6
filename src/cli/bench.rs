//! Benchmarks from the command line.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use crate::bench::BenchError;
use crate::bench::hotel::{self, HotelArgs};
use crate::bench::search;
use crate::bench::theater::{self, TheaterArgs};
use crate::cli::answers::bench::BenchReport;
use crate::cli::options::Options;
use crate::cli::out::{Out, Rendered};
use crate::cli::stop::{Cannot, Stop};
use crate::engine::{Failure, Fault};

#[derive(Debug, Subcommand)]
pub(super) enum BenchVerb {
    /// Carts that open, hold seats and pay, on a throw-away house unless --db names one; where that has operators,
    /// `WILLCALL_PIN` has the PIN of the office
    Theater(TheaterArgs),
    /// Free rooms of a hotel on a date: stored nights compared with subtracted bookings
    Hotel(HotelArgs),
}

impl BenchVerb {
    /// Measures; the exit code says whether the house was whole afterwards.
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
        let pin = Options::pin();
        match self {
            Self::Theater(TheaterArgs { share: Some(share), .. }) => {
                theater::run_share((share, pin.as_deref()), &mut std::io::stdout()).map_err(stop)?;
                Ok(ExitCode::SUCCESS)
            }
            Self::Theater(args @ TheaterArgs { target_p99: Some(target), .. }) => {
                let db = options.named_db()?;
                let report = {
                    let trying = |rate: f64| out.note(&format!("Trying {rate:.0} customers a second."));
                    search::run(&TheaterArgs { pin, ..args.clone() }, *target, (db.as_ref(), &trying))
                };
                tell(report, |report| report.verified, out)
            }
            Self::Theater(args) => {
                let args = TheaterArgs { pin, ..args.clone() };
                tell(theater::run(&args, options.named_db()?), |report| report.verified, out)
            }
            Self::Hotel(args) => {
                let is_whole = |report: &hotel::HotelReport| report.same_rooms && report.verified;
                tell(hotel::run(args), is_whole, out)
            }
        }
    }
}

/// Answers with a report; its exit code says whether it passed.
fn tell<R: BenchReport>(
    report: Result<R, BenchError>,
    passed: impl FnOnce(&R) -> bool,
    out: &mut Out,
) -> Result<ExitCode, Stop> {
    let report = report.map_err(stop)?;
    out.answer(&Rendered::new(json!(report), report.people()))?;
    Ok(if passed(&report) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn stop(error: BenchError) -> Stop {
    match error {
        BenchError::Open(error) => Cannot::Open(error).into(),
        BenchError::Desk(Failure::Fault(Fault::Full)) => Cannot::LoadEnded(String::new()).into(),
        BenchError::Full(carts) => Cannot::LoadEnded(format!(" after {carts} carts")).into(),
        BenchError::Desk(failure) => failure.into(),
        BenchError::Machine(error) => Fault::Broken(error.to_string()).into(),
        BenchError::Part(problem) => Fault::Broken(problem).into(),
    }
}
