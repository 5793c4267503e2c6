//! Journal checks: hashes and numbers of each chain, and replay against the stored rows.
//!
//! Memory stays constant as the house grows. Replay keeps the hashes of recently changed documents,
//! and reads older ones back from the journal. Rows and replayed documents are compared by sums of
//! their hashes in buckets; only documents of buckets that differ are compared one by one.

use std::collections::HashMap;

use super::journal::{JournalReplay, PAGE, page};
use super::replay::Sums;
use super::report::{Invariant, Report};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::document::{DocKind, Stored};
use crate::store::journal::moved::MOVED_IN;
use crate::store::journal::{self, Change, Entry, hash_of_words};
use crate::store::walk::advance;
use crate::store::{Row, Sql};

/// Number of the columns shared by all kinds.
const COMMON: usize = 6;

/// Replays the journal; returns the sums over the documents that it makes.
pub(super) fn replay(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Sums, Failure> {
    let mut journal = JournalReplay::new(!snapshot.numbered()?.is_empty());
    let mut after = 0;
    while let Some(rows) = page(snapshot.sql(), &mut after)? {
        journal.follow(snapshot.sql(), rows, report)?;
    }
    let JournalReplay { chains, events, replay } = journal;
    chains.check_ends(snapshot, report)?;
    events.check_rest(snapshot, report)?;
    Ok(replay.sums)
}

/// Checks the columns of all documents; returns the sums over their rows.
pub(super) fn check_rows(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Sums, Failure> {
    let mut stored = Sums::default();
    each_document(snapshot.sql(), &mut |_, kind, row| {
        let subject = format!("{} {}", kind.word(), row.text(0));
        check_columns(kind, row, (&subject, report));
        stored.add((kind, row.text(0)), digest(kind, row));
        Ok(())
    })?;
    Ok(stored)
}

/// Compares the stored documents with the replayed ones; reports each that differs.
pub(super) fn compare(
    sql: &mut dyn Sql,
    (stored, replayed): (&Sums, &Sums),
    report: &mut Report,
) -> Result<(), Failure> {
    let differing = replayed.differing(stored);
    if differing.contains(&true) {
        name(sql, &differing, report)?;
    }
    Ok(())
}

fn digest(kind: DocKind, row: &Row) -> u128 {
    let stored = Stored::from_row(row.clone());
    Sums::digest(&Change::first(kind, &stored), &stored.written_by)
}

/// Callback for a document row.
type One<'a> = &'a mut dyn FnMut(&mut dyn Sql, DocKind, &Row) -> Result<(), Failure>;

/// Calls a closure with each row of a document that the journal records.
fn each_document(sql: &mut dyn Sql, with: One<'_>) -> Result<(), Failure> {
    for kind in DocKind::ALL.iter().copied().filter(|kind| *kind != DocKind::Chain) {
        let columns = [&[kind.stored_columns().as_str()], kind.columns()].concat().join(", ");
        let text = format!("SELECT {columns} FROM {} WHERE key > $1 ORDER BY key LIMIT {PAGE}", kind.word());
        let mut key = String::new();
        loop {
            let rows = sql.query(&text, &[key.as_str().into()])?;
            let Some(last) = rows.last() else { break };
            advance(kind.word(), &mut key, last.text(0).to_owned())?;
            for row in &rows {
                with(sql, kind, row)?;
            }
        }
    }
    Ok(())
}

/// Checks that the indexed columns agree with the body, because queries use the columns.
fn check_columns(kind: DocKind, row: &Row, (subject, report): (&str, &mut Report)) {
    let (key, columns) = match kind.indexed(row.text(0), (row.text(4), row.text(5))) {
        Ok(found) => found,
        Err(fault) => {
            report.violation(Invariant::Journal, subject, fault.to_string());
            return;
        }
    };
    let invariant = if kind == DocKind::Chunk { Invariant::Counts } else { Invariant::Journal };
    let stored = row.0.iter().skip(COMMON);
    let same = key == row.text(0) && stored.eq(&columns);
    report.expect(same, (invariant, subject), || "its key or its columns say other than its body".into());
}

/// Versions of a document as the journal records them.
#[derive(Default)]
struct JournalVersions {
    version: i64,
    command: String,
    gapless: bool,
    linked: bool,
}

impl JournalVersions {
    fn follow(&mut self, entry: &Entry, change: &Change) {
        let is_first = self.version == 0;
        let is_next = change.version == self.version + 1 || is_first && entry.is_of(MOVED_IN);
        let is_linked = change.previous == self.command;
        self.gapless = (is_first || self.gapless) && is_next;
        self.linked = (is_first || self.linked) && is_linked;
        self.version = change.version;
        entry.command.clone_into(&mut self.command);
    }
}

/// Reports each document in the differing buckets that replay does not reproduce.
fn name(sql: &mut dyn Sql, differing: &[bool], report: &mut Report) -> Result<(), Failure> {
    let differs = |kind: DocKind, key: &str| {
        let bucket = Sums::bucket((kind, key));
        differing.get(bucket).copied().unwrap_or_default()
    };
    let mut told: HashMap<(DocKind, String), JournalVersions> = HashMap::new();
    let mut after = 0;
    while let Some(rows) = page(sql, &mut after)? {
        for entry in rows.into_iter().filter_map(|row| Entry::from_row(row).ok()) {
            for change in entry.said.changes.iter().filter(|change| differs(change.kind, &change.key)) {
                let place = (change.kind, change.key.clone());
                told.entry(place).or_default().follow(&entry, change);
            }
        }
    }
    each_document(sql, &mut |sql, kind, row| {
        if differs(kind, row.text(0)) {
            let told = told.remove(&(kind, row.text(0).to_owned()));
            check_one(sql, (kind, row), (&told.unwrap_or_default(), report))?;
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
    (told, report): (&JournalVersions, &mut Report),
) -> Result<(), Failure> {
    let (key, version) = (row.text(0), row.int(1));
    let subject = format!("{} {key}", kind.word());
    let gapless = told.gapless && told.version == version;
    report.expect(gapless, (Invariant::Journal, &subject), || {
        format!("its versions in the journal do not run up to {version} without a gap")
    });
    report.expect(told.linked, (Invariant::Journal, &subject), || "a change does not name the one before".into());
    if told.version == 0 {
        return Ok(());
    }
    let versions = journal::versions(sql, (kind, key), (&told.command, 1))?;
    let newest = versions.first().map(|newest| &newest.change);
    let stands = newest.is_none_or(|newest| newest.recorded_at == row.int(2));
    report.expect(stands, (Invariant::RecordedTime, &subject), || {
        "its recorded time is not the latest of its changes".into()
    });
    let is_its = |newest: &Change| newest.body == row.text(4) && newest.words == hash_of_words(row.text(5));
    let same = newest.is_some_and(is_its) && told.command == row.text(3);
    report.expect(same, (Invariant::Journal, &subject), || "replaying its changes gives another document".into());
    Ok(())
}
