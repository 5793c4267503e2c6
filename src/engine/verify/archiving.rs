//! Archiving of the journal: copies the entries of past days into a file, and prepares their move.
//!
//! The file is complete before the house is changed: a crash between the two leaves the house whole, and archiving
//! again makes the same file. Entries are replayed on the way, so that the file ends with the digests of all documents.

use std::collections::HashSet;
use std::path::PathBuf;

use chrono::NaiveDate;

use super::journal::JournalReplay;
use super::parts::{Parts, page};
use super::report::Report;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::time::day_start;
use crate::engine::Failure;
use crate::engine::ops::{ArchiveJournal, ArchivedEntries};
use crate::engine::reads::{Question, Snapshot};
use crate::store::journal::archive::{self, Archive, ArchiveFile, Record, WHOLE_AFTER};
use crate::store::journal::{Content, Entry};
use crate::store::{Fault, Row, Sql};

/// Copies the entries before a date into a new archive, and prepares their move out of the house.
#[derive(Clone, Debug)]
pub struct PrepareArchive {
    /// First day that stays.
    pub before: NaiveDate,
    /// Name that the archive gets.
    pub name: String,
    pub file: PathBuf,
}

impl Question for PrepareArchive {
    type Answer = ArchiveJournal;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ArchiveJournal, Failure> {
        let settings = snapshot.settings()?;
        settings.check_archived(self.before, snapshot.now())?;
        let mut journal = JournalReplay::new(!snapshot.numbered()?.is_empty());
        let house = snapshot.sql();
        let from = day_start(self.before, settings.time_zone).millis();
        let last = last_before(house, from)?;
        let last = last.ok_or(Refusal::bad("before", Problem::NothingBefore(self.before)))?;
        // left by a snapshot that lost its connection
        let _ = std::fs::remove_file(&self.file);
        let mut file = ArchiveFile::create(&self.file)?;
        let mut record = Record::read(house)?.unwrap_or_default();
        journal.begin(house, &record, &mut |row| file.keep(row))?;
        let archives = &mut [];
        let mut parts = Parts { archives, house };
        let entries = copy_entries((&mut parts, &mut journal), &file, last)?;
        keep_bodies((&mut parts, &mut journal), &file, (last, from))?;
        record.archives.push(Archive { before: self.before, file: self.name.clone(), last });
        record.ends = journal.chains.ends;
        record.pruned = journal.events.pruned;
        record.from = from;
        record.documents = archive::each_document(&mut file, &mut |_| Ok(()))?;
        file.keep(&record.row()?)?;
        file.finish()?;
        Ok(ArchiveJournal {
            moved: ArchivedEntries {
                before: self.before,
                file: self.name.clone(),
                entries,
                last,
                record: record.hash()?,
            },
            from: self.file.clone(),
        })
    }
}

/// Position of the last entry before the first one that is not before a time. The newest entry
/// stays, because the positions in a file go on from it.
fn last_before(sql: &mut dyn Sql, from: i64) -> Result<Option<i64>, Fault> {
    let number = |rows: Vec<Row>| rows.first().and_then(|row| row.whole(0));
    let first = number(sql.query("SELECT MIN(seq) FROM journal", &[])?);
    let newest = number(sql.query("SELECT MAX(seq) FROM journal", &[])?);
    let later = "SELECT MIN(seq) FROM journal WHERE at >= $1";
    let later = number(sql.query(later, &[from.into()])?);
    let last = later.or(newest).map(|seq| seq - 1);
    Ok(last.filter(|last| first.is_some_and(|first| first <= *last)))
}

/// Copies entries into an archive, with the digests of the documents that they make; returns their number.
fn copy_entries(
    (parts, journal): (&mut Parts<'_>, &mut JournalReplay),
    file: &ArchiveFile,
    last: i64,
) -> Result<i64, Failure> {
    let (mut entries, mut after, mut report) = (0, 0, Report::default());
    while let Some(rows) = page(parts.house, &mut after, last)? {
        for row in &rows {
            file.append(row)?;
            entries += 1;
        }
        for entry in journal.follow(parts, rows, &mut report)? {
            for change in &entry.changes {
                let document = (change.kind, change.key.as_str());
                if let Some(made) = journal.replay.made(document) {
                    file.keep(&made.row(document))?;
                }
            }
        }
    }
    // the entry that redacts another one may stay in the house
    while journal.chains.has_rewritten()
        && let Some(rows) = page(parts.house, &mut after, i64::MAX)?
    {
        for row in rows {
            journal.chains.note_redacted(&Entry::from_row(row)?);
        }
    }
    journal.chains.check_rewritten(&mut report);
    report.violations.first().map_or(Ok(entries), |broken| {
        let (subject, detail) = (&broken.subject, &broken.detail);
        Err(Fault::Damaged(format!("{subject}: {detail}")).into())
    })
}

/// Keeps the bodies that later entries have deltas to.
fn keep_bodies(
    (parts, journal): (&mut Parts<'_>, &mut JournalReplay),
    file: &ArchiveFile,
    (last, from): (i64, i64),
) -> Result<(), Failure> {
    let (mut seen, mut after) = (HashSet::new(), last);
    while let Some(rows) = page(parts.house, &mut after, i64::MAX)? {
        let soon = rows.into_iter().filter(|row| row.int(2) <= from + WHOLE_AFTER);
        for row in soon {
            for change in Entry::from_row(row)?.changes {
                let is_first = seen.insert((change.kind, change.key.clone()));
                let is_delta = matches!(change.content, Content::Delta(_));
                if is_first && is_delta && change.version > 1 {
                    let document = (change.kind, change.key.as_str());
                    let before = journal.replay.before(parts, &change)?;
                    file.keep(&before.row(document))?;
                }
            }
        }
    }
    Ok(())
}
