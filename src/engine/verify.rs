//! Invariant checks of a live database, made on one read snapshot, without writes.
//!
//! Each check reads documents and the domain's rules only; none trusts the caches and sums that
//! other layers keep. To add one: a module with `check(snapshot, report)`, a call in `Verify::ask`,
//! and where needed a variant of [`Invariant`].

use serde::Serialize;

use crate::engine::reads::{Question, Snapshot};
use crate::engine::{Desk, Failure};
use crate::store::document::Document;
use crate::store::journal::hash;
use crate::store::walk::advance;

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

/// Invariants, serialized by name with each violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Invariant {
    /// A cell has at most one claim; runs are sorted, disjoint and merged.
    Cells,
    /// Free cells are those that no run covers; nothing outside the plan is claimed.
    Counts,
    /// A command over k cells claims all k or none.
    AllOrNone,
    /// Every owner's claims are exactly its live cells.
    LiveCells,
    /// A cart ends once: a completed one has exactly one receipt, an ended one claims nothing.
    OneEnd,
    /// No expiry before the deadline, no checkout at or after it.
    Deadlines,
    /// The lines of a receipt add up to its payments; each paid cell is live or on the worklist.
    Money,
    /// The versions of each document run from 1 without a gap, and replaying them gives the
    /// document; each entry carries its hash and the next number of its chain.
    Journal,
    /// A job never runs before it is due, each check takes effect once, and each subject has its
    /// job.
    Jobs,
    /// The recorded time of a document is the latest time of its changes, so it never goes back.
    RecordedTime,
    /// The database file is intact, and committed data is still there.
    Durable,
}

/// Broken invariant of one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The broken invariant.
    pub invariant: Invariant,
    /// The document, by kind and key.
    pub subject: String,
    /// Facts that break the invariant.
    pub detail: String,
}

/// The subject of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// Overlapping performances in one theater.
    Overlap,
    /// Stored time in the future, left by a clock that was ahead. No decision uses such a stamp, so
    /// the database is valid and may be backed up.
    Ahead,
}

/// Advice for an operator about a valid database.
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
    /// Number of documents and changes checked.
    pub checked: usize,
    /// Violations found.
    pub violations: Vec<Violation>,
    /// Remarks for the operator.
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

/// Verifies all invariants of a database.
///
/// # Errors
/// A fault of the store, or a document that cannot be read at all.
pub fn verify(desk: &Desk) -> Result<Report, Failure> {
    desk.read(Verify { seal: None })
}

/// Verifies all invariants, and that the journal has an entry with the hash `seal`, which was
/// copied to paper: then no earlier entry was changed or cut off since.
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
        // the rows of a damaged file prove nothing, and a walk over them may never end
        for damage in snapshot.corruption()? {
            report.violation(Invariant::Durable, "database", damage);
        }
        if !report.violations.is_empty() {
            return Ok(report);
        }
        for broken in snapshot.damage()? {
            report.violation(Invariant::Durable, "database", broken);
        }
        carts::check(snapshot, &mut report)?;
        claims::check(snapshot, &mut report)?;
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

/// Documents read per query.
const DOCUMENTS_PER_PAGE: usize = 200;

/// Callback for a page of documents.
type WithPage<'a, D> = &'a mut dyn FnMut(&mut Snapshot<'_>, Vec<D>) -> Result<(), Failure>;

/// Calls a closure with the documents of a kind, page by page, in the order of their keys.
fn each_page<D: Document>(
    snapshot: &mut Snapshot<'_>,
    with: WithPage<'_, D>,
) -> Result<(), Failure> {
    let condition = format!("WHERE key > $1 ORDER BY key LIMIT {DOCUMENTS_PER_PAGE}");
    let mut key = String::new();
    loop {
        let page: Vec<D> = snapshot.select(&condition, &[key.as_str().into()])?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        advance(D::KIND.word(), &mut key, last.key())?;
        with(snapshot, page)?;
    }
}
