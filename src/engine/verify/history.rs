//! The journal against the documents: versions without gaps, and the last change is the document.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Invariant, Report};
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::documents::indexed;
use crate::engine::reads::Question;
use crate::engine::reads::Snapshot;
use crate::engine::reads::journal::{ChangeView, ReadJournal};
use crate::store::Row;
use crate::store::document::DocKind;
use crate::store::walk::advance;

/// One version of a document as the journal tells it; its body only as a hash.
struct Told {
    version: i64,
    at: Instant,
    command: String,
    previous: String,
    body: u64,
}

/// The columns that every kind has.
const COLUMNS: [&str; 5] = ["key", "version", "recorded_at", "written_by", "body"];

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let mut told: HashMap<(String, String), Vec<Told>> = HashMap::new();
    let mut after = 0;
    loop {
        let page = ReadJournal { after }.ask(snapshot)?;
        let Some(last) = page.last() else { break };
        advance("journal", &mut after, last.seq)?;
        for change in page.into_iter().flat_map(|entry| entry.changes) {
            report.checked += 1;
            told.entry((change.kind.clone(), change.key.clone()))
                .or_default()
                .push(Told::from(change));
        }
    }
    for kind in DocKind::ALL.iter().copied() {
        let columns = [&COLUMNS, kind.columns()].concat().join(", ");
        let sql = format!(
            "SELECT {columns} FROM {} WHERE key > $1 ORDER BY key LIMIT 500",
            kind.word()
        );
        let mut key = String::new();
        loop {
            let rows = snapshot.query(&sql, &[key.as_str().into()])?;
            let Some(last) = rows.last() else { break };
            advance(kind.word(), &mut key, last.text(0).to_owned())?;
            for row in &rows {
                let history = told
                    .remove(&(kind.word().to_owned(), row.text(0).to_owned()))
                    .unwrap_or_default();
                let subject = format!("{} {}", kind.word(), row.text(0));
                check_one(
                    &subject,
                    history,
                    (row.int(1), row.int(2), row.text(3), row.text(4)),
                    report,
                );
                check_columns(kind, row, (&subject, report))?;
            }
        }
    }
    for (kind, key) in told.into_keys() {
        report.violation(
            Invariant::Journal,
            format!("{kind} {key}"),
            "the journal tells of it, but it is not there",
        );
    }
    Ok(())
}

/// Questions go by the columns: they say what the body says.
fn check_columns(
    kind: DocKind,
    row: &Row,
    (subject, report): (&str, &mut Report),
) -> Result<(), Failure> {
    let (key, columns) = indexed(kind, (row.text(0), row.text(4)))?;
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
    Ok(())
}

fn check_one(
    subject: &str,
    mut history: Vec<Told>,
    (version, recorded_at, written_by, body): (i64, i64, &str, &str),
    report: &mut Report,
) {
    history.sort_by_key(|told| told.version);
    let gapless = history.iter().map(|told| told.version).eq(1..=version);
    report.expect(gapless, (Invariant::Journal, subject), || {
        format!("its versions in the journal do not run from 1 to {version}")
    });
    let linked = history
        .iter()
        .zip(history.iter().skip(1))
        .all(|(old, new)| new.previous == old.command);
    report.expect(linked, (Invariant::Journal, subject), || {
        "a change does not name the one before".into()
    });
    let latest = history.iter().map(|told| told.at.millis()).max();
    let stands = latest.is_none_or(|latest| latest == recorded_at);
    report.expect(stands, (Invariant::RecordedTime, subject), || {
        "its recorded time is not the latest of its changes".into()
    });
    if let Some(last) = history.last() {
        let same = last.body == hash(body) && last.command == written_by;
        report.expect(same, (Invariant::Journal, subject), || {
            "replaying its changes gives another document".into()
        });
    }
}

impl From<ChangeView> for Told {
    fn from(change: ChangeView) -> Self {
        let body = hash(&change.after);
        Self {
            version: change.version,
            at: change.at,
            command: change.command,
            previous: change.previous,
            body,
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
