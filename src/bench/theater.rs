//! `willcall bench theater`: the classic load, its baselines, and a check of the house at the end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use super::baselines::server::Schema;
use super::baselines::theater::Baselines;
use super::load::{IN_FLIGHT, IN_FLIGHT_SERVER, Load, Measured, play};
use super::report::{Latency, TheaterReport};
use super::temporary_folder;
use super::{BenchError, count, desk_of, open_house, progress_bar, result_of, share_command, signed_in, stage};
use crate::domain::ids::CommandId;
use crate::domain::time::Span;
use crate::engine::verify::Verify;
use crate::engine::{Config, Desk, Failure, Fault, Location};

/// Turns in which a load of one process and its baselines are measured.
const TURNS: usize = 5;

/// Environment variable that names the house for one of several processes.
const SHARE_DB: &str = "WILLCALL_BENCH_SHARE_DB";

/// Options of the measurement.
#[derive(Clone, Debug, clap::Args)]
pub struct TheaterArgs {
    /// Carts to sell.
    #[arg(long, default_value_t = 25_000)]
    pub carts: usize,
    /// Neighbouring seats of each cart.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub seats_per_cart: u32,
    /// Customers a second, who wait from their scheduled time; without it a closed loop.
    #[arg(long, value_parser = rate)]
    pub rate: Option<f64>,
    /// Search how many customers a second are served while 99 of 100 wait no longer than this: 100ms
    #[arg(long, value_name = "TIME", value_parser = Span::parse, conflicts_with_all = ["profile", "here"])]
    pub target_p99: Option<Span>,
    /// Processes that share the house.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub processes: u16,
    /// Let all customers want the same 900 seats.
    #[arg(long)]
    pub contested: bool,
    /// `published`: 4 processes, 1,000 customers a second for 25 seconds, 5 tickets each.
    #[arg(long, value_parser = ["published"])]
    pub profile: Option<String>,
    /// Measure the tables of the house that --db names, which is made for it and keeps what is sold; a schema of the load's
    /// own is not distributed.
    #[arg(long)]
    pub here: bool,
    /// Measure only the load, no baselines.
    #[arg(long)]
    pub no_control: bool,
    /// PIN of the office, in a house that has operators.
    #[arg(skip)]
    pub pin: Option<String>,
    /// Longest time of the load.
    #[arg(skip)]
    pub longest: Option<Duration>,
    /// The performances sold by one of several processes.
    #[arg(long, hide = true)]
    pub share: Option<PathBuf>,
}

impl TheaterArgs {
    /// Performances that the customers choose from.
    pub(super) const fn performances(&self) -> usize {
        if self.contested { 1 } else { stage::PERFORMANCES }
    }

    fn profiled(self) -> Self {
        if self.profile.is_none() {
            return self;
        }
        Self { carts: 25_000, seats_per_cart: 5, rate: Some(1000.0), processes: 4, ..self }
    }
}

/// Measures on a throw-away house, or on the given one.
pub fn run(args: &TheaterArgs, db: Option<Location>) -> Result<TheaterReport, BenchError> {
    let args = args.clone().profiled();
    let folder = temporary_folder()?;
    // a load on a server uses a schema for itself, and drops it
    let schema = match &db {
        Some(Location::Server(server)) if !args.here => Some(Schema::new(server)?),
        Some(Location::Server(_) | Location::File(_)) | None => None,
    };
    let server = schema.as_ref().map(|schema| &schema.address);
    let place = server.map(|server| Location::Server(Box::new(server.clone())));
    let place = place.or(db).unwrap_or_else(|| folder.path().join("house.db").into());
    let pin = args.pin.as_deref();
    let staged = signed_in(open_house(Config::new(place.clone()))?, pin)?;
    let performances = stage::build(&staged, args.performances())?;
    staged.close();
    let bytes_before = file_bytes(&place);
    let house = open_house(Config::new(place.clone()))?;
    let load = Load {
        carts: args.carts,
        seats_per_cart: args.seats_per_cart,
        rate: args.rate,
        performances,
        in_flight: if matches!(place, Location::Server(_)) { IN_FLIGHT_SERVER } else { IN_FLIGHT },
        longest: args.longest,
        seed: 42,
    };
    let mut baselines = (!args.no_control && !args.here).then(|| Baselines::new(&args, &load, server)).transpose()?;
    let bar = progress_bar(load.carts, "{bar:40} {pos}/{len} carts  {per_sec}  {eta} left");
    let desks = desks((&house, pin), "bench", (&place, load.in_flight))?;
    let (mut measured, mut per_process) = (Measured::default(), Vec::new());
    let turns = if args.processes > 1 { 1 } else { TURNS };
    for turn in 0..turns {
        let part = load.part((turn, turns));
        if args.processes > 1 {
            (measured, per_process) = several(&place, &part, usize::from(args.processes))?;
        } else {
            let played = play(&desks, &part, &|| bar.inc(1));
            measured.add(&played.map_err(|error| match error {
                Failure::Fault(Fault::Full) => BenchError::Full(bar.position()),
                other @ (Failure::Fault(_) | Failure::Refused(_)) => BenchError::Desk(other),
            })?);
        }
        if let Some(baselines) = &mut baselines {
            baselines.turn((turn, turns))?;
        }
    }
    bar.finish_and_clear();
    let (control, steps) = baselines.as_ref().map(Baselines::reached).unzip();
    let verified = house.read(Verify::default())?.violations.is_empty();
    house.close();
    let grown = file_bytes(&place).zip(bytes_before).map(|(after, before)| after.saturating_sub(before));
    Ok(TheaterReport {
        bytes_per_cart: grown.map(|bytes| count(bytes) / count(measured.carts)),
        carts: measured.carts,
        seconds: measured.seconds,
        carts_per_second: measured.carts_per_second(),
        refused: measured.refused,
        left: measured.left,
        latency_ms: Latency::of(&measured.latency),
        longest_wait_ms: measured.longest_wait.as_secs_f64() * 1000.0,
        control,
        steps: steps.flatten(),
        verified,
        per_process,
    })
}

/// Size of a house's file that nobody has open; none on a server.
fn file_bytes(place: &Location) -> Option<usize> {
    match place {
        Location::File(file) => usize::try_from(std::fs::metadata(file).ok()?.len()).ok(),
        Location::Server(_) => None,
    }
}

/// Stations: one on a file; on a server one for each customer, since receipts are numbered by station.
fn desks(
    (house, pin): (&Desk, Option<&str>),
    name: &str,
    (place, in_flight): (&Location, usize),
) -> Result<Vec<Desk>, Failure> {
    let at = |station: &str| signed_in(desk_of(house, station), pin);
    match place {
        Location::File(_) => Ok(vec![at(name)?]),
        Location::Server(_) => (0..in_flight).map(|number| at(&format!("{name}-{number}"))).collect(),
    }
}

/// Shares the load among processes; each sells its part at its own station.
fn several(db: &Location, load: &Load, processes: usize) -> Result<(Measured, Vec<f64>), BenchError> {
    let mut children =
        (0..processes).map(|number| start(db, &load.share((number, processes)))).collect::<Result<Vec<_>, _>>()?;
    for child in &mut children {
        let mut ready = [0; READY.len()];
        if let Some(stdout) = &mut child.stdout {
            std::io::Read::read_exact(stdout, &mut ready).map_err(BenchError::part)?;
        }
    }
    let started = std::time::Instant::now();
    for child in &mut children {
        // a closed pipe is noticed when the result is read
        let stdin = child.stdin.take();
        stdin.map(|mut stdin| stdin.write_all(b"go\n")).transpose()?;
    }
    let parts = children.into_iter().map(result_of);
    let parts = parts.collect::<Result<Vec<Measured>, _>>()?;
    let seconds = started.elapsed().as_secs_f64();
    let mut measured = Measured::default();
    for part in &parts {
        measured.add(part);
    }
    measured.seconds = seconds;
    Ok((measured, parts.iter().map(Measured::carts_per_second).collect()))
}

/// Line by which one of several processes says that it has opened the house.
const READY: &[u8; 6] = b"ready\n";

fn start(db: &Location, share: &Load) -> Result<Child, BenchError> {
    let file = std::env::temp_dir().join(format!("willcall-share-{}.json", CommandId::random()));
    std::fs::write(&file, serde_json::to_vec(share).map_err(BenchError::part)?)?;
    // a place may contain a password: no file, and no command line that others may read
    let mut command = share_command("theater", &file)?;
    Ok(command.env(SHARE_DB, db.spelled()).spawn()?)
}

/// One of several processes: reports ready, waits for the start, sells its share, and writes its part.
pub fn run_share((file, pin): (&Path, Option<&str>), out: &mut dyn Write) -> Result<(), BenchError> {
    let load: Load = serde_json::from_slice(&std::fs::read(file)?).map_err(BenchError::part)?;
    std::fs::remove_file(file)?;
    let place = std::env::var_os(SHARE_DB).unwrap_or_default();
    let place = Location::parse(&place.to_string_lossy())?;
    let house = open_house(Config::new(place.clone()))?;
    let name = format!("bench-{}", std::process::id());
    let desks = desks((&house, pin), &name, (&place, load.in_flight))?;
    out.write_all(READY)?;
    out.flush()?;
    std::io::stdin().read_line(&mut String::new())?;
    let measured = play(&desks, &load, &|| ())?;
    serde_json::to_writer(out, &measured).map_err(BenchError::part)
}

/// Customers a second, capped so that the last arrival is still a valid time.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok();
    rate.filter(|rate| (0.01..=1e6).contains(rate)).ok_or_else(|| "it has to be between 0.01 and 1000000".to_owned())
}
