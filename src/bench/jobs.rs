//! `willcall bench jobs`: a million waiting checks, and what comes due among them.
//!
//! Everything runs on a throw-away house: what a tick costs when nothing is due, how late an idle desk runs a
//! check, how fast due carts are swept beside operators, how many small checks go through one process, and
//! whether competing processes make each effect exactly once.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use hdrhistogram::Histogram;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::load::{LATENCY_MICROS_MAX, count};
use super::stage::{self, SIDE};
use super::theater::BenchError;
use crate::domain::ids::{CartId, CommandId, PerformanceId};
use crate::domain::job::JobKind;
use crate::domain::plan::SeatRef;
use crate::domain::time::{Instant, Span};
use crate::engine::clock::{Clock, ManualClock, SystemClock};
use crate::engine::ops::{HoldSeats, Kept, OpenCart, Wanted};
use crate::engine::{Actor, Config, Desk, Engine, Failure, Operation, Ticker, Work};
use crate::store::Fault;
use crate::store::Missing;

mod counts;
mod operators;
pub mod report;

use counts::{CountRuns, CountTwice, NothingDue};
use report::{JobsReport, Processes, Sweep};

/// How many ticks are measured.
const TICKS: u32 = 20_000;

/// How many jobs one command writes.
const JOBS_PER_COMMAND: usize = 1000;

/// How many commands wait at once while a house is furnished.
const IN_FLIGHT: usize = 500;

/// How many times as many carts competing processes end as one sweeps.
const COMPETED: usize = 4;

/// How many seats a due cart has.
const SEATS: u32 = 2;

/// How long operators work beside a sweep.
const BESIDE: Duration = Duration::from_secs(4);

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct JobsArgs {
    /// How many checks wait.
    #[arg(long, default_value_t = 1_000_000)]
    pub waiting: usize,
    /// How many carts come due at once.
    #[arg(long, default_value_t = 10_000)]
    pub due: usize,
    /// How many commands of operators arrive each second beside the sweep.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rate: u32,
    /// How many processes compete.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub processes: u16,
    /// The house that a process of several sweeps.
    #[arg(long, hide = true)]
    pub share: Option<std::path::PathBuf>,
}

/// Writes checks that wait, for subjects that are not there.
#[derive(Serialize)]
struct PutWaiting {
    count: usize,
    at: Instant,
}

impl Operation for PutWaiting {
    const VERB: &'static str = "bench_put_waiting";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        for _ in 0..self.count {
            work.put_job(JobKind::CartExpiry, CartId::random(), self.at)?;
        }
        Ok(())
    }
}

/// A house whose clock the benchmark moves.
struct House {
    engine: Engine,
    desk: Desk,
    clock: Arc<ManualClock>,
    performances: Vec<PerformanceId>,
}

/// Measures on a throw-away house.
///
/// # Errors
/// See [`BenchError`].
pub fn run(args: &JobsArgs) -> Result<JobsReport, BenchError> {
    let folder = tempfile::Builder::new()
        .prefix("willcall-bench-")
        .tempdir()?;
    let path = folder.path().join("house.db");
    let bar = progress_bar(args);
    // some hours ago, so that what it leaves is due for processes on the machine's clock
    let past = SystemClock::default().now() - Span::minutes(180);
    let house = House::furnished(&path, (past, args), &bar)?;
    bar.set_message("ticks with nothing due");
    let tick = ticks(&house.desk)?;
    bar.set_message("due carts beside operators");
    let sweep = house.sweep(args)?;
    bar.set_message("small checks");
    let small = house.small_checks(args.due * 2)?;
    bar.set_message("competing processes");
    house.carts(args.due * COMPETED, Carts::Empty)?;
    drop(house.desk);
    drop(house.engine);
    let processes = compete(&path, args)?;
    bar.set_message("an idle desk");
    let late = lateness(&folder.path().join("idle.db"))?;
    bar.finish_and_clear();
    Ok(JobsReport {
        waiting: args.waiting,
        tick_micros_mean: tick.mean(),
        tick_micros_p99: tick.value_at_quantile(0.99),
        sweep,
        small_checks_per_second: small,
        processes,
        idle_late_ms_max: late,
    })
}

fn progress_bar(args: &JobsArgs) -> ProgressBar {
    let all = args.waiting + args.due;
    let bar = ProgressBar::new(u64::try_from(all).unwrap_or(u64::MAX));
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len}  {msg}  {elapsed}");
    bar.set_message("checks that wait");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn open(path: &Path, clock: Arc<dyn Clock>, ticker: Ticker) -> Result<Engine, BenchError> {
    Ok(Engine::open(Config {
        missing: Missing::Create,
        clock,
        ticker,
        ..Config::new(path.to_owned())
    })?)
}

fn desk_of(engine: &Engine) -> Desk {
    engine.desk(Actor {
        operator: "bench".into(),
        station: format!("bench-{}", std::process::id()),
    })
}

/// What a cart of the benchmark holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carts {
    Empty,
    Seats,
}

impl House {
    fn furnished(
        path: &Path,
        (past, args): (Instant, &JobsArgs),
        bar: &ProgressBar,
    ) -> Result<Self, BenchError> {
        let clock = Arc::new(ManualClock::at(past));
        let engine = open(path, Arc::<ManualClock>::clone(&clock), Ticker::On)?;
        let desk = desk_of(&engine);
        let year = Span::minutes(60 * 24 * 365);
        let mut left = args.waiting;
        while left > 0 {
            let count = left.min(JOBS_PER_COMMAND);
            let at = past + year + Span::seconds(i64::try_from(left).unwrap_or(i64::MAX));
            desk.run(PutWaiting { count, at })?;
            left -= count;
            bar.inc(u64::try_from(count).unwrap_or_default());
        }
        let per_performance = usize::try_from(SIDE * (SIDE / SEATS)).unwrap_or(1);
        let performances = stage::build(&desk, args.due / per_performance + 2)?;
        let house = Self {
            engine,
            desk,
            clock,
            performances,
        };
        bar.set_message("carts that come due");
        house.carts(args.due, Carts::Seats)?;
        bar.inc(u64::try_from(args.due).unwrap_or_default());
        Ok(house)
    }

    /// Opens carts, each with two seats or none.
    fn carts(&self, carts: usize, what: Carts) -> Result<(), BenchError> {
        let opened = self.all(0..carts, |_| OpenCart::default())?;
        if what == Carts::Empty {
            return Ok(());
        }
        let pairs = SIDE / SEATS;
        let place = |number: usize| {
            let pair = u32::try_from(number).unwrap_or_default();
            let house = usize::try_from(pair / (pairs * SIDE)).unwrap_or_default();
            (house, pair / pairs % SIDE, pair % pairs * SEATS)
        };
        let carts = opened.into_iter().enumerate();
        let holds = carts.filter_map(|(number, cart)| {
            let (house, row, first) = place(number);
            let seats = (first..first + SEATS).map(|seat| SeatRef { row, seat });
            Some(HoldSeats {
                cart: Some(cart.id),
                performance: *self.performances.get(house)?,
                seats: Wanted::Seats(seats.collect()),
                ticket_type: None,
                kept: Kept::Refuse,
            })
        });
        self.all(holds, |hold| hold)?;
        Ok(())
    }

    /// Runs many operations, a few hundred at once.
    fn all<T, O: Operation>(
        &self,
        of: impl IntoIterator<Item = T>,
        make: impl Fn(T) -> O,
    ) -> Result<Vec<O::Answer>, BenchError> {
        let mut answers = Vec::new();
        let mut operations = of.into_iter().map(make).peekable();
        while operations.peek().is_some() {
            let (sender, receiver) = std::sync::mpsc::channel();
            for operation in operations.by_ref().take(IN_FLIGHT) {
                let sender = sender.clone();
                self.desk
                    .submit(CommandId::random(), operation, move |answer| {
                        // the benchmark waits for every answer
                        let _ = sender.send(answer);
                    });
            }
            drop(sender);
            for answer in receiver {
                answers.push(answer?);
            }
        }
        Ok(answers)
    }

    /// Lets everything come due, and waits until it is swept; gives how long it took.
    fn swept(&self) -> Result<Duration, BenchError> {
        let began = Moment::now();
        self.clock.set(self.clock.now() + Span::minutes(31));
        // the engine looks after a commit, and this is one
        self.desk.run(OpenCart::default())?;
        while !self.desk.read(NothingDue)? {
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(began.elapsed())
    }

    fn sweep(&self, args: &JobsArgs) -> Result<Sweep, BenchError> {
        let before = self.desk.read(CountRuns)?;
        let work = operators::Work {
            desk: &self.desk,
            rate: args.rate,
            lasting: BESIDE,
            performance: self.performances.last().copied(),
        };
        let (seconds, latency) = std::thread::scope(|scope| {
            let working = scope.spawn(|| work.run());
            // operators are at work when the carts come due
            std::thread::sleep(BESIDE / 4);
            let seconds = self.swept()?.as_secs_f64();
            let latency = working.join().map_err(|_| panicked())??;
            Ok::<_, BenchError>((seconds, latency))
        })?;
        let made = self.desk.read(CountRuns)? - before;
        Ok(Sweep::new((args.due, made), seconds, (args.rate, &latency)))
    }

    fn small_checks(&self, checks: usize) -> Result<f64, BenchError> {
        self.carts(checks, Carts::Empty)?;
        let seconds = self.swept()?.as_secs_f64();
        Ok(count(checks) / seconds)
    }
}

fn panicked() -> BenchError {
    BenchError::Process("its operators stopped".into())
}

/// What a look costs when nothing is due.
fn ticks(desk: &Desk) -> Result<Histogram<u64>, BenchError> {
    let mut micros = Histogram::new_with_max(LATENCY_MICROS_MAX, 3)
        .map_err(|error| Failure::from(Fault::Broken(error.to_string())))?;
    for _ in 0..TICKS {
        let began = Moment::now();
        desk.sweep()?;
        micros.saturating_record(u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
    Ok(micros)
}

/// Lets processes sweep one house at once, on the machine's clock.
fn compete(path: &Path, args: &JobsArgs) -> Result<Processes, BenchError> {
    let engine = open(path, Arc::new(SystemClock::default()), Ticker::Off)?;
    let desk = desk_of(&engine);
    let before = desk.read(CountRuns)?;
    let began = Moment::now();
    let children: Vec<Child> = (0..args.processes)
        .map(|_| start(path))
        .collect::<Result<_, _>>()?;
    let mut made = Vec::new();
    for child in children {
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let part: Result<usize, _> = text.trim().parse();
        made.push(part.map_err(|error| BenchError::Process(error.to_string()))?);
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(Processes {
        due: args.due * COMPETED,
        made,
        runs: desk.read(CountRuns)? - before,
        twice: desk.read(CountTwice)?,
        seconds,
    })
}

fn start(path: &Path) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(["bench", "jobs", "--share"])
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
}

/// One process of several: sweeps what is due, and gives how many checks it made.
///
/// # Errors
/// See [`BenchError`].
pub fn run_share(path: &Path) -> Result<usize, BenchError> {
    let engine = open(path, Arc::new(SystemClock::default()), Ticker::Off)?;
    Ok(desk_of(&engine).sweep()?)
}

/// How late an idle desk starts its checks at most, in milliseconds; below zero would be early.
fn lateness(path: &Path) -> Result<i64, BenchError> {
    let engine = open(path, Arc::new(SystemClock::default()), Ticker::On)?;
    let desk = desk_of(&engine);
    for seconds in 1..=4 {
        let hold = Some(Span::seconds(seconds));
        desk.run(OpenCart { hold })?;
    }
    while desk.read(CountRuns)? < 4 {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(desk.read(counts::LatestRun)?)
}
