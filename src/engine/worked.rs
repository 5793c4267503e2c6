//! Reports of background work: checks that were made and listeners that were called.

use crate::domain::job::RunOutcome;
use crate::engine::reads::jobs::runs::RunView;

/// A piece of background work that is done.
#[derive(Clone, Debug)]
pub enum Worked {
    /// A check of a job.
    Ran(Box<RunView>),
    /// A call of a listener.
    Called(Called),
}

impl Worked {
    /// The run of a check that failed or was parked.
    #[must_use]
    pub fn failed_run(&self) -> Option<&RunView> {
        let failed = [RunOutcome::Failed.word(), RunOutcome::Parked.word()];
        match self {
            Self::Ran(run) if failed.contains(&run.outcome.as_str()) => Some(run),
            Self::Ran(_) | Self::Called(_) => None,
        }
    }
}

/// A call of a listener's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The event's word.
    pub event: String,
    /// The event's number.
    pub number: i64,
    /// The command.
    pub command: String,
    /// The failure, if any.
    pub problem: Option<String>,
}
