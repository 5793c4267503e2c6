//! `cargo bench --bench jobs`: a million waiting checks, and those that come due.
//!
//! Measures on a throw-away house: the cost of a tick with nothing due, the lateness of an idle desk, the sweep rate
//! beside operators, the rate of small checks in one process, and competing processes that make each effect once.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use clap::Parser;
use hdrhistogram::Histogram;
use indicatif::ProgressBar;
use rusqlite::Connection;
use serde::Serialize;
use willcall::bench::report::Latency;
use willcall::bench::stage::{self, SIDE};
use willcall::bench::{BenchError, count, micros, open_house, progress_bar, record, temporary_folder};
use willcall::domain::ids::{CartId, PerformanceId};
use willcall::domain::plan::SeatRef;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::{Clock, ManualClock, SystemClock};
use willcall::engine::ops::{ConfirmClock, HoldSeats, OpenCart, SeatChoice};
use willcall::engine::{Config, Desk, Ticker};

#[path = "jobs/operators.rs"]
mod operators;
#[path = "support.rs"]
mod support;

use support::submit_all;

/// Ticks measured.
const TICKS: u32 = 20_000;

/// Number of runs in the history.
const RUNS: &str = "SELECT COUNT(*) FROM job_run";

/// Number of runs that ended a cart a second time.
const TWICE: &str =
    "SELECT COUNT(*) - COUNT(DISTINCT subject) FROM job_run WHERE kind = 'cart_expiry' AND outcome = 'done'";

/// Milliseconds between due time and run: of the earliest run if it came too early, else of the latest.
const LATEST: &str = "\
    SELECT CASE WHEN MIN(started_at - due_at) < 0 THEN MIN(started_at - due_at) ELSE MAX(started_at - due_at) END \
    FROM job_run WHERE kind = 'cart_expiry'";

/// Time of the next check.
const NEXT: &str = "SELECT COALESCE(MIN(next_check_at), 0) FROM job WHERE kind = 'cart_expiry' AND parked = ''";

/// Commands in flight while a house is furnished.
const IN_FLIGHT: usize = 500;

/// Carts for competing processes, as a multiple of those for one.
const COMPETED: usize = 4;

/// Seats of a due cart.
const SEATS: u32 = 2;

/// Duration of the operators' load beside a sweep.
const BESIDE: Duration = Duration::from_secs(4);

/// Options of the measurement.
#[derive(Clone, Debug, Parser)]
struct JobsArgs {
    /// Waiting checks.
    #[arg(long, default_value_t = 1_000_000)]
    waiting: usize,
    /// Carts that come due at once.
    #[arg(long, default_value_t = 10_000)]
    due: usize,
    /// Commands of operators a second, beside the sweep.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Competing processes.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    processes: u16,
    /// The house swept by one of several processes.
    #[arg(long, hide = true)]
    share: Option<std::path::PathBuf>,
}

fn main() -> Result<(), BenchError> {
    let args = JobsArgs::parse();
    if let Some(house) = &args.share {
        println!("{}", open(house, system_clock(), Ticker::Off)?.sweep()?);
        return Ok(());
    }
    let report = run(&args)?;
    println!("{}", serde_json::to_string_pretty(&report).map_err(BenchError::part)?);
    assert!(report.is_exact(), "an effect is missing, or there twice");
    Ok(())
}

/// A number from the house's file.
fn number(house: &Path, text: &str) -> Result<i64, BenchError> {
    let asked = Connection::open(house).and_then(|file| file.query_one(text, [], |row| row.get(0)));
    asked.map_err(BenchError::part)
}

/// Writes waiting checks, of subjects that do not exist, a second apart.
fn put_waiting(house: &Path, count: usize, first: Instant) -> rusqlite::Result<()> {
    let mut file = Connection::open(house)?;
    let all = file.transaction()?;
    for number in 0..i64::try_from(count).unwrap_or(i64::MAX) {
        let at = first.millis() + number * 1000;
        let text = "INSERT INTO job VALUES ('cart_expiry', ?1, ?2, ?2, 0, 0, '', 0, 'bench', -1)";
        all.prepare_cached(text)?.execute((CartId::random().to_string(), at))?;
    }
    all.commit()
}

/// The result of `--bench jobs`.
#[derive(Clone, Debug, Serialize)]
struct JobsReport {
    waiting: usize,
    /// Mean time of a look among them with nothing due, in microseconds.
    tick_micros_mean: f64,
    /// 99th percentile of a look, in microseconds.
    tick_micros_p99: u64,
    sweep: Sweep,
    /// Ends of empty carts a second, each durable with its history.
    small_checks_per_second: f64,
    processes: Processes,
    /// Greatest lateness of a check on an idle desk, in milliseconds; negative if any was early.
    idle_late_ms_max: i64,
}

/// Carts that came due at once.
#[derive(Clone, Copy, Debug, Serialize)]
struct Sweep {
    due: usize,
    /// Ended carts in the history.
    made: i64,
    seconds: f64,
    commands_per_second: u32,
    /// Latency from a command's scheduled time to its answer.
    command_latency_ms: Latency,
}

/// Processes sweeping one house at once.
#[derive(Clone, Debug, Serialize)]
struct Processes {
    due: usize,
    /// Checks run by each process.
    made: Vec<usize>,
    /// Runs in the history; one may be the house's tidying.
    runs: i64,
    /// Carts of the whole benchmark that ended twice.
    twice: i64,
    /// Duration, with the start of the processes.
    seconds: f64,
}

impl JobsReport {
    /// True when each effect was made exactly once. A sweep also ends carts that its operators had open.
    fn is_exact(&self) -> bool {
        let (sweep, processes) = (&self.sweep, &self.processes);
        let least = |due: usize, runs: i64| usize::try_from(runs).is_ok_and(|runs| runs >= due);
        let made: usize = processes.made.iter().sum();
        processes.twice == 0
            && least(sweep.due, sweep.made)
            && least(processes.due, processes.runs)
            && usize::try_from(processes.runs) == Ok(made)
    }
}

/// A house whose clock the benchmark moves.
struct Furnished {
    path: PathBuf,
    desk: Desk,
    clock: Arc<ManualClock>,
    performances: Vec<PerformanceId>,
}

/// Measures on a throw-away house.
fn run(args: &JobsArgs) -> Result<JobsReport, BenchError> {
    let folder = temporary_folder()?;
    let path = folder.path().join("house.db");
    let all = args.waiting + args.due;
    let bar = progress_bar(all, "{bar:40} {pos}/{len}  {msg}  {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(200));
    // some hours ago: carts left over are due for processes on the machine's clock
    let past = SystemClock::default().now() - Span::minutes(180);
    let furnished = Furnished::new(&path, (past, args), &bar)?;
    bar.set_message("ticks with nothing due");
    let tick = furnished.ticks()?;
    bar.set_message("due carts beside operators");
    let sweep = furnished.sweep(args)?;
    bar.set_message("small checks");
    let small_checks_per_second = furnished.small_checks(args.due * 2)?;
    bar.set_message("competing processes");
    furnished.carts(args.due * COMPETED, Carts::Empty)?;
    drop(furnished);
    let processes = compete(&path, args)?;
    bar.set_message("an idle desk");
    let idle_late_ms_max = lateness(&folder.path().join("idle.db"))?;
    bar.finish_and_clear();
    Ok(JobsReport {
        waiting: args.waiting,
        tick_micros_mean: tick.mean(),
        tick_micros_p99: tick.value_at_quantile(0.99),
        sweep,
        small_checks_per_second,
        processes,
        idle_late_ms_max,
    })
}

fn open(path: &Path, clock: Arc<dyn Clock>, ticker: Ticker) -> Result<Desk, BenchError> {
    Ok(open_house(Config { ticker, clock, ..Config::new(path.to_owned()) })?)
}

fn system_clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock::default())
}

/// Contents of a cart of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carts {
    Empty,
    Seats,
}

impl Furnished {
    fn new(path: &Path, (past, args): (Instant, &JobsArgs), bar: &ProgressBar) -> Result<Self, BenchError> {
        let clock = Arc::new(ManualClock::at(past));
        let desk = open(path, Arc::<ManualClock>::clone(&clock), Ticker::On)?;
        bar.set_message("checks that wait");
        let year = Span::minutes(60 * 24 * 365);
        put_waiting(path, args.waiting, past + year).map_err(BenchError::part)?;
        bar.inc(u64::try_from(args.waiting).unwrap_or_default());
        let per_performance = usize::try_from(SIDE * (SIDE / SEATS)).unwrap_or(1);
        let performances = stage::build(&desk, args.due / per_performance + 2)?;
        let furnished = Self { path: path.to_owned(), desk, clock, performances };
        bar.set_message("carts that come due");
        furnished.carts(args.due, Carts::Seats)?;
        bar.inc(u64::try_from(args.due).unwrap_or_default());
        Ok(furnished)
    }

    /// Opens carts, each with two seats or none.
    fn carts(&self, carts: usize, what: Carts) -> Result<(), BenchError> {
        let opens = (0..carts).map(|_| OpenCart::default());
        let mut opened = Vec::new();
        submit_all(&self.desk, IN_FLIGHT, opens, |cart| {
            opened.push(cart?);
            Ok(())
        })?;
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
            let performance = *self.performances.get(house)?;
            Some(HoldSeats { cart: Some(cart.id), ..HoldSeats::new(performance, SeatChoice::Seats(seats.collect())) })
        });
        submit_all(&self.desk, IN_FLIGHT, holds, |held| held.map(drop))
    }

    /// Measures a look with nothing due.
    fn ticks(&self) -> Result<Histogram<u64>, BenchError> {
        let mut ticks = micros();
        for _ in 0..TICKS {
            let began = Moment::now();
            self.desk.sweep()?;
            record(&mut ticks, began.elapsed());
        }
        Ok(ticks)
    }

    /// Moves the clock to the due time, and waits for the sweep; gives its duration.
    fn swept(&self) -> Result<Duration, BenchError> {
        let began = Moment::now();
        self.clock.set(self.clock.now() + Span::minutes(31));
        // the engine looks for due jobs after a commit, and this is one
        self.desk.run(OpenCart::default())?;
        while number(&self.path, NEXT)? <= self.clock.now().millis() {
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(began.elapsed())
    }

    fn sweep(&self, args: &JobsArgs) -> Result<Sweep, BenchError> {
        let before = number(&self.path, RUNS)?;
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
            let latency = working.join().map_err(|_| BenchError::part("its operators stopped"))??;
            Ok::<_, BenchError>((seconds, latency))
        })?;
        let made = number(&self.path, RUNS)? - before;
        Ok(Sweep {
            due: args.due,
            made,
            seconds,
            commands_per_second: args.rate,
            command_latency_ms: Latency::of(&latency),
        })
    }

    fn small_checks(&self, checks: usize) -> Result<f64, BenchError> {
        self.carts(checks, Carts::Empty)?;
        let seconds = self.swept()?.as_secs_f64();
        Ok(count(checks) / seconds)
    }
}

/// This program once more, for its share of the sweep.
fn share(house: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--share").arg(house).stdout(Stdio::piped()).spawn()
}

/// Number of checks that a share made, which its process prints.
fn made_by(child: Child) -> Result<usize, BenchError> {
    let output = child.wait_with_output()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().map_err(BenchError::part)
}

/// Lets processes sweep one house at once, on the machine's clock.
fn compete(path: &Path, args: &JobsArgs) -> Result<Processes, BenchError> {
    // the house is of a clock that is nobody's: after a boot the machine's would end nothing
    open(path, system_clock(), Ticker::Off)?.run(ConfirmClock)?;
    let before = number(path, RUNS)?;
    let began = Moment::now();
    let children = (0..args.processes).map(|_| share(path));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let made = children.into_iter().map(made_by);
    let made = made.collect::<Result<_, _>>()?;
    let seconds = began.elapsed().as_secs_f64();
    Ok(Processes {
        due: args.due * COMPETED,
        made,
        runs: number(path, RUNS)? - before,
        twice: number(path, TWICE)?,
        seconds,
    })
}

/// Greatest lateness of an idle desk's checks, in milliseconds; negative if any was early.
fn lateness(path: &Path) -> Result<i64, BenchError> {
    let desk = open(path, system_clock(), Ticker::On)?;
    for seconds in 1..=4 {
        let hold = Some(Span::seconds(seconds));
        desk.run(OpenCart { hold, ..OpenCart::default() })?;
    }
    while number(path, RUNS)? < 4 {
        std::thread::sleep(Duration::from_millis(50));
    }
    number(path, LATEST)
}
