//! Seat checks: chunks against their plans, and every claim against the live cells of its owner.

use std::collections::HashMap;

use super::carts::Owners;
use super::{Invariant, Report};
use crate::domain::availability::{Chunk, Claim};
use crate::domain::ids::PerformanceId;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Live cells by owner: (claimed, not claimed).
type Shares = HashMap<Owner, (u32, u32)>;

pub(super) fn check(
    snapshot: &mut Snapshot<'_>,
    mut owners: Owners,
    report: &mut Report,
) -> Result<(), Failure> {
    let performances: Vec<Performance> = snapshot.select("ORDER BY key", &[])?;
    report.checked += performances.len();
    let mut shares = Shares::new();
    for performance in performances {
        let rows: Vec<u32> = snapshot
            .house(performance.plan)?
            .plan
            .rows()
            .map(|(_, _, row)| u32::try_from(row.seats.len()).unwrap_or(u32::MAX))
            .collect();
        let chunks = snapshot.chunks(performance.id)?;
        report.checked += chunks.len();
        let subject = format!("performance {}", performance.id);
        report.expect(
            rows.len() == chunks.len(),
            (Invariant::Counts, &subject),
            || format!("{} rows, {} chunks", rows.len(), chunks.len()),
        );
        for (chunk, cells) in chunks.iter().zip(rows) {
            check_chunk(chunk, cells, report);
            check_claims(performance.id, chunk, &mut owners, (&mut shares, report));
        }
    }
    for ((performance, seat), left) in owners {
        for (owner, _, _) in left {
            shares.entry(owner.clone()).or_default().1 += 1;
            let detail = format!(
                "row {} seat {} of {performance} is not claimed for it",
                seat.row, seat.seat
            );
            report.violation(Invariant::LiveCells, owner.to_string(), detail);
        }
    }
    for (owner, (has, lacks)) in shares
        .into_iter()
        .filter(|(_, (has, lacks))| *has > 0 && *lacks > 0)
    {
        report.violation(
            Invariant::AllOrNone,
            owner.to_string(),
            format!("it has {has} of {} cells", has + lacks),
        );
    }
    Ok(())
}

pub(super) fn check_chunk(chunk: &Chunk, cells: u32, report: &mut Report) {
    let subject = format!("chunk {}_{:05}", chunk.resource, chunk.number);
    report.expect(chunk.cells == cells, (Invariant::Counts, &subject), || {
        format!("{} cells, the plan's row has {cells}", chunk.cells)
    });
    let covered: u32 = chunk
        .runs
        .iter()
        .map(|run| run.to.saturating_sub(run.from) + 1)
        .sum();
    let counted = chunk.free.checked_add(covered) == Some(chunk.cells);
    report.expect(counted, (Invariant::Counts, &subject), || {
        format!(
            "{} free and {covered} claimed of {}",
            chunk.free, chunk.cells
        )
    });
    let inside = chunk
        .runs
        .iter()
        .all(|run| run.from <= run.to && run.to < chunk.cells);
    report.expect(inside, (Invariant::Counts, &subject), || {
        "a claim lies outside".into()
    });
    for (left, right) in chunk.runs.iter().zip(chunk.runs.iter().skip(1)) {
        report.expect(left.to < right.from, (Invariant::Cells, &subject), || {
            format!("cell {} has two claims", right.from)
        });
        let merged = left.to.saturating_add(1) < right.from || left.claim != right.claim;
        report.expect(merged, (Invariant::Cells, &subject), || {
            format!("the runs at {} are not merged", right.from)
        });
    }
}

fn check_claims(
    performance: PerformanceId,
    chunk: &Chunk,
    owners: &mut Owners,
    (shares, report): (&mut Shares, &mut Report),
) {
    for run in &chunk.runs {
        for cell in run.from..=run.to.min(chunk.cells) {
            let seat = SeatRef {
                row: chunk.number,
                seat: cell,
            };
            if take(owners, (performance, seat), &run.claim) {
                shares.entry(run.claim.owner.clone()).or_default().0 += 1;
            } else {
                let detail = format!(
                    "it has row {} seat {cell} of {performance}, which is not among its live cells",
                    chunk.number
                );
                report.violation(Invariant::LiveCells, run.claim.owner.to_string(), detail);
            }
        }
    }
}

/// Removes a claim from the expected ones; false if it was not expected.
fn take(owners: &mut Owners, place: (PerformanceId, SeatRef), claim: &Claim) -> bool {
    let Some(expected) = owners.get_mut(&place) else {
        return false;
    };
    let found = expected.iter().position(|(owner, grip, until)| {
        *owner == claim.owner && *grip == claim.grip && *until == claim.until
    });
    if let Some(found) = found {
        expected.swap_remove(found);
    }
    if expected.is_empty() {
        owners.remove(&place);
    }
    found.is_some()
}
