//! Seat checks: chunks against their plans, and every claim against the live cells of its owner.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::carts::{self, Claimed, Owners};
use super::report::{Invariant, Report};
use crate::domain::availability::{Chunk, Claim};
use crate::domain::ids::PerformanceId;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Live cells by owner: (claimed, not claimed).
type Shares = HashMap<Owner, (u32, u32)>;

/// Sums of claim hashes by performance: independent of the order of addition.
#[derive(Default)]
struct Sums(HashMap<PerformanceId, u128>);

impl Sums {
    fn add(&mut self, performance: PerformanceId, seat: SeatRef, claim: &Claimed) {
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, performance, seat, claim).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        let sum = self.0.entry(performance).or_default();
        *sum = sum.wrapping_add(hash(0) << 64 | hash(1));
    }
}

/// Compares expected claims with the runs of chunks: by sums for each performance, and seat by seat
/// where the sums differ.
pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let mut sums = Sums::default();
    carts::each_claim(snapshot, &mut |performance, seats, claim| {
        for seat in seats {
            sums.add(performance, *seat, claim);
        }
    })?;
    let performances: Vec<Performance> = snapshot.select("ORDER BY key", &[])?;
    report.checked += performances.len();
    let mut differing = HashSet::new();
    for performance in &performances {
        let chunks = check_chunks(snapshot, performance, report)?;
        let mut stored = Sums::default();
        each_run(&chunks, &mut |seat, claim| {
            let claim = (claim.owner.clone(), claim.grip, claim.until);
            stored.add(performance.id, seat, &claim);
        });
        let expected = sums.0.remove(&performance.id).unwrap_or_default();
        if stored.0.get(&performance.id).copied().unwrap_or_default() != expected {
            differing.insert(performance.id);
        }
    }
    // performances that no longer exist
    differing.extend(sums.0.into_keys());
    if differing.is_empty() {
        return Ok(());
    }
    compare(snapshot, &differing, report)
}

/// Compares the claims of performances seat by seat.
fn compare(
    snapshot: &mut Snapshot<'_>,
    performances: &HashSet<PerformanceId>,
    report: &mut Report,
) -> Result<(), Failure> {
    let (mut owners, mut shares) = (Owners::new(), Shares::new());
    carts::each_claim(snapshot, &mut |performance, seats, claim| {
        for seat in seats.iter().filter(|_| performances.contains(&performance)) {
            let expected = owners.entry((performance, *seat)).or_default();
            expected.push(claim.clone());
        }
    })?;
    for performance in performances {
        let chunks = snapshot.chunks(*performance)?;
        each_run(&chunks, &mut |seat, claim| {
            if take(&mut owners, (*performance, seat), claim) {
                shares.entry(claim.owner.clone()).or_default().0 += 1;
            } else {
                let detail = format!(
                    "it has row {} seat {} of {performance}, which is not among its live cells",
                    seat.row, seat.seat
                );
                report.violation(Invariant::LiveCells, claim.owner.to_string(), detail);
            }
        });
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

/// Checks the chunks of a performance against the rows of its plan.
fn check_chunks(
    snapshot: &mut Snapshot<'_>,
    performance: &Performance,
    report: &mut Report,
) -> Result<Vec<Chunk>, Failure> {
    let rows: Vec<u32> = snapshot
        .seating(performance.plan)?
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
    }
    Ok(chunks)
}

/// Calls a closure with each claimed seat of some chunks.
fn each_run(chunks: &[Chunk], with: &mut dyn FnMut(SeatRef, &Claim)) {
    for chunk in chunks {
        for run in &chunk.runs {
            for seat in run.from..=run.to.min(chunk.cells) {
                let row = chunk.number;
                with(SeatRef { row, seat }, &run.claim);
            }
        }
    }
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
