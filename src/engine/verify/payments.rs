//! Money that came in: each payment has live cells, or stands or stood on the worklist.

use std::collections::{HashMap, HashSet};

use super::{Invariant, Report};
use crate::domain::cart::{Cart, Recorded};
use crate::domain::house::{WorkItem, WorkKind};
use crate::domain::ids::{LineId, PerformanceId, ReceiptId, WorkId};
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Worklist items, open and resolved, by the owner they were taken from.
#[derive(Default)]
struct Listed<'a> {
    seats: HashSet<(LineId, PerformanceId, SeatRef)>,
    slots: HashMap<(LineId, &'a ResourceId), Vec<Slot>>,
    unissued: HashSet<WorkId>,
}

impl<'a> Listed<'a> {
    fn of(items: &'a [WorkItem]) -> Self {
        let mut listed = Self::default();
        for item in items {
            match &item.what {
                WorkKind::Displaced {
                    owner: Owner::Line(line),
                    performance,
                    seats,
                    ..
                } => {
                    let seats = seats.iter().map(|seat| (*line, *performance, *seat));
                    listed.seats.extend(seats);
                }
                WorkKind::DisplacedTime {
                    owner: Owner::Line(line),
                    resource,
                    slots,
                    ..
                } => {
                    let known = listed.slots.entry((*line, resource)).or_default();
                    known.extend(slots);
                }
                WorkKind::UnissuedPayment { .. } => {
                    listed.unissued.insert(item.id);
                }
                WorkKind::Displaced { .. } | WorkKind::DisplacedTime { .. } => {}
            }
        }
        listed
    }
}

/// Checks that no cell that was paid for is lost without a word, and that a late card payment is where its cart says.
pub(super) fn check(
    snapshot: &mut Snapshot<'_>,
    (carts, receipts, items): (&[Cart], &[Receipt], &[WorkItem]),
    report: &mut Report,
) -> Result<(), Failure> {
    let listed = Listed::of(items);
    for receipt in receipts {
        check_cells(snapshot, (receipt, &listed), report)?;
    }
    let issued: HashSet<ReceiptId> = receipts.iter().map(|receipt| receipt.id).collect();
    for cart in carts {
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
    Ok(())
}

fn check_cells(
    snapshot: &mut Snapshot<'_>,
    (receipt, listed): (&Receipt, &Listed<'_>),
    report: &mut Report,
) -> Result<(), Failure> {
    let subject = format!("receipt {}", receipt.number);
    for line in &receipt.lines {
        let is_lost = |seat: &&SeatRef| {
            !line.live.contains(seat)
                && !listed.seats.contains(&(line.id, line.performance, **seat))
        };
        let lost = line.seats.iter().filter(is_lost).count();
        report.expect(lost == 0, (Invariant::Money, &subject), || {
            format!("{lost} of its seats were paid, are not its own any more, and were never on the worklist")
        });
    }
    for line in &receipt.slots {
        let Some(asked) = line.taken.first() else {
            continue;
        };
        let resource: Resource = snapshot.get(&asked.resource)?;
        let segments = |slots: &[Slot]| -> u32 {
            let inside = slots.iter().filter_map(|slot| slot.meet(&asked.core));
            inside.map(|slot| resource.grid.segments(slot)).sum()
        };
        let known = listed.slots.get(&(line.id, &asked.resource));
        let known = segments(known.map_or(&[], Vec::as_slice));
        let lost = line.segments > segments(&asked.live).saturating_add(known);
        report.expect(!lost, (Invariant::Money, &subject), || {
            format!(
                "time of {} was paid, is not its own any more, and was never on the worklist",
                asked.resource
            )
        });
    }
    Ok(())
}
