//! Waiting list of a performance.

use crate::domain::ids::PerformanceId;
use crate::domain::job::JobKind;
use crate::domain::waiting::Waiting;
use crate::engine::work::{Failure, UnitOfWork};

/// Most entries loaded at once; no waiting list is set to be longer.
const LINE_MAX: i64 = 500;

/// Schedules the waiting list job of a performance whose seats became free, if anybody waits.
///
/// No decision rests on this. If the database lets an entry join at the very moment seats become
/// free, the job looks again until no transaction of that time can still be running.
pub(super) fn nudge(work: &mut UnitOfWork<'_>, performance: PerformanceId) -> Result<(), Failure> {
    let rows = work.query(
        "SELECT key FROM waiting WHERE performance = $1 AND state IN ('waiting', 'offered') AND state = 'waiting' LIMIT 1",
        &[performance.to_string().into()],
    )?;
    if rows.is_empty() {
        return Ok(());
    }
    let now = work.now();
    work.put_job(JobKind::Waitlist, performance, now)
}

/// Entries that wait or have an offer, in the order of offers.
pub(super) fn load(work: &mut UnitOfWork<'_>, performance: PerformanceId) -> Result<Vec<Waiting>, Failure> {
    let mut line = work.select(
        "WHERE performance = $1 AND state IN ('waiting', 'offered') ORDER BY since, key LIMIT $2",
        &[performance.to_string().into(), LINE_MAX.into()],
    )?;
    Waiting::in_order(&mut line);
    Ok(line)
}
