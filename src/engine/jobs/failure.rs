//! Failed checks: each is recorded in a transaction of its own, with a retry or parking.

use serde::Serialize;

use crate::domain::job::JobKind;
use crate::domain::private;
use crate::engine::jobs::check::tell_parked;
use crate::engine::jobs::due::Due;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::job::Checked;

/// Records that a check failed, unless its job has changed since.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FailCheck {
    kind: JobKind,
    subject: String,
    seen: String,
    #[serde(with = "private")]
    problem: String,
}

impl FailCheck {
    pub(super) fn new(due: &Due, failure: &Failure) -> Self {
        Self { kind: due.kind, subject: due.subject.clone(), seen: due.seen.clone(), problem: failure.to_string() }
    }
}

impl Operation for FailCheck {
    const VERB: &'static str = "fail_check";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let job = work.job(self.kind, &self.subject)?;
        let Some(job) = job.filter(|job| job.written_by == self.seen) else {
            return Ok(());
        };
        let policy = work.settings()?.policy(self.kind);
        let now = work.now();
        let (next, outcome) = job.after_failure(self.problem.clone(), now, &policy);
        let parked = tell_parked(work, &next)?;
        work.checked(Checked {
            job,
            next,
            outcome: Some(outcome),
            detail: if parked.is_empty() { self.problem.clone() } else { parked },
            started_at: now,
            took_micros: 0,
        });
        Ok(())
    }
}
