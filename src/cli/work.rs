//! A headless runner: due jobs and listeners without an open desk.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use crate::cli::answers::job;
use crate::cli::calendar::{PUBLISHED_EVERY, publish};
use crate::cli::call::Call;
use crate::cli::options::Options;
use crate::cli::out::Out;
use crate::cli::stop::{REFUSED, Stop};
use crate::domain::ids::CommandId;
use crate::domain::presence::Present;
use crate::engine::background::Worked;
use crate::engine::ops::BePresent;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::{Actor, Config, Desk, Failure, Fault, Ticker};
use crate::words;

/// Place of a runner among the stations.
const PLACE: &str = "jobs and listeners";

#[derive(Debug, Args)]
pub(super) struct Work {
    /// Run everything due once and call the waiting listeners, then end
    #[arg(long)]
    once: bool,
    /// Keep a calendar of each resource in this folder, for any web server to hand out
    #[arg(long, value_name = "FOLDER", conflicts_with = "once")]
    publish: Option<PathBuf>,
    /// Publish titles and customers too, beside busy times
    #[arg(long, requires = "publish")]
    titles: bool,
}

impl Work {
    /// Works until told to stop, and writes a line for each run.
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
        if self.once {
            let mut call = Call::open(options, out)?;
            return once(&mut call, RunFormat::Each);
        }
        let (sender, worked) = mpsc::unbounded_channel();
        let (actor, place) = (options.actor()?, options.place()?);
        let desk = Desk::open_with(Config {
            ticker: Ticker::On,
            station: actor.station.clone(),
            worked: Some(sender),
            ..Config::new(place.house())
        })?;
        out.zone = desk.read(ReadSettings)?.time_zone;
        // a desk at the same station has a presence of its own
        let desk = desk.with_actor(Actor { station: format!("{}/work", actor.station), operator: actor.operator });
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| broken(&error))?;
        runtime.block_on(until_stopped(desk, worked, (out, self)))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn broken(error: &io::Error) -> Stop {
    Stop::Fault(Fault::Broken(error.to_string()))
}

/// Writes runs until a signal comes, then those that finished while the engine stopped. Says meanwhile that this station
/// is on, so that clocks are compared with its own.
async fn until_stopped(
    desk: Desk,
    mut worked: mpsc::UnboundedReceiver<Worked>,
    (out, work): (&mut Out, &Work),
) -> Result<(), Stop> {
    let mut notices = desk.watch();
    let mut looks = tokio::time::interval(PUBLISHED_EVERY);
    let mut has_changed = work.publish.is_some();
    let (tell, mut answers) = mpsc::unbounded_channel();
    let mut says = tokio::time::interval(Duration::from_millis(Present::SAYS_EVERY.millis().unsigned_abs()));
    let mut is_refused = false;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| broken(&error))?;
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| broken(&error))?;
    loop {
        tokio::select! {
            Some(done) = worked.recv() => {
                out.now = desk.now();
                write(&done, out)?;
            }
            _ = says.tick() => {
                let tell = tell.clone();
                desk.submit(CommandId::random(), BePresent::At(PLACE.to_owned()), move |said| {
                    // nobody waits for it while this program stops
                    let _ = tell.send(said);
                });
            }
            Some(said) = answers.recv() => {
                if let (Err(failure @ Failure::Refused(_)), false) = (&said, is_refused) {
                    out.note(&words::failure(failure, out.here()));
                }
                is_refused = matches!(said, Err(Failure::Refused(_)));
            }
            // a notice that was missed is a change too
            notice = notices.recv(), if !has_changed && work.publish.is_some() => match notice {
                Err(RecvError::Closed) => break,
                Ok(_) | Err(RecvError::Lagged(_)) => has_changed = true,
            },
            _ = looks.tick(), if has_changed => {
                has_changed = false;
                if let Some(folder) = &work.publish
                    && let Err(stop) = publish(&desk, (folder, work.titles), out.zone)
                {
                    // the next change tries again
                    stop.tell(out);
                }
            }
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    desk.submit(CommandId::random(), BePresent::Off, drop);
    desk.close();
    while let Ok(done) = worked.try_recv() {
        write(&done, out)?;
    }
    Ok(())
}

fn write(done: &Worked, out: &mut Out) -> Result<(), Stop> {
    out.answer(&job::worked(done, out.here()))?;
    out.flush()
}

/// Format of the finished runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunFormat {
    /// One line a run.
    Each,
    Listed,
}

/// Runs every due job and calls the waiting listeners; a failed check makes the exit code 3.
pub(super) fn once(call: &mut Call<'_>, lines: RunFormat) -> Result<ExitCode, Stop> {
    let done = call.desk.work_off()?;
    match lines {
        RunFormat::Each => done.iter().try_for_each(|done| write(done, call.out))?,
        RunFormat::Listed => {
            call.answer(&job::worked_list(&done, call.out.here()))?;
        }
    }
    Ok(failed(call, &done))
}

/// The exit code of finished runs; the reason of each failed check goes to standard error.
pub(super) fn failed(call: &Call<'_>, done: &[Worked]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for run in done.iter().filter_map(Worked::failed_run) {
        call.out.note(&words::sentence(&job::run_line(run)));
        code = ExitCode::from(REFUSED);
    }
    code
}
