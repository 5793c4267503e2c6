//! What `bench jobs` tells: a table for people, an object for programs.

use std::fmt::Write as _;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::bench::load::count;
use crate::bench::report::Latency;

/// The result of `bench jobs`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobsReport {
    /// How many checks waited all the time.
    pub waiting: usize,
    /// A look among them when nothing is due, in microseconds.
    pub tick_micros_mean: f64,
    /// The same, 99 of 100.
    pub tick_micros_p99: u64,
    /// Carts that came due at once, beside operators.
    pub sweep: Sweep,
    /// Ends of empty carts a second, each durable with its history.
    pub small_checks_per_second: f64,
    /// Processes that swept one house at once.
    pub processes: Processes,
    /// How late an idle desk started a check at most; below zero it would have been early.
    pub idle_late_ms_max: i64,
}

/// Carts that came due at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// How many.
    pub due: usize,
    /// How many ends there are in the history.
    pub made: i64,
    /// How long it took.
    pub seconds: f64,
    /// How many commands of operators arrived each second.
    pub commands_per_second: u32,
    /// From when a command was meant to its answer.
    pub command_latency_ms: Latency,
}

impl Sweep {
    pub(super) fn new(
        (due, made): (usize, i64),
        seconds: f64,
        (commands_per_second, latency): (u32, &Histogram<u64>),
    ) -> Self {
        Self {
            due,
            made,
            seconds,
            commands_per_second,
            command_latency_ms: Latency::of(latency),
        }
    }
}

/// Processes that swept one house at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Processes {
    /// How many carts were due.
    pub due: usize,
    /// How many checks each made.
    pub made: Vec<usize>,
    /// How many runs there are in the history; one may be the house's tidying.
    pub runs: i64,
    /// How many carts of the whole benchmark ended twice.
    pub twice: i64,
    /// How long it took, starting the processes included.
    pub seconds: f64,
}

impl JobsReport {
    /// Whether each effect is there exactly once. A sweep also ends carts that its operators had open.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let (sweep, processes) = (&self.sweep, &self.processes);
        let least = |due: usize, runs: i64| usize::try_from(runs).is_ok_and(|runs| runs >= due);
        let made: usize = processes.made.iter().sum();
        processes.twice == 0
            && least(sweep.due, sweep.made)
            && least(processes.due, processes.runs)
            && usize::try_from(processes.runs) == Ok(made)
    }

    /// The table for people.
    #[must_use]
    pub fn people(&self) -> String {
        let (sweep, latency) = (&self.sweep, &self.sweep.command_latency_ms);
        let processes = &self.processes;
        let mut text = format!("{} checks waiting\n\n", self.waiting);
        let made: Vec<String> = processes.made.iter().map(ToString::to_string).collect();
        let rate = count(sweep.due) / sweep.seconds;
        let lines = [
            (
                "a look with nothing due",
                format!(
                    "{:.1} us, p99 {} us",
                    self.tick_micros_mean, self.tick_micros_p99
                ),
            ),
            (
                "due carts swept",
                format!("{} in {:.2} s: {rate:.0}/s", sweep.due, sweep.seconds),
            ),
            (
                "operators beside it",
                format!(
                    "{}/s: p50 {:.2} ms, p99 {:.2} ms, max {:.2} ms",
                    sweep.commands_per_second, latency.p50, latency.p99, latency.max
                ),
            ),
            (
                "small checks",
                format!("{:.0}/s, durable", self.small_checks_per_second),
            ),
            (
                "processes competing",
                format!(
                    "{} = {} runs in {:.2} s",
                    made.join(" + "),
                    processes.runs,
                    processes.seconds
                ),
            ),
            (
                "an idle desk starts within",
                format!("{} ms of the due time", self.idle_late_ms_max),
            ),
        ];
        for (name, value) in lines {
            // writing to a String cannot fail
            let _ = writeln!(text, "{name:<28}{value}");
        }
        text.push_str(if self.is_exact() {
            "\neach effect exactly once"
        } else {
            "\nNOT EXACT: an effect is missing or there twice"
        });
        text
    }
}
