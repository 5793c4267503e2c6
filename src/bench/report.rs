//! What a benchmark tells: a table for people, an object for programs.

use std::io::Write;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// The load test that was published for document databases with this cart, on a laptop of 2015.
const PUBLISHED: [(&str, f64, f64, f64, f64); 2] = [
    ("MMAP", 124.397, 2292.494, 5211.314, 7884.857),
    ("WiredTiger", 112.994, 2302.15, 6451.251, 9608.811),
];

/// The result of `bench theater`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TheaterReport {
    /// Carts that were paid.
    pub carts: usize,
    /// How long it took.
    pub seconds: f64,
    /// Paid carts a second.
    pub carts_per_second: f64,
    /// Holds that were refused; the customer tried elsewhere.
    pub refused: usize,
    /// Customers who found nothing and left.
    pub left: usize,
    /// From meaning to come to having a receipt.
    pub latency_ms: Latency,
    /// The longest that one command waited for its answer, in milliseconds.
    #[serde(default)]
    pub longest_wait_ms: f64,
    /// What else was measured in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The same carts on the same server, statement by statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepReport>,
    /// Whether the house was whole afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// Paid carts a second of each process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per_process: Vec<f64>,
}

/// What a statement for each step reached, without journal, jobs and command ids.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StepReport {
    /// Paid carts a second, the making of its tables among it not counted.
    pub carts_per_second: f64,
    /// 99 of 100 carts took no longer, in milliseconds.
    pub p99_ms: f64,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Latency {
    /// The shortest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub std_dev: f64,
    /// The median.
    pub p50: f64,
    /// Three quarters waited no longer.
    pub p75: f64,
    /// 95 of 100 waited no longer.
    pub p95: f64,
    /// 99 of 100 waited no longer.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// What the machine and simpler designs reached in the same run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Control {
    /// A block appended and flushed.
    pub flushes_per_second: f64,
    /// The same carts from memory with a log.
    pub memory_log_carts_per_second: f64,
    /// The same arrivals, from memory with a log.
    pub memory_log_p99_ms: f64,
    /// This engine with a transaction for each command.
    pub per_command_carts_per_second: f64,
}

impl Latency {
    /// From microseconds.
    #[must_use]
    pub fn of(histogram: &Histogram<u64>) -> Self {
        let millis = |micros: u64| f64::from(u32::try_from(micros).unwrap_or(u32::MAX)) / 1000.0;
        let at = |quantile| millis(histogram.value_at_quantile(quantile));
        Self {
            min: millis(histogram.min()),
            mean: histogram.mean() / 1000.0,
            std_dev: histogram.stdev() / 1000.0,
            p50: at(0.50),
            p75: at(0.75),
            p95: at(0.95),
            p99: at(0.99),
            max: millis(histogram.max()),
        }
    }
}

impl TheaterReport {
    /// Prints it for people.
    ///
    /// # Errors
    /// The output is gone.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(
            out,
            "{} carts in {:.2} s: {:.0} carts/s",
            self.carts, self.seconds, self.carts_per_second
        )?;
        writeln!(
            out,
            "{} holds refused, tried elsewhere; {} customers left with nothing",
            self.refused, self.left
        )?;
        let latency = &self.latency_ms;
        writeln!(out)?;
        writeln!(
            out,
            "cart latency ms   mean {:>9.2}   dev {:>9.2}   min {:>9.2}   max {:>9.2}",
            latency.mean, latency.std_dev, latency.min, latency.max
        )?;
        writeln!(
            out,
            "                  p50  {:>9.2}   p75 {:>9.2}   p95 {:>9.2}   p99 {:>9.2}",
            latency.p50, latency.p75, latency.p95, latency.p99
        )?;
        writeln!(
            out,
            "a command ms                                                    longest {:>9.2}",
            self.longest_wait_ms
        )?;
        for (number, rate) in self.per_process.iter().enumerate() {
            writeln!(out, "process {}         {rate:>9.0} carts/s", number + 1)?;
        }
        if let Some(control) = &self.control {
            print_control(control, self.carts_per_second, out)?;
        }
        if let Some(steps) = &self.steps {
            writeln!(
                out,
                "a statement for each step {:>9.0} carts/s            {:>6.2}   (p99 {:.1} ms; no journal, jobs or command ids)",
                steps.carts_per_second,
                self.carts_per_second / steps.carts_per_second,
                steps.p99_ms
            )?;
        }
        writeln!(out)?;
        writeln!(
            out,
            "published, 25,000 carts at 1,000 a second (document databases, laptop of 2015):"
        )?;
        for (engine, seconds, mean, p95, p99) in PUBLISHED {
            writeln!(
                out,
                "  {engine:<12} {seconds:>8.1} s   mean {mean:>8.1}   p95 {p95:>8.1}   p99 {p99:>8.1} ms"
            )?;
        }
        match self.verified {
            Some(true) => writeln!(out, "\nverified: every invariant of the house holds"),
            Some(false) => writeln!(out, "\nNOT VERIFIED: the house is broken"),
            None => Ok(()),
        }
    }
}

fn print_control(control: &Control, reached: f64, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out)?;
    writeln!(
        out,
        "in the same run                                      this / that"
    )?;
    writeln!(
        out,
        "bare flushes              {:>9.0} /s",
        control.flushes_per_second
    )?;
    let memory = control.memory_log_carts_per_second;
    writeln!(
        out,
        "memory and a log          {memory:>9.0} carts/s            {:>6.2}",
        reached / memory
    )?;
    writeln!(
        out,
        "  p99, same arrivals      {:>9.2} ms",
        control.memory_log_p99_ms
    )?;
    let single = control.per_command_carts_per_second;
    writeln!(
        out,
        "a transaction a command   {single:>9.0} carts/s            {:>6.2}",
        reached / single
    )
}
