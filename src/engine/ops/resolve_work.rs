//! Resolves a worklist item.

use serde::Serialize;

use crate::domain::house::{WorkState, WorklistItem};
use crate::domain::ids::WorkId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::displacement::resolve;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Resolves a worklist item: the money was refunded, or the customer has other seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResolveWork {
    pub item: WorkId,
    pub note: String,
}

impl Operation for ResolveWork {
    const VERB: &'static str = "resolve_work";
    type Answer = WorklistItem;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<WorklistItem, Failure> {
        let mut item: WorklistItem = work.get(self.item)?;
        if let WorkState::Resolved { operator, .. } = item.state {
            return Err(Refusal::AlreadyResolved { operator }.into());
        }
        resolve(work, &mut item, &self.note)?;
        Ok(item)
    }
}
