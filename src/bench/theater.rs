//! `willcall bench theater`: the classic load, its controls, and a check of the house at the end.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::control::Controls;
use super::load::{IN_FLIGHT, IN_FLIGHT_SERVER, Load, Measured, count, play};
use super::report::{Control, Latency, TheaterReport};
use super::server::{desks, steps};
use super::stage;
use crate::domain::ids::{CommandId, PerformanceId};
use crate::engine::verify::verify;
use crate::engine::{Actor, Config, Desk, Engine, Failure};
use crate::store::{Fault, Missing, OpenError, Place, Scratch};

/// In how many turns a load of one process and its controls are measured.
const TURNS: usize = 5;

/// The variable in which a process of several finds the house.
const SHARE_DB: &str = "WILLCALL_BENCH_SHARE_DB";

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct TheaterArgs {
    /// How many carts are sold.
    #[arg(long, default_value_t = 25_000)]
    pub carts: usize,
    /// How many neighbouring seats each holds.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub seats_per_cart: u32,
    /// Customers that come each second, and wait from when they meant to come; without it a closed loop.
    #[arg(long, value_parser = rate)]
    pub rate: Option<f64>,
    /// How many processes share the house.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub processes: u16,
    /// All customers want the same 900 seats.
    #[arg(long)]
    pub contested: bool,
    /// `published`: 4 processes, 1,000 customers a second for 25 seconds, 5 tickets each.
    #[arg(long, value_parser = ["published"])]
    pub profile: Option<String>,
    /// Only the load: no controls.
    #[arg(long)]
    pub no_control: bool,
    /// Where a process of several finds what it sells.
    #[arg(long, hide = true)]
    pub share: Option<PathBuf>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The house could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The desk failed.
    #[error("the desk failed under the load: {0}")]
    Desk(#[from] Failure),
    /// The machine failed.
    #[error("the benchmark could not write or start what it needs: {0}")]
    Machine(#[from] std::io::Error),
    /// The disk is full, after so many carts.
    #[error("the disk is full after {0} carts")]
    Full(u64),
    /// A process of several failed.
    #[error("a process of the load ended without a result: {0}")]
    Process(String),
}

/// What one process of several sells, and what it reached.
#[derive(Serialize, Deserialize)]
struct Share {
    carts: usize,
    seats_per_cart: u32,
    rate: Option<f64>,
    performances: Vec<PerformanceId>,
    in_flight: usize,
    seed: u64,
}

#[derive(Serialize, Deserialize)]
struct Part {
    carts: usize,
    left: usize,
    refused: usize,
    seconds: f64,
    latency: Vec<u8>,
    longest_wait: Duration,
}

/// Measures on a throw-away house, or on the one that is named.
///
/// # Errors
/// See [`BenchError`].
pub fn run(args: &TheaterArgs, db: Option<Place>) -> Result<TheaterReport, BenchError> {
    let args = args.clone().profiled();
    let name = format!(
        "willcall_bench_{}",
        CommandId::random().to_string().replace('-', "")
    );
    // a load on a server has tables of its own, and leaves none
    let scratch = match &db {
        Some(Place::Server(server)) => Some(Scratch::new(server, &name).map_err(OpenError::from)?),
        Some(Place::File(_)) | None => None,
    };
    let (place, _folder) = match (&scratch, db) {
        (Some(scratch), _) => (Place::Server(Box::new(scratch.address().clone())), None),
        (None, Some(place)) => (place, None),
        (None, None) => {
            let folder = throw_away()?;
            (folder.path().join("house.db").into(), Some(folder))
        }
    };
    let engine = open(place.clone(), usize::MAX)?;
    let in_flight = scratch.as_ref().map_or(IN_FLIGHT, |_| IN_FLIGHT_SERVER);
    let desks = desks(&engine, "bench", (&place, in_flight));
    let desk = desk_of(&engine, "bench");
    let performances = stage::build(&desk, args.performances())?;
    let load = Load {
        carts: args.carts,
        seats_per_cart: args.seats_per_cart,
        rate: args.rate,
        performances,
        in_flight,
        seed: 42,
    };
    let (measured, per_process, control) = measure(&args, (&place, &desks), &load)?;
    let verified = verify(&desk)?.violations.is_empty();
    let steps = match &scratch {
        Some(scratch) if !args.no_control => Some(steps(scratch, &args)?),
        Some(_) | None => None,
    };
    Ok(TheaterReport {
        carts: measured.carts,
        seconds: measured.seconds,
        carts_per_second: measured.carts_per_second(),
        refused: measured.refused,
        left: measured.left,
        latency_ms: Latency::of(&measured.latency),
        longest_wait_ms: measured.longest_wait.as_secs_f64() * 1000.0,
        control,
        steps,
        verified: Some(verified),
        per_process,
    })
}

/// The load and its controls, in turns.
fn measure(
    args: &TheaterArgs,
    (place, desks): (&Place, &[Desk]),
    load: &Load,
) -> Result<(Measured, Vec<f64>, Option<Control>), BenchError> {
    let mut controls = if args.no_control {
        None
    } else {
        Some(Controls::new(args)?)
    };
    let bar = progress_bar(args.carts);
    let (mut measured, mut per_process) = (Measured::nothing()?, Vec::new());
    let turns = if args.processes > 1 { 1 } else { TURNS };
    for turn in 0..turns {
        let part = load.part((turn, turns));
        if args.processes > 1 {
            (measured, per_process) = several(place, &part, usize::from(args.processes))?;
        } else {
            let played = play(desks, &part, &|| bar.inc(1));
            measured.add(&played.map_err(|error| match error {
                Failure::Fault(Fault::Full) => BenchError::Full(bar.position()),
                other @ (Failure::Fault(_) | Failure::Refused(_)) => BenchError::Desk(other),
            })?);
        }
        if let Some(controls) = &mut controls {
            controls.turn((turn, turns))?;
        }
    }
    bar.finish_and_clear();
    let control = controls.as_ref().map(Controls::reached);
    Ok((measured, per_process, control))
}

impl TheaterArgs {
    /// How many houses the customers sit in.
    pub(super) const fn performances(&self) -> usize {
        if self.contested {
            1
        } else {
            stage::PERFORMANCES
        }
    }

    fn profiled(self) -> Self {
        if self.profile.is_none() {
            return self;
        }
        Self {
            carts: 25_000,
            seats_per_cart: 5,
            rate: Some(1000.0),
            processes: 4,
            ..self
        }
    }
}

/// A folder that goes away with whoever has it.
pub(super) fn throw_away() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("willcall-bench-").tempdir()
}

pub(super) fn open(place: Place, batch_max: usize) -> Result<Engine, OpenError> {
    Engine::open(Config {
        missing: Missing::Create,
        batch_max,
        ..Config::new(place)
    })
}

pub(super) fn desk_of(engine: &Engine, station: &str) -> Desk {
    engine.desk(Actor {
        operator: "bench".into(),
        station: station.into(),
    })
}

fn progress_bar(carts: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(carts).unwrap_or(u64::MAX));
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} carts  {per_sec}  {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shares the load among processes; each sells its part at its own station.
fn several(db: &Place, load: &Load, processes: usize) -> Result<(Measured, Vec<f64>), BenchError> {
    let mut children = (0..processes)
        .map(|number| start(db, load, (number, processes)))
        .collect::<Result<Vec<_>, _>>()?;
    for child in &mut children {
        wait_ready(child)?;
    }
    let started = std::time::Instant::now();
    for child in &mut children {
        // a closed pipe is seen when its result is read
        child
            .stdin
            .take()
            .map(|mut stdin| stdin.write_all(b"go\n"))
            .transpose()?;
    }
    let parts = children
        .into_iter()
        .map(finish)
        .collect::<Result<Vec<Part>, _>>()?;
    let seconds = started.elapsed().as_secs_f64();
    let mut measured = Measured::nothing()?;
    for part in &parts {
        let latency: Histogram<u64> = Deserializer::new()
            .deserialize(&mut part.latency.as_slice())
            .map_err(|error| BenchError::Process(error.to_string()))?;
        measured.add(&Measured {
            carts: part.carts,
            left: part.left,
            refused: part.refused,
            seconds: 0.0,
            latency,
            longest_wait: part.longest_wait,
        });
    }
    measured.seconds = seconds;
    Ok((
        measured,
        parts
            .iter()
            .map(|part| count(part.carts) / part.seconds)
            .collect(),
    ))
}

fn start(
    db: &Place,
    load: &Load,
    (number, processes): (usize, usize),
) -> Result<Child, BenchError> {
    let extra = usize::from(number < load.carts % processes);
    let share = Share {
        carts: load.carts / processes + extra,
        seats_per_cart: load.seats_per_cart,
        rate: load.rate.map(|rate| rate / count(processes)),
        performances: load.performances.clone(),
        in_flight: load.in_flight.div_ceil(processes),
        seed: load.seed + u64::try_from(number).unwrap_or_default() * 1000,
    };
    let file = std::env::temp_dir().join(format!("willcall-share-{}.json", CommandId::random()));
    std::fs::write(
        &file,
        serde_json::to_vec(&share).map_err(std::io::Error::other)?,
    )?;
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    command.args(["bench", "theater", "--share"]).arg(&file);
    // a place may have a password in it: no file, and no line that others may see
    command.env(SHARE_DB, db.spelled());
    Ok(command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?)
}

fn wait_ready(child: &mut Child) -> Result<(), BenchError> {
    let Some(stdout) = child.stdout.as_mut() else {
        return Err(BenchError::Process("it has no output".into()));
    };
    let mut byte = [0_u8; 6];
    std::io::Read::read_exact(stdout, &mut byte)
        .map_err(|error| BenchError::Process(error.to_string()))
}

fn finish(child: Child) -> Result<Part, BenchError> {
    let output = child.wait_with_output()?;
    serde_json::from_slice(&output.stdout).map_err(|error| BenchError::Process(error.to_string()))
}

/// One process of several: says that it is ready, waits for the start, sells its share, and tells its part.
///
/// # Errors
/// See [`BenchError`].
pub fn run_share(file: &Path, out: &mut dyn Write) -> Result<(), BenchError> {
    let share: Share =
        serde_json::from_slice(&std::fs::read(file)?).map_err(std::io::Error::other)?;
    std::fs::remove_file(file)?;
    let place = std::env::var_os(SHARE_DB).unwrap_or_default();
    let place = Place::parse(&place.to_string_lossy())?;
    let engine = open(place.clone(), usize::MAX)?;
    let name = format!("bench-{}", std::process::id());
    let desks = desks(&engine, &name, (&place, share.in_flight));
    out.write_all(b"ready\n")?;
    out.flush()?;
    BufReader::new(std::io::stdin()).read_line(&mut String::new())?;
    let load = Load {
        carts: share.carts,
        seats_per_cart: share.seats_per_cart,
        rate: share.rate,
        performances: share.performances,
        in_flight: share.in_flight,
        seed: share.seed,
    };
    let measured = play(&desks, &load, &|| ())?;
    let mut latency = Vec::new();
    V2Serializer::new()
        .serialize(&measured.latency, &mut latency)
        .map_err(|error| BenchError::Process(error.to_string()))?;
    let Measured {
        carts,
        left,
        refused,
        seconds,
        longest_wait,
        ..
    } = measured;
    serde_json::to_writer(
        out,
        &Part {
            carts,
            left,
            refused,
            seconds,
            latency,
            longest_wait,
        },
    )
    .map_err(std::io::Error::other)?;
    Ok(())
}

/// Customers a second, so many that the last one still comes on some day.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok();
    rate.filter(|rate| (0.01..=1e6).contains(rate))
        .ok_or_else(|| "it has to be between 0.01 and 1000000".to_owned())
}
