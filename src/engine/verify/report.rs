//! Report of a verification: violations of invariants, and remarks.

use serde::Serialize;

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
    /// A job never runs before it is due, each check takes effect once, and each subject has its job.
    Jobs,
    /// The recorded time of a document is the latest time of its changes, so it never goes back.
    RecordedTime,
    /// The database file is intact, and committed data is still there.
    Durable,
}

/// Broken invariant of one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
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
    pub violations: Vec<Violation>,
    pub remarks: Vec<Remark>,
}

impl Report {
    /// Appends the report of other checks.
    pub(super) fn append(&mut self, other: Self) {
        self.checked += other.checked;
        self.violations.extend(other.violations);
        self.remarks.extend(other.remarks);
    }

    pub(super) fn violation(&mut self, invariant: Invariant, subject: impl Into<String>, detail: impl Into<String>) {
        self.violations.push(Violation { invariant, subject: subject.into(), detail: detail.into() });
    }

    pub(super) fn expect(
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
