//! Invariant checks of a live database, made on one snapshot, without writes.
//!
//! Each check knows documents and the rules' words only; none trusts what another layer has kept.

use serde::Serialize;

use crate::engine::reads::{Question, Snapshot};
use crate::engine::{Desk, Failure};
use crate::store::journal::hash;

mod ahead;
mod calendars;
mod carts;
mod chains;
mod claims;
mod events;
mod history;
mod jobs;
mod overlaps;
mod payments;
mod replay;

/// The invariants, by the name under which a violation is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Invariant {
    /// A cell has at most one claim; runs are sorted, disjoint and merged.
    Cells,
    /// Free cells are those that no run covers; nothing outside the plan is claimed.
    Counts,
    /// A command over k cells takes k or none.
    AllOrNone,
    /// Every owner's claims are exactly its live cells.
    LiveCells,
    /// A cart ends once; a done one has exactly one receipt, an ended one claims nothing.
    OneEnd,
    /// No expiry before the deadline, no checkout at or after it.
    Deadlines,
    /// A receipt's lines are its payments, and what was paid is live or on the worklist.
    Money,
    /// Each document's versions run from 1 without a gap, and replaying them gives the document; each entry has its
    /// hash and its number behind the one before.
    Journal,
    /// A job never runs before it is due, and each of its checks takes effect once; each subject has its job.
    Jobs,
    /// The recorded time of a document is the latest time of its changes, so it never goes back.
    RecordedTime,
    /// The database is whole, and keeps what it has said.
    Durable,
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The broken invariant.
    pub invariant: Invariant,
    /// The document, by kind and key.
    pub subject: String,
    /// How.
    pub detail: String,
}

/// The subject of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// Two performances of one theater overlap.
    Overlap,
    /// A time is yet to come that a clock ahead has left. Nothing is decided by a stamp, so the house is sound, and may
    /// be backed up as it is.
    Ahead,
}

/// Something that an operator should settle; the house is sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The subject.
    pub about: RemarkKind,
    /// The document, by kind and key.
    pub subject: String,
    /// The facts, and what to do.
    pub detail: String,
}

/// The report of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many documents and changes were looked at.
    pub checked: usize,
    /// Violations found.
    pub violations: Vec<Violation>,
    /// The sentence that tells an operator what to settle.
    pub remarks: Vec<Remark>,
}

impl Report {
    fn violation(
        &mut self,
        invariant: Invariant,
        subject: impl Into<String>,
        detail: impl Into<String>,
    ) {
        self.violations.push(Violation {
            invariant,
            subject: subject.into(),
            detail: detail.into(),
        });
    }

    fn expect(
        &mut self,
        holds: bool,
        (invariant, subject): (Invariant, &str),
        detail: impl FnOnce() -> String,
    ) {
        if !holds {
            self.violation(invariant, subject, detail());
        }
    }
}

/// Checks a house.
///
/// # Errors
/// A fault of the store, or a document that cannot be read at all.
pub fn verify(desk: &Desk) -> Result<Report, Failure> {
    desk.read(Verify { seal: None })
}

/// Checks a house, and that the journal has an entry with a hash that was copied from paper: then nothing before it was
/// changed or cut off since.
///
/// # Errors
/// As [`verify`].
pub fn verify_sealed(desk: &Desk, seal: &str) -> Result<Report, Failure> {
    let seal = Some(hash::copied(seal));
    desk.read(Verify { seal })
}

struct Verify {
    seal: Option<String>,
}

impl Question for Verify {
    type Answer = Report;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Report, Failure> {
        let mut report = Report::default();
        // rows of a damaged file prove nothing, and walking over them may never end
        for damage in snapshot.corruption()? {
            report.violation(Invariant::Durable, "database", damage);
        }
        if !report.violations.is_empty() {
            return Ok(report);
        }
        for broken in snapshot.damage()? {
            report.violation(Invariant::Durable, "database", broken);
        }
        let owners = carts::check(snapshot, &mut report)?;
        claims::check(snapshot, owners, &mut report)?;
        jobs::history(snapshot, &mut report)?;
        calendars::check(snapshot, &mut report)?;
        history::check(snapshot, &mut report)?;
        if let Some(seal) = &self.seal {
            chains::check_seal(snapshot, seal, &mut report)?;
        }
        ahead::check(snapshot, &mut report)?;
        overlaps::check(snapshot, &mut report)?;
        Ok(report)
    }
}
