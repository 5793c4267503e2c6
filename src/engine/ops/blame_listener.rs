//! A listener's command failed: it is told as an event of its own, which no listener hears.

use serde::Serialize;

use crate::domain::event::Event;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Tells that a listener's command failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlameListener {
    /// The event that it should have heard.
    pub heard: String,
    /// That event's number.
    pub number: i64,
    /// The command.
    pub command: String,
    /// How it failed.
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
