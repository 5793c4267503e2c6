//! A job runs now, whenever it was due.

use serde::Serialize;

use crate::domain::job::JobKind;
use crate::engine::ops::steering::{job, steer};
use crate::engine::work::{Failure, Operation, Work};

/// Makes a job due now, also a parked one; it looks at its subject again when it runs.
#[derive(Clone, Debug, Serialize)]
pub struct RunJob {
    /// Its kind.
    pub kind: JobKind,
    /// Its subject.
    pub subject: String,
}

impl Operation for RunJob {
    const VERB: &'static str = "run_job";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        let found = job(work, self.kind, &self.subject)?;
        let next = found.clone().moved_to(work.now());
        steer(work, found, (next, "ran it now"));
        Ok(())
    }
}
