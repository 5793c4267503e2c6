//! A listener takes an event: of any number of stations, one calls it.

use serde::Serialize;

use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes an event for a listener; answers whether it was still waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HearEvent {
    /// The event's number.
    pub number: i64,
}

impl Operation for HearEvent {
    const VERB: &'static str = "hear_event";
    type Answer = bool;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<bool, Failure> {
        work.hear(self.number)
    }
}
