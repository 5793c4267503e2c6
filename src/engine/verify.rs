//! Invariant checks of a live database, made on one read snapshot, without writes.
//!
//! Each check reads documents and the domain's rules only; none trusts the caches and sums that
//! other layers keep. To add one: a module with `check(snapshot, report)`, a call in `Verify::ask`,
//! and where needed a variant of [`Invariant`].

use std::path::PathBuf;

use crate::domain::refusal::{Problem, Refusal};
use crate::engine::Failure;
use crate::engine::reads::{Question, Snapshot};
use crate::store::document::Document;
use crate::store::journal::archive::{ArchiveFile, Record};
use crate::store::journal::hash;
use crate::store::walk::advance;
use parts::Parts;

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
mod owners;
mod paid_bookings;
mod parts;
mod payments;
mod replay;
mod report;
mod returns;

pub use archiving::PrepareArchive;
pub use report::{Invariant, Remark, RemarkKind, Report, Violation};

/// Verifies all invariants of a database.
#[derive(Clone, Debug, Default)]
pub struct Verify {
    /// Archives from which the journal is replayed, oldest first, all or none: without them it is replayed from what
    /// the house recorded with the last archive.
    pub archives: Vec<PathBuf>,
    /// Hash of an entry, copied to paper. That entry has to be there: then none before it was changed or cut off since.
    pub seal: Option<String>,
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
        checked(carts::check, snapshot, &mut report)?;
        checked(claims::check, snapshot, &mut report)?;
        checked(jobs::history, snapshot, &mut report)?;
        let archives = &mut self.open(snapshot)?;
        history::check(snapshot, archives, &mut report)?;
        if let Some(seal) = self.seal.as_deref().map(hash::copied) {
            let house = snapshot.sql();
            chains::check_seal(&mut Parts { archives, house }, &seal, &mut report)?;
        }
        checked(ahead::check, snapshot, &mut report)?;
        checked(overlaps::check, snapshot, &mut report)?;
        Ok(report)
    }
}

type Check = fn(&mut Snapshot<'_>, &mut Report) -> Result<(), Failure>;

/// Makes a check; a missing document that others name is a violation, and ends this check alone.
fn checked(check: Check, snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    match check(snapshot, report) {
        Err(Failure::Refused(Refusal::NotFound { what, name })) => {
            let subject = format!("{what} {name}");
            report.violation(
                Invariant::Durable,
                subject,
                "others name it, and it is missing",
            );
            Ok(())
        }
        checked => checked,
    }
}

impl Verify {
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

const DOCUMENTS_PER_PAGE: usize = 200;

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
