//! Journal entries, and the history of one document.

pub use crate::store::journal::Change;

use crate::domain::ids::CommandId;
use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::time::Instant;
use crate::engine::notice;
use crate::engine::reads::events::{self, EventView};
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::document::{self, DocKind, Document};
use crate::store::journal::{self, COLUMNS, Entry, Version, hash};
use crate::store::{Fault, Row, Sql};

/// Journal entry of one command.
#[derive(Clone, Debug)]
pub struct EntryView {
    pub seq: i64,
    pub command: String,
    pub at: Instant,
    pub operator: String,
    pub station: String,
    /// Operator who approved it, where the acting one alone may not do it.
    pub approved: Option<String>,
    /// Request as JSON.
    pub request: String,
    /// Name of its chain, and its number there.
    pub link: (String, i64),
    /// Hash over this entry and all entries before it in the chain.
    pub hash: String,
    pub changes: Vec<Change>,
    pub events: Vec<EventView>,
}

impl EntryView {
    /// Hash grouped for paper.
    pub fn seal(&self) -> String {
        hash::grouped(&self.hash)
    }
}

/// Version of a document.
#[derive(Clone, Debug)]
pub struct ChangeView {
    pub kind: DocKind,
    pub key: String,
    pub version: Version,
}

impl ChangeView {
    /// Time of the change.
    pub const fn at(&self) -> Instant {
        Instant::from_millis(self.version.at)
    }

    /// Parses the document as of this version; its private texts are empty.
    pub fn parse<D: Document>(&self) -> Result<D, Fault> {
        document::parse(&self.key, (&self.version.change.body, ""))
    }
}

/// Lists journal entries, oldest first.
#[derive(Clone, Debug, Default)]
pub struct ReadJournal {
    pub after: i64,
    /// Done at or after this.
    pub from: Option<Instant>,
    /// Done before this.
    pub until: Option<Instant>,
    pub operator: Option<String>,
    pub station: Option<String>,
}

impl Question for ReadJournal {
    type Answer = Vec<EntryView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EntryView>, Failure> {
        let page = format!(
            "SELECT {COLUMNS} FROM journal WHERE seq > $1 AND at >= $2 AND at < $3 AND ($4 = '' OR operator = $4) \
             AND ($5 = '' OR station = $5) ORDER BY seq LIMIT {PAGE_MAX}"
        );
        let from = self.from.map_or(i64::MIN, Instant::millis);
        let until = self.until.map_or(i64::MAX, Instant::millis);
        let [operator, station] = [&self.operator, &self.station].map(|word| word.as_deref().unwrap_or_default());
        let only = [self.after.into(), from.into(), until.into(), operator.into(), station.into()];
        let rows = snapshot.query(&page, &only)?;
        with_events(snapshot, rows)
    }
}

/// Parses journal rows, and adds their events.
fn with_events(snapshot: &mut Snapshot<'_>, rows: Vec<Row>) -> Result<Vec<EntryView>, Failure> {
    let entries: Result<Vec<Entry>, Fault> = rows.into_iter().map(Entry::from_row).collect();
    let entries = entries?;
    let commands: Vec<&str> = entries.iter().map(|entry| entry.command.as_str()).collect();
    let told = events::of_commands(snapshot.sql(), &commands)?;
    let view = |entry: Entry| {
        let own = told.iter().filter(|event| event.command == entry.command);
        EntryView {
            events: own.cloned().collect(),
            seq: entry.seq,
            at: Instant::from_millis(entry.at),
            link: (entry.chain, entry.link),
            hash: entry.hash,
            changes: entry.said.changes,
            command: entry.command,
            operator: entry.operator,
            station: entry.station,
            approved: entry.said.approved,
            request: entry.said.request,
        }
    };
    Ok(entries.into_iter().map(view).collect())
}

/// Reads the entries at some positions, oldest first; empty positions are left out.
#[derive(Clone, Debug)]
pub struct ReadPlaces(pub Vec<i64>);

impl Question for ReadPlaces {
    type Answer = Vec<EntryView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EntryView>, Failure> {
        let rows = notice::at_places(snapshot.sql(), &self.0)?;
        with_events(snapshot, rows)
    }
}

/// Reads the entry of a command.
#[derive(Clone, Copy, Debug)]
pub struct ReadEntry(pub CommandId);

impl Question for ReadEntry {
    type Answer = Option<EntryView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<EntryView>, Failure> {
        let text = format!("SELECT {COLUMNS} FROM journal WHERE command = $1");
        let rows = snapshot.query(&text, &[self.0.to_string().into()])?;
        Ok(with_events(snapshot, rows)?.pop())
    }
}

/// Reads the history of all documents whose id ends with a text, newest first.
#[derive(Clone, Debug)]
pub struct ReadHistory {
    /// Id, or the tail of one.
    pub subject: String,
}

impl Question for ReadHistory {
    type Answer = Vec<ChangeView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ChangeView>, Failure> {
        let tail = self.subject.trim().trim_start_matches('.').to_lowercase();
        if tail.is_empty() {
            return Err(Refusal::bad("subject", Problem::Missing(Requirement::Id)).into());
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
        changes.sort_by_key(|change| std::cmp::Reverse(change.version.at));
        Ok(changes)
    }
}

pub(crate) fn history_of(
    sql: &mut dyn Sql,
    (kind, key): (DocKind, &str),
    most: usize,
) -> Result<Vec<ChangeView>, Failure> {
    let versions = journal::history(sql, (kind, key), most)?;
    let view = |version| ChangeView { kind, key: key.to_owned(), version };
    Ok(versions.into_iter().map(view).collect())
}
