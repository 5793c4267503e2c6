//! What the house is to do about a job, in the screen's words.

use crate::domain::job::JobKind;
use crate::domain::time::Instant;

/// Something that the house is to do about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobCommand {
    /// The job's kind.
    pub kind: JobKind,
    /// The id of what it watches.
    pub subject: String,
    /// What is to be done.
    pub act: JobAct,
}

/// What somebody does to a job by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobAct {
    /// Run it now.
    RunNow,
    /// Run it at another time.
    Later(Instant),
    /// Park it, with a reason that may be empty.
    Park(String),
    /// Put a parked one back in its turn.
    Retry,
}
