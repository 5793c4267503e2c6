//! The waiting list of a performance, as operations meet it.

use crate::domain::ids::PerformanceId;
use crate::domain::job::JobKind;
use crate::domain::waiting::Waiting;
use crate::engine::work::{Failure, UnitOfWork};

/// How many that wait one look loads at most.
const LINE_MAX: i64 = 100;

/// Seats of a performance came free: whoever waits for them is looked at, in a transaction of its own.
///
/// No decision rests on this. Where the database lets somebody join the line in the very moment that seats come free,
/// the list looks again by itself until nothing that had begun before can still be on its way.
pub(super) fn nudge(work: &mut UnitOfWork<'_>, performance: PerformanceId) -> Result<(), Failure> {
    let rows = work.query(
        "SELECT key FROM waiting WHERE performance = $1 AND state = 'waiting' LIMIT 1",
        &[performance.to_string().into()],
    )?;
    if rows.is_empty() {
        return Ok(());
    }
    let now = work.now();
    work.put_job(JobKind::Waitlist, performance, now)
}

/// Who waits for a performance or has an offer, first come first.
pub(super) fn load(
    work: &mut UnitOfWork<'_>,
    performance: PerformanceId,
) -> Result<Vec<Waiting>, Failure> {
    let rows = work.query(
        "SELECT key FROM waiting WHERE performance = $1 AND state IN ('waiting', 'offered') ORDER BY since, key LIMIT $2",
        &[performance.to_string().into(), LINE_MAX.into()],
    )?;
    let mut line = Vec::with_capacity(rows.len());
    for row in rows {
        line.push(work.get::<Waiting>(row.text(0))?);
    }
    Ok(line)
}
