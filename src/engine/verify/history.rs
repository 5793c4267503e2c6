//! Journal checks: hashes and numbers of each chain, and replay against the stored rows.
//!
//! Memory stays constant as the house grows. Replay keeps the bodies of recently changed documents,
//! and reads older ones back from the journal. Rows and replayed documents are compared by sums of
//! their hashes in buckets; only documents of buckets that differ are compared one by one.

use std::collections::HashMap;

use super::chains::Chains;
use super::events::Events;
use super::replay::{Replay, Sums};
use super::{Invariant, Report};
use crate::engine::Failure;
use crate::engine::documents::indexed;
use crate::engine::reads::Snapshot;
use crate::store::Row;
use crate::store::document::DocKind;
use crate::store::journal::{self, Change, Entry};
use crate::store::walk::advance;

/// Rows read per query.
const PAGE: usize = 200;

/// Columns shared by all kinds.
const COLUMNS: [&str; 5] = ["key", "version", "recorded_at", "written_by", "body"];

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let mut replay = Replay::default();
    let mut events = Events::default();
    let mut chains = Chains::new(!snapshot.numbered()?.is_empty());
    each_page(snapshot, &mut |snapshot, rows| {
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            chains.follow(row, report);
            let Some(entry) = read(row, report) else {
                continue;
            };
            chains.note(&entry, report);
            report.checked += entry.changes.len();
            replay.follow(snapshot, &entry)?;
            entries.push(entry);
        }
        events.follow(snapshot, &entries, report)
    })?;
    chains.check_ends(snapshot, report)?;
    events.check_rest(snapshot, report)?;
    let mut stored = Sums::default();
    each_document(snapshot, &mut |_, kind, row| {
        let subject = format!("{} {}", kind.word(), row.text(0));
        check_columns(kind, row, (&subject, report));
        stored.add((kind, row.text(0)), digest(kind, row));
        Ok(())
    })?;
    let differing = replay.sums.differing(&stored);
    if differing.iter().any(|differs| *differs) {
        name(snapshot, &differing, report)?;
    }
    Ok(())
}

fn digest(kind: DocKind, row: &Row) -> u128 {
    let numbers = (row.int(1), row.int(2));
    Sums::digest((kind, row.text(0)), numbers, (row.text(3), row.text(4)))
}

/// Parses a journal row; reports a violation if it cannot be read.
fn read(row: &Row, report: &mut Report) -> Option<Entry> {
    let entry = Entry::from_row(row.clone());
    let subject = format!("journal {}", row.int(0));
    report.expect(entry.is_ok(), (Invariant::Journal, &subject), || {
        "it cannot be read".into()
    });
    entry.ok()
}

/// Callback for a page of journal rows.
type Page<'a> = &'a mut dyn FnMut(&mut Snapshot<'_>, &[Row]) -> Result<(), Failure>;

/// Callback for a document row.
type One<'a> = &'a mut dyn FnMut(&mut Snapshot<'_>, DocKind, &Row) -> Result<(), Failure>;

/// Calls a closure with every page of the journal, in order.
fn each_page(snapshot: &mut Snapshot<'_>, with: Page<'_>) -> Result<(), Failure> {
    let columns = journal::COLUMNS;
    let text = format!("SELECT {columns} FROM journal WHERE seq > $1 ORDER BY seq LIMIT {PAGE}");
    let mut after = 0;
    loop {
        let rows = snapshot.query(&text, &[after.into()])?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        advance("journal", &mut after, last.int(0))?;
        with(snapshot, &rows)?;
    }
}

/// Calls a closure with each row of a document that the journal records.
fn each_document(snapshot: &mut Snapshot<'_>, with: One<'_>) -> Result<(), Failure> {
    for kind in DocKind::ALL
        .iter()
        .copied()
        .filter(|kind| *kind != DocKind::Chain)
    {
        let columns = [&COLUMNS, kind.columns()].concat().join(", ");
        let sql = format!(
            "SELECT {columns} FROM {} WHERE key > $1 ORDER BY key LIMIT {PAGE}",
            kind.word()
        );
        let mut key = String::new();
        loop {
            let rows = snapshot.query(&sql, &[key.as_str().into()])?;
            let Some(last) = rows.last() else { break };
            advance(kind.word(), &mut key, last.text(0).to_owned())?;
            for row in &rows {
                with(snapshot, kind, row)?;
            }
        }
    }
    Ok(())
}

/// Checks that the indexed columns agree with the body, because queries use the columns.
fn check_columns(kind: DocKind, row: &Row, (subject, report): (&str, &mut Report)) {
    let (key, columns) = match indexed(kind, (row.text(0), row.text(4))) {
        Ok(found) => found,
        Err(fault) => {
            report.violation(Invariant::Journal, subject, fault.to_string());
            return;
        }
    };
    let invariant = if kind == DocKind::Chunk {
        Invariant::Counts
    } else {
        Invariant::Journal
    };
    let stored = row.0.iter().skip(COLUMNS.len());
    let same = key == row.text(0) && stored.eq(&columns);
    report.expect(same, (invariant, subject), || {
        "its key or its columns say other than its body".into()
    });
}

/// Versions of a document as the journal records them.
#[derive(Default)]
struct Told {
    version: i64,
    command: String,
    gapless: bool,
    linked: bool,
}

impl Told {
    fn follow(&mut self, command: &str, change: &Change) {
        let is_first = self.version == 0;
        self.gapless = (is_first || self.gapless) && change.version == self.version + 1;
        self.linked = (is_first || self.linked) && change.previous == self.command;
        self.version = change.version;
        command.clone_into(&mut self.command);
    }
}

/// Reports each document in the differing buckets that replay does not reproduce.
fn name(
    snapshot: &mut Snapshot<'_>,
    differing: &[bool],
    report: &mut Report,
) -> Result<(), Failure> {
    let differs = |kind: DocKind, key: &str| {
        let bucket = Sums::bucket((kind, key));
        differing.get(bucket).copied().unwrap_or_default()
    };
    let mut told: HashMap<(DocKind, String), Told> = HashMap::new();
    each_page(snapshot, &mut |_, rows| {
        for entry in rows
            .iter()
            .filter_map(|row| Entry::from_row(row.clone()).ok())
        {
            let changes = entry.changes.iter();
            for change in changes.filter(|change| differs(change.kind, &change.key)) {
                let place = (change.kind, change.key.clone());
                let told = told.entry(place).or_default();
                told.follow(&entry.command, change);
            }
        }
        Ok(())
    })?;
    each_document(snapshot, &mut |snapshot, kind, row| {
        if differs(kind, row.text(0)) {
            let told = told.remove(&(kind, row.text(0).to_owned()));
            check_one(snapshot, (kind, row), (&told.unwrap_or_default(), report))?;
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
    snapshot: &mut Snapshot<'_>,
    (kind, row): (DocKind, &Row),
    (told, report): (&Told, &mut Report),
) -> Result<(), Failure> {
    let (key, version) = (row.text(0), row.int(1));
    let subject = format!("{} {key}", kind.word());
    let gapless = told.gapless && told.version == version;
    report.expect(gapless, (Invariant::Journal, &subject), || {
        format!("its versions in the journal do not run from 1 to {version}")
    });
    report.expect(told.linked, (Invariant::Journal, &subject), || {
        "a change does not name the one before".into()
    });
    if told.version == 0 {
        return Ok(());
    }
    let from = (told.command.as_str(), usize::MAX);
    let versions = journal::versions(snapshot.sql(), (kind, key), from)?;
    let latest = versions.iter().map(|version| version.at).max();
    let stands = latest.is_none_or(|latest| latest == row.int(2));
    report.expect(stands, (Invariant::RecordedTime, &subject), || {
        "its recorded time is not the latest of its changes".into()
    });
    let newest = versions.first();
    let same =
        newest.is_some_and(|newest| newest.body == row.text(4)) && told.command == row.text(3);
    report.expect(same, (Invariant::Journal, &subject), || {
        "replaying its changes gives another document".into()
    });
    Ok(())
}
