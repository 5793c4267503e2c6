//! Payment checks: each payment has live cells, or a worklist item, open or resolved.

use std::collections::{HashMap, HashSet};

use super::report::{Invariant, Report};
use crate::domain::booking::Taken;
use crate::domain::cart::{Cart, Recorded};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{LineId, PerformanceId, ReceiptId, WorkId};
use crate::domain::line::Goods;
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Cells on worklist items, open and resolved, by the owner that lost them.
#[derive(Default)]
pub(super) struct ItemCells<'a> {
    seats: HashSet<(LineId, PerformanceId, SeatRef)>,
    slots: HashMap<(LineId, &'a ResourceId), Vec<Slot>>,
    unissued: HashSet<WorkId>,
}

impl<'a> ItemCells<'a> {
    pub(super) fn of(items: &'a [WorklistItem]) -> Self {
        let mut listed = Self::default();
        for item in items {
            match &item.what {
                WorkKind::Displaced { owner: Owner::Line(line), loss, .. } => match &loss.cells {
                    CellGroup::Seats { performance, seats } => {
                        let seats = seats.iter().map(|seat| (*line, *performance, *seat));
                        listed.seats.extend(seats);
                    }
                    CellGroup::Time { resource, slots } => {
                        let known = listed.slots.entry((*line, resource)).or_default();
                        known.extend(slots);
                    }
                },
                WorkKind::UnissuedPayment { .. } => {
                    listed.unissued.insert(item.id);
                }
                WorkKind::Displaced { .. }
                | WorkKind::Overpaid { .. }
                | WorkKind::Overridden { .. }
                | WorkKind::Differs { .. } => {}
            }
        }
        listed
    }
}

/// Checks that a late card payment has the receipt or worklist item its cart names.
pub(super) fn check_cart(cart: &Cart, (issued, listed): (&HashSet<ReceiptId>, &ItemCells<'_>), report: &mut Report) {
    let stands = match cart.recorded {
        None => true,
        Some(Recorded::Receipt(id)) => issued.contains(&id),
        Some(Recorded::Unissued(id)) => listed.unissued.contains(&id),
    };
    let subject = format!("cart {}", cart.id);
    report.expect(stands, (Invariant::Money, &subject), || {
        "its card payment is neither on a receipt nor on the worklist".into()
    });
}

/// Checks that no paid cell is lost without a worklist item.
pub(super) fn check_cells(
    snapshot: &mut Snapshot<'_>,
    (receipt, listed): (&Receipt, &ItemCells<'_>),
    report: &mut Report,
) -> Result<(), Failure> {
    let subject = format!("receipt {}", receipt.number);
    for line in &receipt.lines {
        let id = line.id(receipt.cart);
        let lost = match &line.goods {
            Goods::Seats { performance, lost, .. } => {
                let is_listed = |seat: &&SeatRef| listed.seats.contains(&(id, *performance, **seat));
                let lost = lost.iter().filter(|seat| !is_listed(seat)).count();
                (lost > 0).then(|| format!("{lost} of its seats were"))
            }
            Goods::Booking { .. } => None,
            Goods::Time { resource, taken, .. } => {
                let known = listed.slots.get(&(id, resource));
                let known = known.map_or(&[][..], Vec::as_slice);
                let has = segments(snapshot, taken, known)?;
                (line.count > has).then(|| format!("time of {resource} was"))
            }
        };
        report.expect(lost.is_none(), (Invariant::Money, &subject), || {
            let lost = lost.unwrap_or_default();
            format!("{lost} paid, not its own any more, and never on the worklist")
        });
    }
    Ok(())
}

/// Segments of the requested time that are live, came back, or are on the worklist, open or resolved.
fn segments(snapshot: &mut Snapshot<'_>, taken: &[Taken], known: &[Slot]) -> Result<u32, Failure> {
    let Some(asked) = taken.first() else {
        return Ok(0);
    };
    let resource: Resource = snapshot.get(&asked.resource)?;
    let slots = asked.live.iter().chain(known).chain(&asked.given);
    let inside = slots.filter_map(|slot| slot.meet(&asked.core));
    Ok(inside.map(|slot| resource.grid.segments(slot)).sum())
}
