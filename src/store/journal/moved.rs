//! Move of a house's journal into the present form.
//!
//! The text of the journal before is left to the program that wrote it, on the copy that is made first. The present one begins
//! with entries that tell every document as it is, and names where the chains before ended. The commands of the last days
//! have an entry each, so that none of them is done again; those whose events are still there tell them.

use std::collections::HashMap;

use serde_json::json;

use crate::domain::event::Event;
use crate::domain::ids::CommandId;
use crate::domain::private;
use crate::domain::time::Span;
use crate::store::document::{DocKind, Stored};
use crate::store::fault::Fault;
use crate::store::journal::{Change, NewEntry, ONLY_CHAIN, Said};
use crate::store::port::Session;
use crate::store::value::{Row, Value};

/// Verb of the requests of these entries.
pub const MOVED_IN: &str = "moved_in";

/// Time for which commands are known.
const KNOWN: Span = Span::minutes(30 * 24 * 60);

/// Documents per entry.
const PAGE: usize = 200;

/// Facts that the present journal takes from the one before.
pub(crate) struct Before {
    /// Ends of the chains, as JSON.
    ends: Vec<serde_json::Value>,
    /// Commands of the last days, and those of events: id, time, operator, station.
    commands: Vec<Row>,
    /// Latest time, in milliseconds.
    at: i64,
}

/// Reads what the present journal takes from the one before, which is dropped next.
///
/// # Errors
/// A fault of the database.
pub(crate) fn leave(session: &mut dyn Session) -> Result<Before, Fault> {
    // on a server this waits for the open commands of other desks, and keeps theirs out
    session.execute("ALTER TABLE journal ADD COLUMN left_at TEXT", &[])?;
    let ends = session.query("SELECT key, version, body FROM chain ORDER BY key", &[])?;
    let ends = ends.iter().map(|row| json!({"chain": row.text(0), "number": row.int(1), "end": row.text(2)})).collect();
    let newest = session.query("SELECT COALESCE(MAX(at), 0) FROM journal", &[])?;
    let at = newest.first().map_or(0, |row| row.int(0));
    let text = "SELECT command, at, operator, station FROM journal \
                WHERE at >= $1 OR command IN (SELECT command FROM event) ORDER BY seq";
    let commands = session.query(text, &[(at - KNOWN.millis()).into()])?;
    Ok(Before { ends, commands, at })
}

/// Writes the first entries of the present journal.
///
/// # Errors
/// A fault of the database, or a document that cannot be read.
pub(crate) fn enter(session: &mut dyn Session, before: Before) -> Result<(), Fault> {
    let mut chain = NewChain { session, number: 0, hash: String::new(), command: String::new(), at: before.at };
    chain.session.execute("DELETE FROM chain", &[])?;
    let forgets = chain.is_pruned()?.then_some(1);
    let request = json!({ MOVED_IN: { "ends": before.ends } }).to_string();
    chain.add(CommandId::random().to_string(), Said { request, forgets, ..Said::default() })?;
    for kind in DocKind::ALL.iter().copied().filter(|kind| *kind != DocKind::Chain) {
        chain.documents(kind)?;
    }
    let mut events = events(chain.session)?;
    for mut row in before.commands {
        let command = row.take_text(0);
        let events = events.remove(&command).unwrap_or_default();
        let (at, operator, station) = (row.int(1), row.take_text(2), row.take_text(3));
        let said = Said { request: request_of(), events, ..Said::default() };
        chain.write(NewEntry { command, at, operator, station, said })?;
    }
    chain.end()
}

fn request_of() -> String {
    json!({ MOVED_IN: {} }).to_string()
}

/// Chain of the present journal, while it is begun.
struct NewChain<'a> {
    session: &'a mut dyn Session,
    number: i64,
    hash: String,
    /// Command of the newest entry.
    command: String,
    /// Latest time, in milliseconds.
    at: i64,
}

impl NewChain<'_> {
    fn add(&mut self, command: String, said: Said) -> Result<(), Fault> {
        self.write(NewEntry { command, at: self.at, operator: String::new(), station: String::new(), said })
    }

    fn write(&mut self, entry: NewEntry) -> Result<(), Fault> {
        self.number += 1;
        self.command.clone_from(&entry.command);
        let (write, hash) = entry.behind((ONLY_CHAIN, self.number), &self.hash);
        self.hash = hash;
        self.session.write(vec![write])
    }

    /// Tells the documents of a kind, and puts their private texts apart.
    fn documents(&mut self, kind: DocKind) -> Result<(), Fault> {
        let (table, columns) = (kind.word(), kind.stored_columns());
        let page = format!("SELECT {columns} FROM {table} WHERE key > $1 ORDER BY key LIMIT {PAGE}");
        let written = format!("UPDATE {table} SET written_by = $1 WHERE key > $2 AND key <= $3");
        let mut last = String::new();
        loop {
            let rows = self.session.query(&page, &[last.as_str().into()])?;
            let Some(end) = rows.last().map(|row| row.text(0).to_owned()) else {
                return Ok(());
            };
            let mut changes = Vec::with_capacity(rows.len());
            for row in rows {
                let mut stored = Stored::from_row(row);
                if kind.has_words() {
                    self.put_apart(kind, &mut stored)?;
                }
                changes.push(Change::first(kind, &stored));
            }
            let command = CommandId::random().to_string();
            let params = [command.as_str(), &last, &end].map(Value::from);
            self.session.execute(&written, &params)?;
            self.add(command, Said { request: request_of(), changes, ..Said::default() })?;
            last = end;
        }
    }

    /// Writes body, words and columns of a document as the present program does.
    fn put_apart(&mut self, kind: DocKind, stored: &mut Stored) -> Result<(), Fault> {
        let (spelled, columns) = kind.respelled(stored)?;
        let set = ["body", "words"].iter().chain(kind.columns()).zip(1..);
        let set: Vec<String> = set.map(|(column, number)| format!("{column} = ${number}")).collect();
        let text = format!("UPDATE {} SET {} WHERE key = ${}", kind.word(), set.join(", "), set.len() + 1);
        let mut params = vec![spelled.body.clone().into(), spelled.words.clone().into()];
        params.extend(columns);
        params.push(stored.key.clone().into());
        self.session.execute(&text, &params)?;
        (stored.body, stored.words) = (spelled.body, spelled.words);
        Ok(())
    }

    /// Returns whether runs or events were deleted before.
    fn is_pruned(&mut self) -> Result<bool, Fault> {
        let text = "SELECT COALESCE((SELECT MIN(seq) FROM event), 2), COALESCE((SELECT MIN(seq) FROM job_run), 2)";
        let first = self.session.query(text, &[])?;
        Ok(first.first().is_none_or(|row| row.int(0) > 1 || row.int(1) > 1))
    }

    /// Stores the end of the chain.
    fn end(self) -> Result<(), Fault> {
        let body = json!({ "name": ONLY_CHAIN, "hash": self.hash }).to_string();
        let text = "INSERT INTO chain (key, version, recorded_at, written_by, body) VALUES ($1, $2, $3, $4, $5)";
        let params =
            [ONLY_CHAIN.into(), self.number.into(), self.at.into(), self.command.as_str().into(), body.as_str().into()];
        self.session.execute(text, &params).map(|_| ())
    }
}

/// Events as the journal has them, by command; rewrites those whose words are looked up now.
fn events(session: &mut dyn Session) -> Result<HashMap<String, Vec<(String, String)>>, Fault> {
    let mut told: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for mut row in session.query("SELECT seq, command, word, body FROM event ORDER BY seq", &[])? {
        let (seq, command, word, body) = (row.int(0), row.take_text(1), row.take_text(2), row.take_text(3));
        let mut journaled = body.clone();
        if let Ok(mut event) = serde_json::from_str::<Event>(&body) {
            if let Event::KeepReleased { reason, .. } = &mut event {
                reason.clear();
            }
            let spell = || serde_json::to_string(&event).map_err(|error| Fault::Broken(error.to_string()));
            let text = "UPDATE event SET body = $1 WHERE seq = $2";
            session.execute(text, &[spell()?.into(), seq.into()])?;
            journaled = private::apart(spell).0?;
        }
        told.entry(command).or_default().push((word, journaled));
    }
    Ok(told)
}
