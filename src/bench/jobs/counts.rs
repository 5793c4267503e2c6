//! Queries of `bench jobs`.

use crate::engine::Failure;
use crate::engine::reads::{Question, Snapshot};

/// True when no check is due.
pub(super) struct NothingDue;

impl Question for NothingDue {
    type Answer = bool;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<bool, Failure> {
        let rows = snapshot.query(
            "SELECT next_check_at FROM job WHERE kind = 'cart_expiry' AND parked = '' ORDER BY next_check_at LIMIT 1",
            &[],
        )?;
        let now = snapshot.now().millis();
        Ok(rows.first().is_none_or(|row| row.int(0) > now))
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $sql:literal;)+) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Question for $name {
            type Answer = i64;

            fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<i64, Failure> {
                let rows = snapshot.query($sql, &[])?;
                Ok(rows.first().map_or(0, |row| row.int(0)))
            }
        }
    )+};
}

numbers! {
    /// The number of runs in the history.
    CountRuns: "SELECT COUNT(*) FROM job_run";
    /// The number of runs that ended a cart a second time.
    CountTwice: "SELECT COUNT(*) - COUNT(DISTINCT subject) FROM job_run WHERE kind = 'cart_expiry' AND outcome = 'done'";
    /// Milliseconds between due time and run: of the earliest run if it came too early, else of the latest.
    LatestRun: "SELECT CASE WHEN MIN(started_at - due_at) < 0 THEN MIN(started_at - due_at) ELSE MAX(started_at - due_at) END FROM job_run WHERE kind = 'cart_expiry'";
}
