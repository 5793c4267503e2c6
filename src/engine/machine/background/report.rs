//! Reports of background work: completed checks and calls of listeners.

use crate::domain::job::RunOutcome;
use crate::engine::reads::jobs::runs::RunView;

/// Completed piece of background work.
#[derive(Clone, Debug)]
pub enum Worked {
    /// Run of a job's check.
    Ran(Box<RunView>),
    /// Call of a listener's command.
    Called(Called),
}

impl Worked {
    /// Returns the run of a check that failed or was parked.
    pub fn failed_run(&self) -> Option<&RunView> {
        let failed = [RunOutcome::Failed.word(), RunOutcome::Parked.word()];
        match self {
            Self::Ran(run) if failed.contains(&run.outcome.as_str()) => Some(run),
            Self::Ran(_) | Self::Called(_) => None,
        }
    }
}

/// Call of a listener's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    pub event: String,
    pub number: i64,
    pub command: String,
    pub problem: Option<String>,
}
