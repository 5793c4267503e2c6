//! Pruning of old history.

use serde::Serialize;

use crate::domain::job::{JobKind, Outcome};
use crate::domain::time::Span;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Subject of the tidying job.
const SUBJECT: &str = "house";

/// Interval when nothing is left to prune.
const EVERY: Span = Span::minutes(60);

/// Delay while more is left.
const SOON: Span = Span::seconds(1);

/// Deletes runs, events and printed answers beyond the retention, in batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// Schedules the tidying job if it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BeginTidying;

impl Operation for BeginTidying {
    const VERB: &'static str = "begin_tidying";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        if work.job(JobKind::Tidying, SUBJECT)?.is_none() {
            let first = work.now() + EVERY;
            work.put_job(JobKind::Tidying, SUBJECT, first)?;
        }
        Ok(())
    }
}
