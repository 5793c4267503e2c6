//! Claim checks: seat rows against their plans, and every claim against the live cells of its owner.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::calendars;
use super::owners::{Cell, WithCell, each_claim};
use super::report::{Invariant, Report};
use crate::domain::availability::{Chunk, Claim};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::resource::Resource;
use crate::domain::time::date_of;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::chunks::{BETWEEN, all_days, rows_of};

/// Sums of claim hashes by resource: independent of the order of addition.
#[derive(Default)]
pub(super) struct ClaimSums(HashMap<String, u128>);

impl ClaimSums {
    fn add(&mut self, cell: Cell<'_>, claim: &Claim) {
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, cell, claim).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        let hash = hash(0) << 64 | hash(1);
        match self.0.get_mut(cell.of) {
            Some(sum) => *sum = sum.wrapping_add(hash),
            None => drop(self.0.insert(cell.of.to_owned(), hash)),
        }
    }

    /// Adds the claims of some chunks; each unit of a counted resource counts as its segment.
    pub(super) fn add_all(&mut self, chunks: &[Chunk], stride: u32) {
        for chunk in chunks {
            each_cell((chunk, stride), &mut |cell, claim| self.add(cell, claim));
        }
    }
}

/// Compares expected claims with the runs of chunks: by sums for each resource, and cell by cell where the sums differ.
pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let resources: Vec<Resource> = snapshot.select("ORDER BY key", &[])?;
    report.checked += resources.len();
    let (mut expected, mut stored) = (ClaimSums::default(), ClaimSums::default());
    report.checked += each_claim(snapshot, &resources, &mut |cell, claim| {
        expected.add(cell, claim);
    })?;
    check_performances(snapshot, &mut stored, report)?;
    calendars::check(snapshot, &resources, (&mut stored, report))?;
    let all = expected.0.keys().chain(stored.0.keys());
    let differ = |one: &&String| expected.0.get(*one) != stored.0.get(*one);
    let differing: BTreeSet<&str> = all.filter(differ).map(String::as_str).collect();
    if differing.is_empty() {
        return Ok(());
    }
    compare(snapshot, &resources, (&differing, report))
}

/// Compares the claims on resources cell by cell.
fn compare(
    snapshot: &mut Snapshot<'_>,
    resources: &[Resource],
    (differing, report): (&BTreeSet<&str>, &mut Report),
) -> Result<(), Failure> {
    let mut expected: HashMap<Cell<'_>, Vec<Claim>> = HashMap::new();
    // live cells by owner: claimed, and not claimed
    let mut shares: HashMap<Owner, (u32, u32)> = HashMap::new();
    each_claim(snapshot, resources, &mut |cell, claim| {
        if let Some(of) = differing.get(cell.of) {
            let claims = expected.entry(Cell { of, ..cell }).or_default();
            claims.push(claim.clone());
        }
    })?;
    let condition = format!("WHERE {BETWEEN} ORDER BY key");
    for of in differing {
        let stride = resources.iter().find(|one| one.id.as_str() == *of).map_or(1, Resource::stride);
        for bounds in [rows_of(of), all_days(of)] {
            for chunk in snapshot.select::<Chunk>(&condition, &bounds)? {
                each_cell((&chunk, stride), &mut |cell, claim| {
                    let claims = expected.get_mut(&Cell { of, ..cell });
                    let found = claims.and_then(|claims| {
                        let at = claims.iter().position(|expected| expected == claim)?;
                        Some(claims.swap_remove(at))
                    });
                    if found.is_some() {
                        shares.entry(claim.owner.clone()).or_default().0 += 1;
                    } else {
                        let detail = format!("it has {cell}, which is not among its live cells");
                        report.violation(Invariant::LiveCells, claim.owner.to_string(), detail);
                    }
                });
            }
        }
    }
    for (cell, left) in expected {
        for Claim { owner, .. } in left {
            let detail = format!("{cell} is not claimed for it");
            report.violation(Invariant::LiveCells, owner.to_string(), detail);
            shares.entry(owner).or_default().1 += 1;
        }
    }
    for (owner, (has, lacks)) in shares {
        report.expect(has == 0 || lacks == 0, (Invariant::AllOrNone, &owner.to_string()), || {
            format!("it has {has} of {} cells", has + lacks)
        });
    }
    Ok(())
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { of, number, at } = self;
        if date_of(*number).is_some() {
            write!(out, "cell {at} of {of}, {number}")
        } else {
            write!(out, "row {number} seat {at} of {of}")
        }
    }
}

/// Calls a closure with each claimed cell of a chunk.
fn each_cell((chunk, stride): (&Chunk, u32), with: WithCell<'_>) {
    let (of, number) = (chunk.resource.as_str(), chunk.number);
    for run in &chunk.runs {
        for at in run.from..=run.to.min(chunk.cells) {
            with(Cell { of, number, at: at / stride }, &run.claim);
        }
    }
}

fn check_performances(snapshot: &mut Snapshot<'_>, stored: &mut ClaimSums, report: &mut Report) -> Result<(), Failure> {
    let performances: Vec<Performance> = snapshot.select("ORDER BY key", &[])?;
    report.checked += performances.len();
    for performance in &performances {
        stored.add_all(&check_chunks(snapshot, performance, report)?, 1);
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
    report.expect(rows.len() == chunks.len(), (Invariant::Counts, &subject), || {
        format!("{} rows, {} chunks", rows.len(), chunks.len())
    });
    for (chunk, cells) in chunks.iter().zip(rows) {
        check_chunk(chunk, cells, report);
    }
    Ok(chunks)
}

pub(super) fn check_chunk(chunk: &Chunk, cells: u32, report: &mut Report) {
    let subject = format!("chunk {}_{:05}", chunk.resource, chunk.number);
    report.expect(chunk.cells == cells, (Invariant::Counts, &subject), || {
        format!("{} cells, the plan's row has {cells}", chunk.cells)
    });
    let covered: u32 = chunk.runs.iter().map(|run| run.to.saturating_sub(run.from) + 1).sum();
    let counted = chunk.free.checked_add(covered) == Some(chunk.cells);
    report.expect(counted, (Invariant::Counts, &subject), || {
        format!("{} free and {covered} claimed of {}", chunk.free, chunk.cells)
    });
    let inside = chunk.runs.iter().all(|run| run.from <= run.to && run.to < chunk.cells);
    report.expect(inside, (Invariant::Counts, &subject), || "a claim lies outside".into());
    for (left, right) in chunk.runs.iter().zip(chunk.runs.iter().skip(1)) {
        report.expect(left.to < right.from, (Invariant::Cells, &subject), || {
            format!("cell {} has two claims", right.from)
        });
        let merged = left.to.saturating_add(1) < right.from || left.claim != right.claim;
        report.expect(merged, (Invariant::Cells, &subject), || format!("the runs at {} are not merged", right.from));
    }
}
