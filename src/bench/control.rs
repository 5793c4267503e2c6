//! What stands beside a load: bare flushes, a house in memory with a log, and this engine with a transaction for
//! each command.
//!
//! They take turns with the load, for a machine is not the same from one second to the next; and their houses fill
//! up as the load's do, for a customer in a full house is refused more often.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use super::load::{Dice, IN_FLIGHT, LATENCY_MICROS_MAX, Load, Measured, count, play, share};
use super::report::Control;
use super::stage::{self, PERFORMANCES, SIDE};
use super::theater::{BenchError, TheaterArgs, desk_of, open, throw_away};
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
    closed: MemoryHouse,
    /// The same arrivals as the load's, where it has a rate.
    arriving: Option<MemoryHouse>,
    single: Single,
    carts: usize,
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
        let memory = |name, rate| MemoryHouse::new(&folder.path().join(name), args, rate);
        Ok(Self {
            flushes: Flushes::new(folder.path())?,
            closed: memory("log", None)?,
            arriving: args
                .rate
                .map(|rate| memory("arrivals", Some(rate)))
                .transpose()?,
            single: Single::new(folder.path(), args)?,
            carts: args.carts,
            _folder: folder,
        })
    }

    /// One turn of each.
    ///
    /// # Errors
    /// The folder cannot be written to, or the desk failed.
    pub(super) fn turn(&mut self, part: (usize, usize)) -> Result<(), BenchError> {
        let carts = share(self.carts, part);
        // right after the load: what goes as fast as it can leaves the disk much to do
        if let Some(arriving) = &mut self.arriving {
            arriving.sell(carts)?;
        }
        self.flushes
            .count(FLUSHES_FOR / u32::try_from(part.1).unwrap_or(1))?;
        self.closed.sell(carts)?;
        let Single {
            desk,
            load,
            measured,
            ..
        } = &mut self.single;
        let played = play(std::slice::from_ref(desk), &load.part(part), &|| ())?;
        measured.add(&played);
        std::thread::sleep(SETTLE);
        Ok(())
    }

    /// What all turns reached.
    pub(super) fn reached(&self) -> Control {
        let waited = &self.arriving.as_ref().unwrap_or(&self.closed).latency;
        let p99 = u32::try_from(waited.value_at_quantile(0.99)).unwrap_or(u32::MAX);
        Control {
            flushes_per_second: count(self.flushes.done) / self.flushes.took.as_secs_f64(),
            memory_log_carts_per_second: count(self.closed.carts) / self.closed.took.as_secs_f64(),
            memory_log_p99_ms: f64::from(p99) / 1000.0,
            per_command_carts_per_second: self.single.measured.carts_per_second(),
        }
    }
}

/// This engine, with a transaction for each command and all else as it is.
struct Single {
    desk: Desk,
    load: Load,
    measured: Measured,
    _engine: Engine,
}

impl Single {
    fn new(folder: &Path, args: &TheaterArgs) -> Result<Self, BenchError> {
        let engine = open(folder.join("per-command.db").into(), 1)?;
        let desk = desk_of(&engine, "bench");
        let (carts, performances) = if args.contested {
            (args.carts, 1)
        } else {
            let carts = args.carts.min(SINGLE_CARTS);
            // as many houses for its carts as the load has for its own
            (carts, (PERFORMANCES * carts).div_ceil(args.carts.max(1)))
        };
        Ok(Self {
            load: Load {
                carts,
                seats_per_cart: args.seats_per_cart,
                rate: None,
                performances: stage::build(&desk, performances)?,
                in_flight: IN_FLIGHT,
                seed: 43,
            },
            desk,
            measured: Measured::nothing()?,
            _engine: engine,
        })
    }
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

/// Sells the same carts from memory, with a line in a log and one flush for whatever has come: the physical limit.
struct MemoryHouse {
    taken: Vec<u32>,
    log: File,
    dice: Dice,
    seats: u32,
    rate: Option<f64>,
    carts: usize,
    took: Duration,
    latency: Histogram<u64>,
}

impl MemoryHouse {
    fn new(log: &Path, args: &TheaterArgs, rate: Option<f64>) -> std::io::Result<Self> {
        Ok(Self {
            taken: vec![0; PERFORMANCES * usize::try_from(SIDE).unwrap_or_default()],
            log: File::create(log)?,
            dice: Dice(7),
            seats: args.seats_per_cart,
            rate,
            carts: 0,
            took: Duration::ZERO,
            latency: Histogram::new_with_max(LATENCY_MICROS_MAX, 3)
                .map_err(std::io::Error::other)?,
        })
    }

    fn sell(&mut self, carts: usize) -> std::io::Result<()> {
        let started = Instant::now();
        let mut done = 0;
        while done < carts {
            let mut batch: Vec<Instant> = Vec::with_capacity(IN_FLIGHT);
            let mut lines = Vec::new();
            while batch.len() < IN_FLIGHT && done + batch.len() < carts {
                let number = done + batch.len();
                let meant = self.rate.map_or_else(Instant::now, |rate| {
                    started + Duration::from_secs_f64(count(number) / rate)
                });
                if meant > Instant::now() {
                    break;
                }
                take(&mut self.taken, &mut self.dice, self.seats);
                writeln!(
                    lines,
                    "{meant:?} {number} opened, held and sold {} seats for 50.00",
                    self.seats
                )?;
                batch.push(meant);
            }
            if batch.is_empty() {
                std::thread::sleep(Duration::from_micros(50));
                continue;
            }
            // a command is answered when it is durable; a cart is three of them, one after the other
            for part in lines.chunks(lines.len() / 3 + 1) {
                self.log.write_all(part)?;
                self.log.sync_data()?;
            }
            done += batch.len();
            for meant in batch {
                let waited = u64::try_from(meant.elapsed().as_micros()).unwrap_or(u64::MAX);
                self.latency.saturating_record(waited);
            }
        }
        self.carts += carts;
        self.took += started.elapsed();
        Ok(())
    }
}

/// Takes neighbouring seats somewhere; a row is the bits of a word.
fn take(taken: &mut [u32], dice: &mut Dice, seats: u32) {
    for _ in 0..40 {
        let from = dice.below(SIDE + 1 - seats);
        let wanted = ((1_u32 << seats) - 1) << from;
        let place = dice.below(u32::try_from(taken.len()).unwrap_or(u32::MAX));
        let Some(row) = usize::try_from(place)
            .ok()
            .and_then(|place| taken.get_mut(place))
        else {
            continue;
        };
        if *row & wanted == 0 {
            *row |= wanted;
            return;
        }
    }
}
