//! Claims a waiting event for this station before its listener is called, so that only one station calls it.

use serde::{Deserialize, Serialize};

use crate::domain::job::JobKind;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::job::Heard;

/// Claims an event; answers which call of its listener this is, from 1, and nothing if another station has claimed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HearEvent {
    pub number: i64,
}

impl Operation for HearEvent {
    const VERB: &'static str = "hear_event";
    type Answer = Option<u32>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Option<u32>, Failure> {
        if work.listener(self.number)?.is_none_or(|(_, heard)| heard != Heard::Waits) {
            return Ok(None);
        }
        let calls = work.job(JobKind::ListenerCall, &self.number.to_string())?.map_or(0, |job| job.check_count);
        work.take_call(self.number)?;
        Ok(Some(calls + 1))
    }
}
