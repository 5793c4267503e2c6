//! A job waits until somebody runs it again.

use serde::Serialize;

use crate::domain::job::JobKind;
use crate::engine::ops::steering::{job, steer};
use crate::engine::work::{Failure, Operation, Work};

/// Parks a job; what it watches goes on as its deadlines say.
#[derive(Clone, Debug, Serialize)]
pub struct ParkJob {
    /// Its kind.
    pub kind: JobKind,
    /// Its subject.
    pub subject: String,
    /// Why; may be empty.
    pub reason: String,
}

impl Operation for ParkJob {
    const VERB: &'static str = "park_job";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        let found = job(work, self.kind, &self.subject)?;
        let operator = work.actor().operator.clone();
        let next = found.clone().parked_by(operator, self.reason.clone());
        let did = if self.reason.is_empty() {
            "parked it".to_owned()
        } else {
            format!("parked it: {}", self.reason)
        };
        steer(work, found, (next, &did));
        Ok(())
    }
}
