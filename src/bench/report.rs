//! The report of `bench theater`, as JSON.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// The result of `bench theater`.
#[derive(Clone, Debug, Serialize)]
pub struct TheaterReport {
    /// Carts that were paid.
    pub carts: usize,
    pub seconds: f64,
    pub carts_per_second: f64,
    /// Refused holds; the customer then tried other seats.
    pub refused: usize,
    /// Customers who left without a hold.
    pub left: usize,
    /// Latency from a customer's scheduled arrival to the receipt.
    pub latency_ms: Latency,
    /// Longest wait of a command for its answer, in milliseconds.
    pub longest_wait_ms: f64,
    /// Bytes that a paid cart added to the house's file, journal included; none on a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_cart: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<BaselineReport>,
    /// Baseline on the same server: the carts statement by statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepReport>,
    pub verified: bool,
    /// Paid carts a second of each process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_process: Vec<f64>,
}

/// A statement for each step, without journal, jobs and command ids.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StepReport {
    /// Paid carts a second, without the time for making its tables.
    pub carts_per_second: f64,
    /// 99th percentile of a cart, in milliseconds.
    pub p99_ms: f64,
}

/// Latencies in milliseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Latency {
    pub min: f64,
    pub mean: f64,
    pub std_dev: f64,
    pub p50: f64,
    pub p75: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

/// The machine and simpler designs under the same load.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct BaselineReport {
    /// A block appended and flushed.
    pub flushes_per_second: f64,
    /// Baseline: carts a second from memory with a log.
    pub memory_log_carts_per_second: f64,
    /// Baseline: 99th percentile at the load's arrivals, from memory with a log.
    pub memory_log_p99_ms: f64,
    /// This engine with a transaction for each command.
    pub per_command_carts_per_second: f64,
}

impl Latency {
    /// Converts a histogram of microseconds.
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

/// Serializes a histogram, for passing between processes.
pub(super) mod histogram {
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
    use serde::{Deserialize as _, Serialize as _, de, ser};

    pub(in crate::bench) fn serialize<S: ser::Serializer>(
        histogram: &Histogram<u64>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        let written = V2Serializer::new().serialize(histogram, &mut bytes);
        written.map_err(ser::Error::custom)?;
        bytes.serialize(out)
    }

    pub(in crate::bench) fn deserialize<'de, D: de::Deserializer<'de>>(from: D) -> Result<Histogram<u64>, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        let read = Deserializer::new().deserialize(&mut bytes.as_slice());
        read.map_err(de::Error::custom)
    }
}
