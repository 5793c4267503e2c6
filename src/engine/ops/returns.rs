//! Returns: cells of receipts that a cart brings back.
//!
//! Until the checkout they stay the customer's. [`add`] chooses them, [`stand`] says whether they can still come back, and
//! [`take_back`] releases them, with the checkout of their cart.

use crate::domain::cart::Cart;
use crate::domain::correction::{Correction, Returned};
use crate::domain::house::WorkKind;
use crate::domain::ids::ReceiptId;
use crate::domain::line::{Goods, Line};
use crate::domain::loss::CellGroup;
use crate::domain::money;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::prices::{self, PricePart};
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CorrectionRefusal, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::currency::in_one;
use crate::engine::ops::worklist::{open_items_of, resolve};
use crate::engine::ops::{claims, paying, releases, tickets};
use crate::engine::work::{Failure, UnitOfWork};

/// Cells of a receipt, or of one of its lines, that are asked back: these, or all that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedBack<'a> {
    pub(super) line: Option<u32>,
    pub(super) cells: Option<&'a [CellGroup]>,
}

/// Adds cells of a receipt to what a cart brings back. Cells that it brings back already stay.
pub(super) fn add(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (receipt, asked): (&Receipt, AskedBack<'_>),
) -> Result<(), Failure> {
    in_one(&mut cart.currency, receipt.currency)?;
    let fee = work.settings()?.exchange_fee;
    if fee.currency == receipt.currency {
        cart.exchange_fee = fee.minor;
    }
    let of = asked.line;
    let mut asked = asked.cells.map(<[CellGroup]>::to_vec);
    for cells in asked.iter_mut().flatten() {
        whole_segments(work, cells)?;
    }
    let mut missing = asked.clone().unwrap_or_default();
    for line in receipt.lines.iter().filter(|line| of.is_none_or(|number| line.number == number)) {
        let Some(left) = line.goods.returnable() else {
            continue;
        };
        let mut cells = chosen(&left, asked.as_deref());
        for one in &mut missing {
            *one = one.without(&cells);
        }
        for known in cart.returns.iter().filter(|one| one.is_of(receipt.id, line)) {
            cells = cells.without(&known.cells);
        }
        if !cells.is_empty() {
            let count = count(work, &cells)?;
            let moved = match line.goods.performance() {
                Some(id) => {
                    let performance: Performance = work.get(id)?;
                    performance.start_was(receipt.issued_at).is_some()
                }
                None => false,
            };
            cart.add_return(Returned {
                number: 0,
                receipt: receipt.id,
                line: line.number,
                parts: parts(work, line, &cells)?,
                cells,
                kind: line.kind.clone(),
                comp: line.comp,
                unit_price: line.unit_price,
                count,
                moved,
            });
        }
    }
    missing.retain(|cells| !cells.is_empty());
    refuse(work, receipt, &missing)?;
    if !cart.returns.is_empty() {
        return Ok(());
    }
    if receipt.lines.iter().any(|line| line.goods.is_payment()) {
        return Err(CorrectionRefusal::PaidForBooking { receipt: receipt.number.clone() }.into());
    }
    Err(Refusal::NothingChosen.into())
}

/// The asked cells among those that are left; all of them if none is asked for.
fn chosen(left: &CellGroup, asked: Option<&[CellGroup]>) -> CellGroup {
    let Some(asked) = asked else {
        return left.clone();
    };
    let mut all = left.without(left);
    for cells in asked {
        all.add(left.meet(cells).without(&all));
    }
    all
}

/// Refuses cells that a receipt does not have, or does not have any more.
fn refuse(work: &mut UnitOfWork<'_>, receipt: &Receipt, missing: &[CellGroup]) -> Result<(), Failure> {
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let mut gone = receipt.lines.iter().filter_map(|line| Some(line.goods.came_back()?.meet(first)));
    let came_back = gone.find(|cells| !cells.is_empty());
    let number = receipt.number.clone();
    Err(match came_back {
        Some(cells) => CorrectionRefusal::AlreadyReturned { receipt: number, cells: names(work, &cells)? },
        None => CorrectionRefusal::NotOnReceipt { receipt: number, cells: names(work, first)? },
    }
    .into())
}

/// Narrows slots to the whole segments inside; refuses one that has none.
fn whole_segments(work: &mut UnitOfWork<'_>, cells: &mut CellGroup) -> Result<(), Failure> {
    if let CellGroup::Time { resource, slots } = cells {
        let resource: Resource = work.get(&*resource)?;
        for slot in slots {
            let inside = resource.grid.inside(*slot);
            *slot = inside.ok_or_else(|| releases::no_whole(&resource, *slot))?;
        }
    }
    Ok(())
}

/// Number of seats or segments.
pub(super) fn count(work: &mut UnitOfWork<'_>, cells: &CellGroup) -> Result<u32, Failure> {
    Ok(match cells {
        CellGroup::Seats { seats, .. } => u32::try_from(seats.len()).unwrap_or(u32::MAX),
        CellGroup::Time { resource, slots } => {
            let resource: Resource = work.get(resource)?;
            slots.iter().map(|slot| resource.grid.segments(*slot)).sum()
        }
    })
}

/// Stamped price of cells of a line, in minor units.
pub(super) fn worth(work: &mut UnitOfWork<'_>, line: &Line, cells: &CellGroup) -> Result<i64, Failure> {
    if line.parts.is_empty() {
        return Ok(money::times(line.unit_price, count(work, cells)?)?);
    }
    Ok(prices::total(&parts(work, line, cells)?)?)
}

/// Parts of a line's price that some of its cells have.
fn parts(work: &mut UnitOfWork<'_>, line: &Line, cells: &CellGroup) -> Result<Vec<PricePart>, Failure> {
    Ok(match cells {
        CellGroup::Time { resource, slots } if !line.parts.is_empty() => {
            let resource: Resource = work.get(resource)?;
            prices::within(&line.parts, resource.grid, slots)
        }
        CellGroup::Time { .. } | CellGroup::Seats { .. } => Vec::new(),
    })
}

/// Names of cells, as people read them.
fn names(work: &mut UnitOfWork<'_>, cells: &CellGroup) -> Result<Vec<String>, Failure> {
    Ok(match cells {
        CellGroup::Seats { performance, seats } => {
            let performance: Performance = work.get(performance)?;
            work.seating(performance.plan)?.names(seats)
        }
        CellGroup::Time { resource, slots } => {
            let resource: Resource = work.get(resource)?;
            let now = work.now();
            let words = slots.iter().map(|slot| slot.words(resource.grid, now));
            words.map(|when| format!("{} {when}", resource.name)).collect()
        }
    })
}

/// Refuses a cart if another correction has returned one of its cells meanwhile.
pub(super) fn stand(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    for returned in &cart.returns {
        let receipt: Receipt = work.get(returned.receipt)?;
        // units of a line may have a line of their own since
        let is_whole = |line: &&Line| returned.is_of(receipt.id, line) && returned.unit_price == line.unit_price;
        let line = receipt.lines.iter().find(is_whole);
        let left = line.and_then(|line| line.goods.returnable());
        let missing = left.map_or_else(|| returned.cells.clone(), |left| returned.cells.without(&left));
        if !missing.is_empty() {
            refuse(work, &receipt, &[missing])?;
        }
    }
    Ok(())
}

/// Releases the cells that a correcting receipt takes back, and names it on the receipts that it corrects. Worklist items
/// about these cells are resolved. Returns how much of their price was given back before, in minor units, which is not paid
/// for the cells that an exchange gives either.
pub(super) fn take_back(work: &mut UnitOfWork<'_>, by: &Receipt, correction: &Correction) -> Result<i64, Failure> {
    let mut short = 0;
    let new = money::sum(by.lines.iter().map(Line::total).collect::<Result<Vec<_>, _>>()?)?;
    let mut fee = if by.lines.is_empty() { correction.fee } else { correction.fee.max(0) };
    for id in &correction.of {
        let mut receipt: Receipt = work.get(*id)?;
        let mut price = 0;
        for returned in correction.returned.iter().filter(|one| one.receipt == *id) {
            price += returned.total()?;
            let cart = receipt.cart;
            let mut lines = receipt.lines.iter_mut();
            let Some(line) = lines.find(|line| returned.is_of(*id, line)) else {
                continue;
            };
            let owner = line.owner(cart);
            free(work, line, (&returned.cells, &owner))?;
            let note = format!("{} {}", correction.kind.word(), by.number);
            resolve_items(work, line, (&owner, &note))?;
        }
        let kept = fee.min(price);
        fee -= kept;
        let left = match correction.booking {
            Some(_) => receipt.left()?,
            None => paying::left(work, &receipt)?,
        };
        let credited = (price - kept).min(left);
        short += price - kept - credited;
        receipt.credited += credited;
        if short > new - by.credited {
            return Err(
                CorrectionRefusal::MoreThanPaid { receipt: receipt.number, left, currency: receipt.currency }.into()
            );
        }
        receipt.corrected_by.push(by.id);
        tickets::end_without_seats(work, &receipt);
        work.put(&receipt)?;
    }
    Ok(short)
}

/// Frees the cells that a line has among these, and takes all of them from it.
fn free(work: &mut UnitOfWork<'_>, line: &mut Line, (cells, owner): (&CellGroup, &Owner)) -> Result<(), Failure> {
    match (&mut line.goods, cells) {
        (Goods::Seats { performance, seats, lost, returned }, CellGroup::Seats { seats: back, .. }) => {
            claims::free(work, (*performance, back), owner)?;
            seats.retain(|seat| !back.contains(seat));
            lost.retain(|seat| !back.contains(seat));
            returned.extend(back);
            returned.sort_unstable();
        }
        (Goods::Time { taken, .. }, CellGroup::Time { slots, .. }) => {
            let mut all: Vec<ResourceId> = taken.iter().map(|one| one.resource.clone()).collect();
            all.sort_unstable();
            all.dedup();
            for id in all {
                let resource: Resource = work.get(&id)?;
                let mut freed: Vec<Slot> = Vec::new();
                for slot in slots {
                    freed.extend(releases::spare(taken, &resource, *slot));
                }
                claims::free(work, &releases::of(&id, freed), owner)?;
            }
        }
        (Goods::Seats { .. }, CellGroup::Time { .. })
        | (Goods::Time { .. }, CellGroup::Seats { .. })
        | (Goods::Booking { .. }, _) => {}
    }
    Ok(())
}

/// Resolves the open worklist items about cells of a line that came back whole; an item about more keeps the rest.
fn resolve_items(work: &mut UnitOfWork<'_>, line: &Line, (owner, note): (&Owner, &str)) -> Result<(), Failure> {
    let Some(back) = line.goods.came_back() else {
        return Ok(());
    };
    for mut item in open_items_of(work, owner)? {
        let WorkKind::Displaced { owner: of, loss, paid } = &mut item.what else {
            continue;
        };
        let rest = loss.cells.without(&back);
        if of != owner || rest == loss.cells {
            continue;
        }
        if rest.is_empty() {
            resolve(work, &mut item, note)?;
            continue;
        }
        if let Some(paid) = paid {
            paid.minor = worth(work, line, &rest)?;
        }
        loss.cells = rest;
        work.put(&item)?;
    }
    Ok(())
}

/// The receipts that some cells come from, each once.
pub(super) fn receipts_of(returned: &[Returned]) -> Vec<ReceiptId> {
    let mut of: Vec<ReceiptId> = Vec::new();
    for one in returned {
        if !of.contains(&one.receipt) {
            of.push(one.receipt);
        }
    }
    of
}
