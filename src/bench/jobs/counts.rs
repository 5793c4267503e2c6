//! What a benchmark asks of jobs.

use crate::engine::Failure;
use crate::engine::reads::{Question, Snapshot};

/// Whether no check is due.
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

/// How many runs there are in the history.
pub(super) struct CountRuns;

impl Question for CountRuns {
    type Answer = i64;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<i64, Failure> {
        let rows = snapshot.query("SELECT COUNT(*) FROM job_run", &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }
}

/// How many runs ended a cart that had ended.
pub(super) struct CountTwice;

impl Question for CountTwice {
    type Answer = i64;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<i64, Failure> {
        let rows = snapshot.query(
            "SELECT COUNT(*) - COUNT(DISTINCT subject) FROM job_run WHERE kind = 'cart_expiry' AND outcome = 'done'",
            &[],
        )?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }
}

/// By how many milliseconds the latest run came after its time.
pub(super) struct LatestRun;

impl Question for LatestRun {
    type Answer = i64;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<i64, Failure> {
        let rows = snapshot.query(
            "SELECT MAX(started_at - due_at), MIN(started_at - due_at) FROM job_run WHERE kind = 'cart_expiry'",
            &[],
        )?;
        Ok(rows.first().map_or(0, |row| {
            if row.int(1) < 0 {
                row.int(1)
            } else {
                row.int(0)
            }
        }))
    }
}
