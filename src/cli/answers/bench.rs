//! Reports of the benchmarks.

use std::fmt::Write as _;

use serde::Serialize;

use crate::bench::hotel::{HotelReport, Way};
use crate::bench::report::{BaselineReport, TheaterReport};
use crate::bench::search::{SEARCH_LONGEST, SearchReport};

/// Report of a benchmark, with a form for people besides JSON.
pub(in crate::cli) trait BenchReport: Serialize {
    fn people(&self) -> String;
}

/// The published load test of this cart on document databases, of 25,000 carts at 1,000 a second on a laptop of 2015:
/// engine, seconds, and mean, p95 and p99 in milliseconds.
const PUBLISHED: &str = "\
published, 25,000 carts at 1,000 a second (document databases, laptop of 2015):
  MMAP            124.4 s   mean   2292.5   p95   5211.3   p99   7884.9 ms
  WiredTiger      113.0 s   mean   2302.2   p95   6451.3   p99   9608.8 ms";

impl BenchReport for SearchReport {
    fn people(&self) -> String {
        let mut text = String::new();
        for trial in &self.trials {
            let held = if trial.held { "held" } else { "not held" };
            // writing to a String cannot fail
            let _ = writeln!(text, "{:>8.0} customers/s   p99 {:>9.2} ms   {held}", trial.rate, trial.p99_ms);
        }
        let target = self.target_p99_ms;
        let found = self.customers_per_second.map_or_else(
            || format!("No rate that was tried holds a p99 of {target} ms."),
            |rate| format!("This machine bears {rate:.0} customers a second with a p99 of at most {target} ms."),
        );
        let longest = SEARCH_LONGEST.as_secs();
        let ended = if self.complete {
            String::new()
        } else {
            format!("\nThe search ended after {longest} s; it may bear more.")
        };
        text + &found + &ended
    }
}

impl BenchReport for TheaterReport {
    fn people(&self) -> String {
        let latency = &self.latency_ms;
        let mut text = format!(
            "\
{} carts in {:.2} s: {:.0} carts/s
{} holds refused, tried elsewhere; {} customers left with nothing

cart latency ms   mean {:>9.2}   dev {:>9.2}   min {:>9.2}   max {:>9.2}
                  p50  {:>9.2}   p75 {:>9.2}   p95 {:>9.2}   p99 {:>9.2}
a command ms                                                    longest {:>9.2}
",
            self.carts,
            self.seconds,
            self.carts_per_second,
            self.refused,
            self.left,
            latency.mean,
            latency.std_dev,
            latency.min,
            latency.max,
            latency.p50,
            latency.p75,
            latency.p95,
            latency.p99,
            self.longest_wait_ms
        );
        if let Some(bytes) = self.bytes_per_cart {
            // writing to a String cannot fail
            let _ = writeln!(text, "file             {bytes:>9.0} bytes a cart");
        }
        for (number, rate) in self.per_process.iter().enumerate() {
            // writing to a String cannot fail
            let _ = writeln!(text, "process {}         {rate:>9.0} carts/s", number + 1);
        }
        if let Some(baselines) = &self.control {
            text += &beside(baselines, self.carts_per_second);
        }
        if let Some(steps) = &self.steps {
            let _ = writeln!(
                text,
                "a statement for each step {:>9.0} carts/s            {:>6.2}   (p99 {:.1} ms; no journal, jobs or command ids)",
                steps.carts_per_second,
                self.carts_per_second / steps.carts_per_second,
                steps.p99_ms
            );
        }
        let verified = if self.verified {
            "verified: every invariant of the house holds"
        } else {
            "NOT VERIFIED: the house is broken"
        };
        format!("{text}\n{PUBLISHED}\n\n{verified}\n")
    }
}

fn beside(baselines: &BaselineReport, reached: f64) -> String {
    let memory = baselines.memory_log_carts_per_second;
    let single = baselines.per_command_carts_per_second;
    format!(
        "
in the same run                                      this / that
bare flushes              {:>9.0} /s
memory and a log          {memory:>9.0} carts/s            {:>6.2}
  p99, same arrivals      {:>9.2} ms
a transaction a command   {single:>9.0} carts/s            {:>6.2}
",
        baselines.flushes_per_second,
        reached / memory,
        baselines.memory_log_p99_ms,
        reached / single
    )
}

impl BenchReport for HotelReport {
    fn people(&self) -> String {
        let way = |name: &str, way: &Way| {
            format!(
                "{name:<15} {} rooms available on {}, {} rows read, {:.3} ms; {:.2} MB in pages\n  {}\n",
                way.rooms.len(),
                self.date,
                way.rows_read,
                way.ms,
                megabytes(way.size),
                way.rooms.join(" "),
            )
        };
        let same =
            if self.same_rooms { "Both ways name the same rooms." } else { "The two ways name different rooms!" };
        format!("{}{}{same}\n", way("preallocated", &self.preallocated), way("by subtracting", &self.by_subtracting))
    }
}

#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "sizes are shown rounded")]
fn megabytes(bytes: i64) -> f64 {
    bytes as f64 / 1_000_000.0
}
