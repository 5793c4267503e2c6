//! Event of a failed listener command, which no listener hears.

use serde::{Deserialize, Serialize};

use crate::domain::event::Event;
use crate::domain::private;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sends the event of a failed listener command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlameListener {
    /// Word of the event passed to the command.
    pub heard: String,
    pub number: i64,
    pub command: String,
    #[serde(with = "private")]
    pub problem: String,
}

impl Operation for BlameListener {
    const VERB: &'static str = "blame_listener";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        work.tell(&Event::ListenerFailed {
            heard: self.heard.clone(),
            number: self.number,
            command: self.command.clone(),
            problem: self.problem.clone(),
        })
    }
}
