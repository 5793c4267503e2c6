//! What somebody does to a job by hand: it is in the history like a run.

use crate::domain::job::{Job, JobKind, Next, RunOutcome};
use crate::domain::refusal::Refusal;
use crate::engine::work::{Failure, Work};
use crate::store::job::Checked;

/// A job that has to be there.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault of the store.
pub(super) fn job(work: &mut Work<'_>, kind: JobKind, subject: &str) -> Result<Job, Failure> {
    work.job(kind, subject)?.ok_or_else(|| {
        let name = format!("{} {subject}", kind.word());
        let what = "job".into();
        Refusal::NotFound { what, name }.into()
    })
}

/// Writes a job as somebody left it, with what they did in a few words.
pub(super) fn steer(work: &mut Work<'_>, job: Job, (next, did): (Job, &str)) -> Job {
    let started_at = work.now();
    work.checked(Checked {
        job,
        next: Next::Waits(next.clone()),
        outcome: RunOutcome::ByHand,
        detail: format!("{} {did}", work.actor().operator),
        started_at,
        took_micros: 0,
    });
    next
}
