//! Items of the worklist: put there, resolved, and paid for.

use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{ReceiptId, WorkId};
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::text::clean;
use crate::engine::work::{Failure, UnitOfWork};

pub(super) fn put_on_worklist(work: &mut UnitOfWork<'_>, what: WorkKind) -> Result<WorklistItem, Failure> {
    let item = WorklistItem { id: WorkId::random(), what, since: work.now(), state: WorkState::Open };
    work.create(&item)?;
    Ok(item)
}

pub(super) fn resolve(work: &mut UnitOfWork<'_>, item: &mut WorklistItem, note: &str) -> Result<(), Failure> {
    item.state = WorkState::Resolved {
        operator: work.actor().operator.clone(),
        approved: work.approved().map(str::to_owned),
        at: work.now(),
        note: clean(note),
    };
    work.put(item)
}

/// Resolves the open worklist items of an owner.
pub(super) fn resolve_items_of(work: &mut UnitOfWork<'_>, owner: &Owner, note: &str) -> Result<(), Failure> {
    for mut item in open_items_of(work, owner)? {
        if item.what.is_lost_by(owner) {
            resolve(work, &mut item, note)?;
        }
    }
    Ok(())
}

/// Open worklist items of an owner, or of a booking that was overpaid.
pub(super) fn open_items_of(work: &mut UnitOfWork<'_>, owner: &impl ToString) -> Result<Vec<WorklistItem>, Failure> {
    let by_index = "WHERE state = 'open' AND owner <> '' AND owner = $1 ORDER BY key";
    let mut items: Vec<WorklistItem> = work.select(by_index, &[owner.to_string().into()])?;
    items.retain(|item| item.state == WorkState::Open);
    Ok(items)
}

/// The receipt that an owner's cells were paid by; none has those that a cart lost before.
pub(super) fn paid_by(
    work: &mut UnitOfWork<'_>,
    owner: &Owner,
    cells: &CellGroup,
) -> Result<Option<ReceiptId>, Failure> {
    let Some(cart) = owner.cart() else {
        return Ok(None);
    };
    let CartState::Done(receipt) = work.get::<Cart>(cart)?.state else {
        return Ok(None);
    };
    let lines = work.get::<Receipt>(receipt)?.lines;
    let mut returnable = lines.iter().filter_map(|line| line.goods.returnable());
    Ok(returnable.any(|left| !left.meet(cells).is_empty()).then_some(receipt))
}
