//! Benchmarks from the command line.

use std::process::ExitCode;

use clap::Subcommand;

use crate::bench::report::TheaterReport;
use crate::bench::theater::{self, BenchError, TheaterArgs};
use crate::cli::options::Options;
use crate::cli::out::{Answer, Out};
use crate::cli::stop::{Cannot, Stop};
use crate::store::Fault;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Carts that open, hold seats and pay, on a throw-away house unless --db names one
    Theater(TheaterArgs),
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
        let Self::Theater(args) = self;
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
}

fn stop(error: BenchError) -> Stop {
    match error {
        BenchError::Open(error) => Cannot::Open(error).into(),
        BenchError::Desk(failure) => failure.into(),
        BenchError::Machine(error) => Fault::Broken(error.to_string()).into(),
        BenchError::Process(problem) => Fault::Broken(problem).into(),
    }
}
