//! Pruning of old history.

use serde::{Deserialize, Serialize};

use crate::domain::job::{JobKind, Outcome};
use crate::domain::time::Span;
use crate::engine::clock::JUMP_MAX;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Interval when nothing is left to prune.
const EVERY: Span = Span::minutes(60);

/// Delay while more is left.
const SOON: Span = Span::seconds(1);

/// Deletes runs and events beyond the retention, in batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tidy;

impl Operation for Tidy {
    const VERB: &'static str = "tidy";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let now = work.now();
        let before = now - work.settings()?.job_history;
        let rest = work.forget_history(before)?;
        Ok(Outcome::Deadline(now + if rest { SOON } else { EVERY }))
    }
}

/// Jobs that recur by themselves, recorded later than a time.
const RECUR_LATER: &str =
    "SELECT kind, subject FROM job WHERE kind IN ('horizon', 'tidying', 'waitlist') AND recorded_at > $1";

/// Schedules the tidying job if it is missing, and at once what recurs by a clock that was ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeginTidying;

impl Operation for BeginTidying {
    const VERB: &'static str = "begin_tidying";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let now = work.now();
        if work.job(JobKind::Tidying, JobKind::HOUSE)?.is_none() {
            work.put_job(JobKind::Tidying, JobKind::HOUSE, now + EVERY)?;
        }
        for row in work.query(RECUR_LATER, &[(now + JUMP_MAX).millis().into()])? {
            if let Some(kind) = JobKind::from_word(row.text(0)) {
                work.put_job(kind, row.text(1), now)?;
            }
        }
        Ok(())
    }
}
