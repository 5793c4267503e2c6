//! Claims a waiting event for this station before its listener is called, so that only one station calls it.

use serde::{Deserialize, Serialize};

use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Claims an event; answers false if another station has claimed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
