//! What was done: the journal as it grew, and the history of one document.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::notice;
use crate::engine::reads::events::{self, EventView};
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::document::{self, DocKind, Document};
use crate::store::{Fault, Row, Sql};

/// One command that was done.
#[derive(Clone, Debug)]
pub struct EntryView {
    /// Its place in the journal.
    pub seq: i64,
    /// Its id.
    pub command: String,
    /// When.
    pub at: Instant,
    /// By whom.
    pub operator: String,
    /// Where.
    pub station: String,
    /// What was asked, as JSON.
    pub request: String,
    /// What changed.
    pub changes: Vec<ChangeView>,
    /// What was told.
    pub events: Vec<EventView>,
}

/// One document that a command changed.
#[derive(Clone, Debug)]
pub struct ChangeView {
    /// The command.
    pub command: String,
    /// When.
    pub at: Instant,
    /// By whom.
    pub operator: String,
    /// Where.
    pub station: String,
    /// The document's kind, as its word.
    pub kind: String,
    /// Its key.
    pub key: String,
    /// The version that it became.
    pub version: i64,
    /// The command that wrote the version before; empty for the first.
    pub previous: String,
    /// What it became, as JSON.
    pub after: String,
}

impl ChangeView {
    /// The document as it became.
    pub fn parse<D: Document>(&self) -> Result<D, Fault> {
        document::parse(&self.key, &self.after)
    }
}

#[derive(Deserialize)]
struct Kept<'a> {
    kind: String,
    key: String,
    version: i64,
    previous: String,
    #[serde(borrow)]
    after: &'a RawValue,
}

const COLUMNS: &str = "seq, command, at, operator, station, request, changes";

/// An entry from a row of the journal.
pub(crate) fn entry(mut row: Row) -> Result<EntryView, Fault> {
    let (command, at) = (row.take_text(1), Instant::from_millis(row.int(2)));
    let (operator, station, request) = (row.take_text(3), row.take_text(4), row.take_text(5));
    let kept: Vec<Kept<'_>> = serde_json::from_str(row.text(6)).map_err(|error| {
        Fault::Broken(format!(
            "the journal's entry {command} cannot be read: {error}"
        ))
    })?;
    let change = |kept: Kept<'_>| ChangeView {
        command: command.clone(),
        at,
        operator: operator.clone(),
        station: station.clone(),
        kind: kept.kind,
        key: kept.key,
        version: kept.version,
        previous: kept.previous,
        after: kept.after.get().to_owned(),
    };
    let changes = kept.into_iter().map(change).collect();
    Ok(EntryView {
        seq: row.int(0),
        changes,
        events: Vec::new(),
        command,
        at,
        operator,
        station,
        request,
    })
}

/// Asks for entries of the journal, oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadJournal {
    /// Only those after this place.
    pub after: i64,
}

impl Question for ReadJournal {
    type Answer = Vec<EntryView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EntryView>, Failure> {
        let rows = snapshot.query(
            &format!("SELECT {COLUMNS} FROM journal WHERE seq > $1 ORDER BY seq LIMIT {PAGE_MAX}"),
            &[self.after.into()],
        )?;
        with_events(snapshot, rows)
    }
}

/// Entries from rows of the journal, with what was told.
fn with_events(snapshot: &mut Snapshot<'_>, rows: Vec<Row>) -> Result<Vec<EntryView>, Failure> {
    let entries: Result<Vec<EntryView>, Fault> = rows.into_iter().map(entry).collect();
    let mut entries = entries?;
    let commands: Vec<&str> = entries.iter().map(|entry| entry.command.as_str()).collect();
    let told = events::of_commands(snapshot.sql(), &commands)?;
    for entry in &mut entries {
        let own = told.iter().filter(|event| event.command == entry.command);
        entry.events = own.cloned().collect();
    }
    Ok(entries)
}

/// Asks for entries at some places of the journal, oldest first; places that are not filled are left out.
#[derive(Clone, Debug)]
pub struct ReadPlaces(pub Vec<i64>);

impl Question for ReadPlaces {
    type Answer = Vec<EntryView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EntryView>, Failure> {
        let rows = notice::at_places(snapshot.sql(), COLUMNS, &self.0)?;
        with_events(snapshot, rows)
    }
}

/// Asks for the history of everything whose id ends in a text, newest first.
#[derive(Clone, Debug)]
pub struct ReadHistory {
    /// An id or the tail of one.
    pub subject: String,
}

impl Question for ReadHistory {
    type Answer = Vec<ChangeView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ChangeView>, Failure> {
        let tail = self.subject.trim().trim_start_matches('.').to_lowercase();
        if tail.is_empty() {
            return Err(Refusal::BadValue {
                field: "subject".into(),
                problem: "write an id, or the end of one".into(),
            }
            .into());
        }
        let ends_so = format!("%{}", literal(&tail));
        let params = [self.subject.trim().into(), ends_so.as_str().into()];
        let mut changes = Vec::new();
        for kind in DocKind::ALL.iter().copied() {
            let sql = format!(
                "SELECT key FROM {} WHERE key = $1 OR key LIKE $2 ESCAPE '!' ORDER BY key LIMIT 20",
                kind.word()
            );
            let rows = snapshot.query(&sql, &params)?;
            for row in rows {
                changes.extend(history_of(snapshot.sql(), (kind, row.text(0)), PAGE_MAX)?);
            }
        }
        changes.sort_by_key(|change| std::cmp::Reverse(change.at));
        Ok(changes)
    }
}

/// The changes of one document, newest first: a walk from the command that wrote it last.
pub(crate) fn history_of(
    sql: &mut dyn Sql,
    (kind, key): (DocKind, &str),
    most: usize,
) -> Result<Vec<ChangeView>, Failure> {
    let rows = sql.query(
        &format!("SELECT written_by FROM {} WHERE key = $1", kind.word()),
        &[key.into()],
    )?;
    let mut command = rows
        .first()
        .map(|row| row.text(0).to_owned())
        .unwrap_or_default();
    let mut changes = Vec::new();
    while !command.is_empty() && changes.len() < most {
        let rows = sql.query(
            &format!("SELECT {COLUMNS} FROM journal WHERE command = $1"),
            &[command.as_str().into()],
        )?;
        let Some(row) = rows.into_iter().next() else {
            break;
        };
        let Some(change) = entry(row)?
            .changes
            .into_iter()
            .find(|change| change.kind == kind.word() && change.key == key)
        else {
            break;
        };
        command.clone_from(&change.previous);
        changes.push(change);
    }
    Ok(changes)
}
