//! Invariant checks of a live database, made on one read snapshot, without writes.
//!
//! Each check reads documents and the domain's rules only; none trusts the caches and sums that
//! other layers keep. To add one: a module with `check(snapshot, report)`, a call in `Verify::ask`,
//! and where needed a variant of [`Invariant`].

use std::path::PathBuf;

use serde::Serialize;

use crate::domain::refusal::{Problem, Refusal};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::{Desk, Failure};
use crate::store::document::Document;
use crate::store::journal::archive::{Archive, ArchiveFile, Record};
use crate::store::journal::hash;
use crate::store::walk::advance;
use journal::Parts;

mod ahead;
mod archiving;
mod calendars;
mod carts;
mod chains;
mod claims;
mod events;
mod history;
mod jobs;
mod journal;
mod overlaps;
mod payments;
mod replay;

pub use archiving::PrepareArchive;
pub(in crate::engine) use archiving::check_closed;

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
    /// Archived entries of the journal: whether they were read.
    Archived,
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
    /// Remarks which entries are archived, and whether they were read.
    fn remark_archives(&mut self, record: &Record, unread: bool) {
        let Some(newest) = record.archives.last() else {
            return;
        };
        let Archive { before, last, .. } = newest;
        let files: Vec<&str> = record
            .archives
            .iter()
            .map(|one| one.file.as_str())
            .collect();
        let files = files.join(", ");
        let detail = if unread {
            format!(
                "The journal up to number {last} (before {before}) is in {files} and was not read. \
                 To read it too: willcall verify --archive FILE, for each file, oldest first"
            )
        } else {
            format!("The journal up to number {last} was read from {files}.")
        };
        self.remarks.push(Remark {
            about: RemarkKind::Archived,
            subject: "journal".into(),
            detail,
        });
    }

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
    verify_with(desk, &[], None)
}

/// Verifies all invariants, and that the journal has an entry with the hash `seal`, which was
/// copied to paper: then no earlier entry was changed or cut off since.
///
/// # Errors
/// As [`verify`].
pub fn verify_sealed(desk: &Desk, seal: &str) -> Result<Report, Failure> {
    verify_with(desk, &[], Some(seal))
}

/// Verifies all invariants, and replays the journal from its archives, oldest first. Without them
/// it is replayed from what the house recorded with the last archive.
///
/// # Errors
/// As [`verify`]; other archives than all of the house.
pub fn verify_with(
    desk: &Desk,
    archives: &[PathBuf],
    seal: Option<&str>,
) -> Result<Report, Failure> {
    let seal = seal.map(hash::copied);
    desk.read(Verify { archives, seal })
}

struct Verify<'a> {
    archives: &'a [PathBuf],
    seal: Option<String>,
}

impl Question for Verify<'_> {
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
        let archives = &mut self.open(snapshot)?;
        history::check(snapshot, archives, &mut report)?;
        if let Some(seal) = &self.seal {
            let house = snapshot.sql();
            chains::check_seal(&mut Parts { archives, house }, seal, &mut report)?;
        }
        ahead::check(snapshot, &mut report)?;
        overlaps::check(snapshot, &mut report)?;
        Ok(report)
    }
}

impl Verify<'_> {
    /// Opens the archives, if they are all of the house.
    fn open(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ArchiveFile>, Failure> {
        let opened = self.archives.iter().map(|path| ArchiveFile::open(path));
        let mut opened = opened.collect::<Result<Vec<_>, _>>()?;
        let all = Record::read(snapshot.sql())?.unwrap_or_default().archives;
        let mut given = Vec::new();
        for archive in &mut opened {
            given.extend(Record::read(archive)?.and_then(|record| record.archives.last().cloned()));
        }
        if opened.is_empty() || given == all {
            return Ok(opened);
        }
        let names = all.into_iter().map(|archive| archive.file).collect();
        Err(Refusal::bad("archive", Problem::Archives(names)).into())
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
