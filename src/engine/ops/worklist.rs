//! Items of the worklist: put there, and resolved.

use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::WorkId;
use crate::domain::owner::Owner;
use crate::domain::text::clean;
use crate::engine::work::{Failure, UnitOfWork};

pub(super) fn put_on_worklist(
    work: &mut UnitOfWork<'_>,
    what: WorkKind,
) -> Result<WorklistItem, Failure> {
    let item = WorklistItem {
        id: WorkId::random(),
        what,
        since: work.now(),
        state: WorkState::Open,
    };
    work.create(&item)?;
    Ok(item)
}

pub(super) fn resolve(
    work: &mut UnitOfWork<'_>,
    item: &mut WorklistItem,
    note: &str,
) -> Result<(), Failure> {
    item.state = WorkState::Resolved {
        operator: work.actor().operator.clone(),
        at: work.now(),
        note: clean(note),
    };
    work.put(item)
}

/// Resolves the open worklist items of an owner.
pub(super) fn resolve_items_of(
    work: &mut UnitOfWork<'_>,
    owner: &Owner,
    note: &str,
) -> Result<(), Failure> {
    let items: Vec<WorklistItem> = work.select(
        "WHERE state = 'open' AND owner = $1 ORDER BY key",
        &[owner.to_string().into()],
    )?;
    for mut item in items {
        if item.state == WorkState::Open && item.what.is_lost_by(owner) {
            resolve(work, &mut item, note)?;
        }
    }
    Ok(())
}
