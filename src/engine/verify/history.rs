//! Journal checks: hashes and numbers of each chain, and replay against the stored rows.
//!
//! Memory stays constant as the house grows. Replay keeps the bodies of recently changed documents,
//! and reads older ones back from the journal. Rows and replayed documents are compared by sums of
//! their hashes in buckets; only documents of buckets that differ are compared one by one.

use std::collections::HashMap;

use super::journal::JournalReplay;
use super::parts::{PAGE, Parts, page};
use super::replay::{Sums, latest};
use super::report::{Invariant, Report};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::document::DocKind;
use crate::store::journal::archive::{self, ArchiveFile, ArchivedDocument, Record};
use crate::store::journal::{self, Change, Entry, recorded, redaction};
use crate::store::walk::advance;
use crate::store::{Row, Sql};

/// Columns shared by all kinds.
const COLUMNS: [&str; 5] = ["key", "version", "recorded_at", "written_by", "body"];

/// Replays the journal; returns the sums over the documents that it makes.
pub(super) fn replay(
    snapshot: &mut Snapshot<'_>,
    archives: &mut [ArchiveFile],
    report: &mut Report,
) -> Result<Sums, Failure> {
    let mut journal = JournalReplay::new(!snapshot.numbered()?.is_empty());
    let house = snapshot.sql();
    let record = Record::read(house)?.unwrap_or_default();
    let mut parts = Parts { archives, house };
    let documents = if parts.archives.is_empty() {
        journal.begin(parts.house, &record, &mut |_| Ok(()))?
    } else {
        follow_archives(&mut parts, (&mut journal, &record), report)?
    };
    let mut after = record.last();
    while let Some(rows) = page(parts.house, &mut after, i64::MAX)? {
        journal.follow(&mut parts, rows, report)?;
    }
    report.remark_archives(&record, parts.archives.is_empty());
    let are_its = documents == record.documents || journal.chains.is_redacted(redaction::ARCHIVED, &documents);
    report.expect(are_its, (Invariant::Journal, "archive"), || {
        "the documents recorded with the archives were changed since".into()
    });
    let named = (!record.archives.is_empty()).then(|| record.hash());
    let is_named = journal.chains.archived == named.transpose()?;
    report.expect(is_named, (Invariant::Journal, "archive"), || {
        "the record of the archives is not the one that the journal names".into()
    });
    let JournalReplay { chains, events, replay } = journal;
    chains.check_ends(snapshot, report)?;
    events.check_rest(snapshot, report)?;
    Ok(replay.sums)
}

/// Checks the columns of all documents; returns the sums over their rows.
pub(super) fn check_rows(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Sums, Failure> {
    let (archives, house) = (&mut [][..], snapshot.sql());
    let mut stored = Sums::default();
    each_document(&mut Parts { archives, house }, &mut |_, kind, row| {
        let subject = format!("{} {}", kind.word(), row.text(0));
        check_columns(kind, row, (&subject, report));
        stored.add((kind, row.text(0)), digest(kind, row));
        Ok(())
    })?;
    Ok(stored)
}

/// Compares the stored documents with the replayed ones; reports each that differs.
pub(super) fn compare(
    parts: &mut Parts<'_>,
    (stored, replayed): (&Sums, &Sums),
    report: &mut Report,
) -> Result<(), Failure> {
    let differing = replayed.differing(stored);
    if differing.contains(&true) {
        name(parts, &differing, report)?;
    }
    Ok(())
}

/// Replays the archives, and checks that they end with the recorded state; returns the hash of the archived documents.
fn follow_archives(
    parts: &mut Parts<'_>,
    (journal, record): (&mut JournalReplay, &Record),
    report: &mut Report,
) -> Result<String, Failure> {
    for number in 0..parts.archives.len() {
        let mut after = 0;
        while let Some(rows) = page(parts.part(number), &mut after, i64::MAX)? {
            journal.follow(parts, rows, report)?;
        }
    }
    let mut recorded = JournalReplay::new(false);
    let documents = recorded.begin(parts.house, record, &mut |_| Ok(()))?;
    let differing = journal.replay.sums.differing(&recorded.replay.sums);
    let are_same = !differing.contains(&true) && journal.chains.ends == record.ends;
    report.expect(are_same, (Invariant::Journal, "archive"), || {
        "the archives do not end with what the house recorded of them".into()
    });
    Ok(documents)
}

fn digest(kind: DocKind, row: &Row) -> u128 {
    let numbers = (row.int(1), row.int(2));
    let body = recorded(kind, row.text(4));
    Sums::digest((kind, row.text(0)), numbers, (row.text(3), &body))
}

/// Callback for a document row.
type One<'a> = &'a mut dyn FnMut(&mut Parts<'_>, DocKind, &Row) -> Result<(), Failure>;

/// Calls a closure with each row of a document that the journal records.
fn each_document(parts: &mut Parts<'_>, with: One<'_>) -> Result<(), Failure> {
    for kind in DocKind::ALL.iter().copied().filter(|kind| *kind != DocKind::Chain) {
        let columns = [&COLUMNS, kind.columns()].concat().join(", ");
        let text = format!("SELECT {columns} FROM {} WHERE key > $1 ORDER BY key LIMIT {PAGE}", kind.word());
        let mut key = String::new();
        loop {
            let rows = parts.house.query(&text, &[key.as_str().into()])?;
            let Some(last) = rows.last() else { break };
            advance(kind.word(), &mut key, last.text(0).to_owned())?;
            for row in &rows {
                with(parts, kind, row)?;
            }
        }
    }
    Ok(())
}

/// Checks that the indexed columns agree with the body, because queries use the columns.
fn check_columns(kind: DocKind, row: &Row, (subject, report): (&str, &mut Report)) {
    let (key, columns) = match kind.indexed((row.text(0), row.text(4))) {
        Ok(found) => found,
        Err(fault) => {
            report.violation(Invariant::Journal, subject, fault.to_string());
            return;
        }
    };
    let invariant = if kind == DocKind::Chunk { Invariant::Counts } else { Invariant::Journal };
    let stored = row.0.iter().skip(COLUMNS.len());
    let same = key == row.text(0) && stored.eq(&columns);
    report.expect(same, (invariant, subject), || "its key or its columns say other than its body".into());
}

/// Versions of a document as the journal records them.
#[derive(Default)]
struct Told {
    version: i64,
    command: String,
    gapless: bool,
    linked: bool,
    /// State at the last archived entry.
    archived: Option<ArchivedDocument>,
}

impl Told {
    fn follow(&mut self, command: &str, change: &Change) {
        let is_first = self.version == 0;
        let is_next = change.version == self.version + 1;
        let is_linked = change.previous == self.command;
        // the version before the first one may be archived
        let is_behind = is_first && self.archived.is_some();
        self.gapless = is_behind || (is_first || self.gapless) && is_next;
        self.linked = is_behind || (is_first || self.linked) && is_linked;
        self.version = change.version;
        command.clone_into(&mut self.command);
    }
}

/// Reports each document in the differing buckets that replay does not reproduce.
fn name(parts: &mut Parts<'_>, differing: &[bool], report: &mut Report) -> Result<(), Failure> {
    let differs = |kind: DocKind, key: &str| {
        let bucket = Sums::bucket((kind, key));
        differing.get(bucket).copied().unwrap_or_default()
    };
    let mut told: HashMap<(DocKind, String), Told> = HashMap::new();
    if parts.archives.is_empty() {
        archive::each_document(parts.house, &mut |row| {
            if let Some((kind, key)) = archive::document_of(row.text(0))
                && differs(kind, key)
            {
                let archived = Some(ArchivedDocument::from_row(row));
                let none = Told::default();
                told.insert((kind, key.to_owned()), Told { archived, ..none });
            }
            Ok(())
        })?;
    }
    for number in 0..=parts.archives.len() {
        let mut after = 0;
        while let Some(rows) = page(parts.part(number), &mut after, i64::MAX)? {
            for entry in rows.into_iter().filter_map(|row| Entry::from_row(row).ok()) {
                let changes = entry.changes.iter();
                for change in changes.filter(|change| differs(change.kind, &change.key)) {
                    let place = (change.kind, change.key.clone());
                    told.entry(place).or_default().follow(&entry.command, change);
                }
            }
        }
    }
    each_document(parts, &mut |parts, kind, row| {
        if differs(kind, row.text(0)) {
            let told = told.remove(&(kind, row.text(0).to_owned()));
            check_one(parts, (kind, row), (&told.unwrap_or_default(), report))?;
        }
        Ok(())
    })?;
    for (kind, key) in told.into_keys() {
        report.violation(
            Invariant::Journal,
            format!("{} {key}", kind.word()),
            "the journal tells of it, but it is not there",
        );
    }
    Ok(())
}

fn check_one(
    sql: &mut dyn Sql,
    (kind, row): (DocKind, &Row),
    (told, report): (&Told, &mut Report),
) -> Result<(), Failure> {
    let (key, version) = (row.text(0), row.int(1));
    let subject = format!("{} {key}", kind.word());
    if let (0, Some(archived)) = (told.version, &told.archived) {
        let same = archived.digest == digest(kind, row);
        report.expect(same, (Invariant::Journal, &subject), || {
            "it was changed since it was archived, and the journal does not tell of it".into()
        });
        return Ok(());
    }
    let gapless = told.gapless && told.version == version;
    report.expect(gapless, (Invariant::Journal, &subject), || {
        format!("its versions in the journal do not run from 1 to {version}")
    });
    report.expect(told.linked, (Invariant::Journal, &subject), || "a change does not name the one before".into());
    if told.version == 0 {
        return Ok(());
    }
    let from = (told.command.as_str(), usize::MAX);
    let versions = journal::versions(sql, (kind, key), from)?;
    let stands = latest(sql, (kind, key), &versions)?.is_none_or(|latest| latest == row.int(2));
    report.expect(stands, (Invariant::RecordedTime, &subject), || {
        "its recorded time is not the latest of its changes".into()
    });
    let newest = versions.first();
    let same = newest.is_some_and(|newest| newest.body == recorded(kind, row.text(4))) && told.command == row.text(3);
    report.expect(same, (Invariant::Journal, &subject), || "replaying its changes gives another document".into());
    Ok(())
}
