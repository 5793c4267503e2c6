//! Baselines of `bench theater`: bare flushes, a house in memory with a log, this engine with a transaction for each
//! command, and on a server a statement for each step.
//!
//! Baselines take turns with the load, because a machine's speed varies by the second. Their houses fill up like the
//! load's, for a full house refuses more customers.
//!
//! Import cycle with `bench::theater`: it takes that load's arguments, and the load runs it.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{memory, steps};
use crate::bench::load::{IN_FLIGHT, Load, Measured, play};
use crate::bench::report::{BaselineReport, Latency, StepReport};
use crate::bench::seller::{Seller, SellerThread};
use crate::bench::theater::TheaterArgs;
use crate::bench::{BenchError, count, open_house, stage, temporary_folder};
use crate::domain::ids::PerformanceId;
use crate::engine::{Config, Desk};
use crate::store::postgres::Address;

/// Total duration of the bare flushes, over all turns.
const FLUSHES_FOR: Duration = Duration::from_secs(1);

/// Rest for the disk after the baselines, before the load goes on.
const SETTLE: Duration = Duration::from_millis(500);

/// One block: the least that a commit writes.
const BLOCK: [u8; 4096] = [7; 4096];

/// Carts of the baseline with a transaction for each command, which is slow.
const SINGLE_CARTS: usize = 4000;

/// The baselines, with their results so far.
pub(in crate::bench) struct Baselines {
    flushes: Flushes,
    memory: OtherSeller<SellerThread>,
    /// Arrivals at the load's rate; `None` for a closed loop.
    arrivals: Option<OtherSeller<SellerThread>>,
    single: OtherSeller<Desk>,
    steps: Option<OtherSeller<SellerThread>>,
    // dropped last
    _folder: tempfile::TempDir,
}

impl Baselines {
    /// Prepares the baselines for a load, on its server if it has one.
    pub(in crate::bench) fn new(args: &TheaterArgs, load: &Load, server: Option<&Address>) -> Result<Self, BenchError> {
        let folder = temporary_folder()?;
        let in_memory = |name: &str, rate| {
            let performances = std::iter::repeat_with(PerformanceId::random);
            let load = Load {
                rate,
                performances: performances.take(args.performances()).collect(),
                in_flight: IN_FLIGHT,
                seed: 7,
                ..load.clone()
            };
            let seller = memory::open(&folder.path().join(name))?;
            Ok::<_, BenchError>(OtherSeller::new(vec![seller], load))
        };
        let closed = Load { rate: None, ..load.clone() };
        let steps = server.map(|server| {
            let clerks = steps::clerks(server, &closed)?;
            Ok::<_, BenchError>(OtherSeller::new(clerks, closed.clone()))
        });
        let single = single(folder.path(), args, &closed)?;
        Ok(Self {
            flushes: Flushes::new(folder.path())?,
            memory: in_memory("log", None)?,
            arrivals: args.rate.map(|rate| in_memory("arrivals", Some(rate))).transpose()?,
            single,
            steps: steps.transpose()?,
            _folder: folder,
        })
    }

    pub(in crate::bench) fn turn(&mut self, part: (usize, usize)) -> Result<(), BenchError> {
        // runs before the closed-loop baselines, which load the disk
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.turn(part)?;
        }
        self.flushes.count(FLUSHES_FOR / u32::try_from(part.1).unwrap_or(1))?;
        self.memory.turn(part)?;
        self.single.turn(part)?;
        if let Some(steps) = &mut self.steps {
            steps.turn(part)?;
        }
        std::thread::sleep(SETTLE);
        Ok(())
    }

    pub(in crate::bench) fn reached(&self) -> (BaselineReport, Option<StepReport>) {
        let arrived = self.arrivals.as_ref().unwrap_or(&self.memory);
        let baselines = BaselineReport {
            flushes_per_second: count(self.flushes.done) / self.flushes.took.as_secs_f64(),
            memory_log_carts_per_second: self.memory.measured.carts_per_second(),
            memory_log_p99_ms: Latency::of(&arrived.measured.latency).p99,
            per_command_carts_per_second: self.single.measured.carts_per_second(),
        };
        let steps = self.steps.as_ref().map(|steps| StepReport {
            carts_per_second: steps.measured.carts_per_second(),
            p99_ms: Latency::of(&steps.measured.latency).p99,
        });
        (baselines, steps)
    }
}

/// Runs the load's customers at another seller.
struct OtherSeller<S> {
    sellers: Vec<S>,
    load: Load,
    measured: Measured,
}

impl<S: Seller> OtherSeller<S> {
    fn new(sellers: Vec<S>, load: Load) -> Self {
        Self { sellers, load, measured: Measured::default() }
    }

    fn turn(&mut self, part: (usize, usize)) -> Result<(), BenchError> {
        let played = play(&self.sellers, &self.load.part(part), &|| ())?;
        self.measured.add(&played);
        Ok(())
    }
}

/// This engine, with a transaction for each command.
fn single(folder: &Path, args: &TheaterArgs, load: &Load) -> Result<OtherSeller<Desk>, BenchError> {
    let desk = open_house(Config { batch_max: 1, ..Config::new(folder.join("per-command.db")) })?;
    let carts = if args.contested { load.carts } else { load.carts.min(SINGLE_CARTS) };
    // as many performances for each cart as in the load
    let performances = (args.performances() * carts).div_ceil(load.carts.max(1));
    let load = Load {
        carts,
        performances: stage::build(&desk, performances)?,
        in_flight: IN_FLIGHT,
        seed: 43,
        ..load.clone()
    };
    Ok(OtherSeller::new(vec![desk], load))
}

/// Appends and flushes a block, repeatedly.
struct Flushes {
    file: File,
    done: usize,
    took: Duration,
}

impl Flushes {
    fn new(folder: &Path) -> std::io::Result<Self> {
        Ok(Self { file: File::create(folder.join("flushes"))?, done: 0, took: Duration::ZERO })
    }

    fn count(&mut self, time: Duration) -> std::io::Result<()> {
        let started = Instant::now();
        while started.elapsed() < time {
            self.file.write_all(&BLOCK)?;
            self.file.sync_data()?;
            self.done += 1;
        }
        self.took += started.elapsed();
        Ok(())
    }
}
