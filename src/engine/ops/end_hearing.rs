//! End of a listener's call; of one that failed an event is told, which no listener hears.

use serde::{Deserialize, Serialize};

use crate::domain::event::Event;
use crate::domain::job::JobKind;
use crate::domain::private;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Ends the call of a listener.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndHearing {
    /// Word of the event passed to the command.
    pub heard: String,
    pub number: i64,
    /// Which call of the listener ended.
    pub attempt: u32,
    pub command: String,
    /// Why it failed; empty if it did not.
    #[serde(with = "private")]
    pub problem: String,
}

impl Operation for EndHearing {
    const VERB: &'static str = "end_hearing";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let (kind, subject) = (JobKind::ListenerCall, self.number.to_string());
        // an answer that comes too late ends no later call
        if work.job(kind, &subject)?.is_some_and(|job| job.check_count + 1 == self.attempt) {
            work.end_job(kind, subject);
        }
        if self.problem.is_empty() {
            return Ok(());
        }
        work.tell(&Event::ListenerFailed {
            heard: self.heard.clone(),
            number: self.number,
            command: self.command.clone(),
            problem: self.problem.clone(),
        })
    }
}
