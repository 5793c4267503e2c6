//! Statement trace: counts statements and round trips of this process, and prints them with
//! `WILLCALL_TRACE=statements`.
//!
//! Each adapter reports in one place. SQLite makes a round trip per statement; PostgreSQL sends any
//! number of statements in one.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Environment variable that enables the trace.
const VARIABLE: &str = "WILLCALL_TRACE";

static IS_PRINTED: LazyLock<bool> =
    LazyLock::new(|| std::env::var(VARIABLE).is_ok_and(|traced| traced == "statements"));

static STATEMENTS: AtomicU64 = AtomicU64::new(0);
static TRIPS: AtomicU64 = AtomicU64::new(0);

/// Statements and round trips since the start of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counts {
    pub statements: u64,
    pub trips: u64,
}

/// Returns the counts so far.
pub fn counts() -> Counts {
    Counts { statements: STATEMENTS.load(Ordering::Relaxed), trips: TRIPS.load(Ordering::Relaxed) }
}

/// Counts a statement sent without waiting for its answer.
pub(super) fn sent_off(statement: &str) {
    STATEMENTS.fetch_add(1, Ordering::Relaxed);
    if *IS_PRINTED {
        print(&format!("statement sent off: {statement}\n"));
    }
}

/// Runs a round trip of some statements; counts and times it.
pub(super) fn round_trip<'a, T>(statements: impl Iterator<Item = &'a str> + Clone, run: impl FnOnce() -> T) -> T {
    let trip = TRIPS.fetch_add(1, Ordering::Relaxed) + 1;
    let before = STATEMENTS.fetch_add(u64::try_from(statements.clone().count()).unwrap_or_default(), Ordering::Relaxed);
    if !*IS_PRINTED {
        return run();
    }
    let since = Instant::now();
    let answer = run();
    let millis = since.elapsed().as_secs_f64() * 1000.0;
    let mut lines = String::new();
    for (statement, number) in statements.zip(before + 1..) {
        // writing to a String cannot fail
        let _ = writeln!(lines, "statement {number}, round trip {trip}, {millis:.3} ms: {statement}");
    }
    print(&lines);
    answer
}

fn print(lines: &str) {
    // a failed write to the trace must not stop the work
    let _ = std::io::stderr().write_all(lines.as_bytes());
}
