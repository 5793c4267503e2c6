//! What stands beside a load: bare flushes, a house in memory with a log, and this engine with a transaction for
//! each command.
//!
//! They take turns with the load, for a machine is not the same from one second to the next; and their houses fill
//! up as the load's do, for a customer in a full house is refused more often.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::load::{IN_FLIGHT, Load, Measured, count, play};
use super::memory::MemoryHouse;
use super::report::Control;
use super::seller::Seller;
use super::stage;
use super::theater::{BenchError, TheaterArgs, desk_of, open, throw_away};
use crate::domain::ids::PerformanceId;
use crate::engine::{Desk, Engine};

/// How long bare flushes are counted, all turns together.
const FLUSHES_FOR: Duration = Duration::from_secs(1);

/// How long the disk has for what the controls left it to do, before the load goes on.
const SETTLE: Duration = Duration::from_millis(500);

/// Bytes that a commit writes at least.
const BLOCK: [u8; 4096] = [7; 4096];

/// Carts of the control that commits each command by itself; it is slow.
const SINGLE_CARTS: usize = 4000;

/// The controls of a load, each with what it has reached so far.
pub(super) struct Controls {
    flushes: Flushes,
    closed: Beside<MemoryHouse>,
    /// The same arrivals as the load's, where it has a rate.
    arriving: Option<Beside<MemoryHouse>>,
    single: Beside<Desk>,
    _engine: Engine,
    // goes last
    _folder: tempfile::TempDir,
}

impl Controls {
    /// Makes their houses.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(super) fn new(args: &TheaterArgs) -> Result<Self, BenchError> {
        let folder = throw_away()?;
        let memory = |name, rate| in_memory(&folder.path().join(name), args, rate);
        let (single, engine) = single(folder.path(), args)?;
        Ok(Self {
            flushes: Flushes::new(folder.path())?,
            closed: memory("log", None)?,
            arriving: args
                .rate
                .map(|rate| memory("arrivals", Some(rate)))
                .transpose()?,
            single,
            _engine: engine,
            _folder: folder,
        })
    }

    /// One turn of each.
    ///
    /// # Errors
    /// The folder cannot be written to, or the desk failed.
    pub(super) fn turn(&mut self, part: (usize, usize)) -> Result<(), BenchError> {
        // right after the load: what goes as fast as it can leaves the disk much to do
        if let Some(arriving) = &mut self.arriving {
            arriving.turn(part)?;
        }
        self.flushes
            .count(FLUSHES_FOR / u32::try_from(part.1).unwrap_or(1))?;
        self.closed.turn(part)?;
        self.single.turn(part)?;
        std::thread::sleep(SETTLE);
        Ok(())
    }

    /// What all turns reached.
    pub(super) fn reached(&self) -> Control {
        let waited = &self
            .arriving
            .as_ref()
            .unwrap_or(&self.closed)
            .measured
            .latency;
        let p99 = u32::try_from(waited.value_at_quantile(0.99)).unwrap_or(u32::MAX);
        Control {
            flushes_per_second: count(self.flushes.done) / self.flushes.took.as_secs_f64(),
            memory_log_carts_per_second: self.closed.measured.carts_per_second(),
            memory_log_p99_ms: f64::from(p99) / 1000.0,
            per_command_carts_per_second: self.single.measured.carts_per_second(),
        }
    }
}

/// The same customers, served by somebody else.
struct Beside<S> {
    seller: S,
    load: Load,
    measured: Measured,
}

impl<S: Seller> Beside<S> {
    fn turn(&mut self, part: (usize, usize)) -> Result<(), BenchError> {
        let seller = std::slice::from_ref(&self.seller);
        let played = play(seller, &self.load.part(part), &|| ())?;
        self.measured.add(&played);
        Ok(())
    }
}

/// A house in memory.
fn in_memory(
    log: &Path,
    args: &TheaterArgs,
    rate: Option<f64>,
) -> Result<Beside<MemoryHouse>, BenchError> {
    let performances = std::iter::repeat_with(PerformanceId::random);
    Ok(Beside {
        seller: MemoryHouse::open(log)?,
        load: Load {
            carts: args.carts,
            seats_per_cart: args.seats_per_cart,
            rate,
            performances: performances.take(args.performances()).collect(),
            in_flight: IN_FLIGHT,
            seed: 7,
        },
        measured: Measured::nothing()?,
    })
}

/// This engine, with a transaction for each command and all else as it is.
fn single(folder: &Path, args: &TheaterArgs) -> Result<(Beside<Desk>, Engine), BenchError> {
    let engine = open(folder.join("per-command.db").into(), 1)?;
    let desk = desk_of(&engine, "bench");
    let carts = if args.contested {
        args.carts
    } else {
        args.carts.min(SINGLE_CARTS)
    };
    // as many houses for its carts as the load has for its own
    let performances = (args.performances() * carts).div_ceil(args.carts.max(1));
    let load = Load {
        carts,
        seats_per_cart: args.seats_per_cart,
        rate: None,
        performances: stage::build(&desk, performances)?,
        in_flight: IN_FLIGHT,
        seed: 43,
    };
    let beside = Beside {
        seller: desk,
        load,
        measured: Measured::nothing()?,
    };
    Ok((beside, engine))
}

/// A block appended and flushed, over and over.
struct Flushes {
    file: File,
    done: usize,
    took: Duration,
}

impl Flushes {
    fn new(folder: &Path) -> std::io::Result<Self> {
        Ok(Self {
            file: File::create(folder.join("flushes"))?,
            done: 0,
            took: Duration::ZERO,
        })
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
