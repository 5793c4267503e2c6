//! Reopens a worklist item.

use serde::Serialize;

use crate::domain::house::{WorkState, WorklistItem};
use crate::domain::ids::WorkId;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Reopens a worklist item; an open one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReopenWork {
    pub item: WorkId,
}

impl Operation for ReopenWork {
    const VERB: &'static str = "reopen_work";
    type Answer = WorklistItem;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<WorklistItem, Failure> {
        let mut item: WorklistItem = work.get(self.item)?;
        item.state = WorkState::Open;
        work.put(&item)?;
        Ok(item)
    }
}
