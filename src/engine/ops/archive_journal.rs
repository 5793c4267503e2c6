//! Move of journal entries into an archive.

use std::path::PathBuf;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::refusal::{Problem, Refusal};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::journal::archive::Archival;

/// Deletes the entries that an archive has, and keeps its record. The entry of this command names the record's hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchiveJournal {
    #[serde(flatten)]
    pub moved: ArchivedEntries,
    /// Complete archive.
    #[serde(skip)]
    pub from: PathBuf,
}

/// Archived entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedEntries {
    /// First day that stays.
    pub before: NaiveDate,
    pub file: String,
    pub entries: i64,
    /// Position of the last one.
    pub last: i64,
    /// Hash of the record.
    pub record: String,
}

impl Operation for ArchiveJournal {
    const VERB: &'static str = "archive_journal";
    type Answer = ArchivedEntries;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<ArchivedEntries, Failure> {
        let Self { moved, from } = self;
        work.settings()?.check_archived(moved.before, work.now())?;
        let count = "SELECT COUNT(*) FROM journal WHERE seq <= $1";
        let rows = work.query(count, &[moved.last.into()])?;
        // another desk archived them meanwhile
        if rows.first().map(|row| row.int(0)) != Some(moved.entries) {
            return Err(Refusal::bad("before", Problem::NothingBefore(moved.before)).into());
        }
        work.archive(Archival { file: from.clone(), last: moved.last, entries: moved.entries });
        Ok(moved.clone())
    }
}
