//! Something on the worklist has not been dealt with after all.

use serde::Serialize;

use crate::domain::house::{WorkItem, WorkState};
use crate::domain::ids::WorkId;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Puts an item back onto the worklist; one that stands there stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReopenWork {
    /// The item.
    pub item: WorkId,
}

impl Operation for ReopenWork {
    const VERB: &'static str = "reopen_work";
    type Answer = WorkItem;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<WorkItem, Failure> {
        let mut item: WorkItem = work.get(self.item)?;
        item.state = WorkState::Open;
        work.put(&item)?;
        Ok(item)
    }
}
