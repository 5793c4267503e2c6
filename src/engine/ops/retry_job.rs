//! A parked job is tried again.

use serde::Serialize;

use crate::domain::job::JobKind;
use crate::domain::refusal::Refusal;
use crate::engine::ops::steering::{job, steer};
use crate::engine::work::{Failure, Operation, Work};

/// Lets a parked job run again, at its turn among those that are due.
#[derive(Clone, Debug, Serialize)]
pub struct RetryJob {
    /// Its kind.
    pub kind: JobKind,
    /// Its subject.
    pub subject: String,
}

impl Operation for RetryJob {
    const VERB: &'static str = "retry_job";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        let found = job(work, self.kind, &self.subject)?;
        if found.parked.is_none() {
            let at = found.next_check_at;
            return Err(Refusal::JobNotParked { at }.into());
        }
        let next = found.clone().moved_to(work.now());
        steer(work, found, (next, "let it try again"));
        Ok(())
    }
}
