//! Marks an event as heard by its listener, so that only one station calls it.

use serde::Serialize;

use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Marks an event as heard; answers whether it was still waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HearEvent {
    pub number: i64,
}

impl Operation for HearEvent {
    const VERB: &'static str = "hear_event";
    type Answer = bool;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<bool, Failure> {
        work.hear(self.number)
    }
}
