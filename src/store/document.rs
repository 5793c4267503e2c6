//! Loading and writing documents: the only SQL that writes.
//!
//! A write names the version that was loaded; no row changed means that somebody else was faster. Creation
//! is create-if-absent, and means the same when something is there.

use std::fmt::Write as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::store::kind::DocKind;
use crate::store::{Fault, Row, Rows, Session, Sql, Value};

/// A value that is stored as a document.
pub trait Document: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// Its kind.
    const KIND: DocKind;

    /// Its key, unique in its kind.
    fn key(&self) -> String;

    /// Takes from its key what its body leaves out.
    ///
    /// # Errors
    /// A key that is none of its kind.
    fn stored_at(&mut self, _key: &str) -> Result<(), Fault> {
        Ok(())
    }

    /// The columns that questions need, in the order of the kind's table.
    fn columns(&self) -> Vec<Value<'static>>;
}

/// A document as it lies in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its key.
    pub key: String,
    /// Its version, from 1.
    pub version: i64,
    /// The latest time at which it was written, in milliseconds: it never goes back, and nothing is decided by it.
    pub recorded_at: i64,
    /// The command that wrote it.
    pub written_by: String,
    /// Its body.
    pub body: String,
}

impl Stored {
    /// From the five common columns of a row.
    #[must_use]
    pub fn from_row(mut row: Row) -> Self {
        Self {
            key: row.take_text(0),
            version: row.int(1),
            recorded_at: row.int(2),
            written_by: row.take_text(3),
            body: row.take_text(4),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// A body that this program does not understand.
    pub fn parse<D: Document>(&self) -> Result<D, Fault> {
        parse(&self.key, &self.body)
    }
}

/// Reads the body of a document.
///
/// # Errors
/// A body that this program does not understand.
pub fn parse<D: Document>(key: &str, body: &str) -> Result<D, Fault> {
    let mut value: D = serde_json::from_str(body).map_err(|error| {
        Fault::Broken(format!(
            "the stored {} {key} cannot be read: {error}",
            D::KIND.word()
        ))
    })?;
    value.stored_at(key)?;
    Ok(value)
}

/// How many keys one query names at most; both databases take more parameters than that.
const KEYS_PER_QUERY: usize = 512;

/// Loads documents by key; those that are not there are left out.
///
/// # Errors
/// A fault of the database.
pub fn load(sql: &mut dyn Sql, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    load_by(&mut |text, params| sql.query(text, params), kind, keys)
}

/// The same for whoever names what it relies on: ahead of the transaction where that may be.
///
/// # Errors
/// A fault of the database.
pub fn look_up(
    session: &mut dyn Session,
    kind: DocKind,
    keys: &[String],
) -> Result<Vec<Stored>, Fault> {
    load_by(
        &mut |text, params| session.look_up(text, params),
        kind,
        keys,
    )
}

/// Asks for rows.
type Ask<'a> = &'a mut dyn FnMut(&str, &[Value<'_>]) -> Result<Vec<Row>, Fault>;

fn load_by(ask: Ask<'_>, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    let found = by_keys(ask, &kind.sql().load, keys)?;
    Ok(found.into_iter().map(Stored::from_row).collect())
}

/// Rows by their keys. The lists have few lengths, the last key fills them up: so few texts are kept prepared.
fn by_keys(ask: Ask<'_>, select: &str, keys: &[String]) -> Result<Vec<Row>, Fault> {
    let mut found = Vec::with_capacity(keys.len());
    for some in keys.chunks(KEYS_PER_QUERY) {
        let length = some.len().next_power_of_two();
        let mut text = String::with_capacity(select.len() + length * 5);
        text.push_str(select);
        for number in 1..=length {
            let _ = write!(text, "{}${number}", if number == 1 { '(' } else { ',' });
        }
        text.push(')');
        let filled = some.iter().chain(some.last().into_iter().cycle());
        let params: Vec<Value> = filled.take(length).map(|key| key.as_str().into()).collect();
        found.extend(ask(&text, &params)?);
    }
    Ok(found)
}

/// Documents of a kind by a condition on its columns (`WHERE ...`, `ORDER BY ...`, `LIMIT ...`), parameters `$1..`.
///
/// # Errors
/// A fault of the database, or a body that cannot be read.
pub fn select<D: Document>(
    sql: &mut dyn Sql,
    condition: &str,
    params: &[Value<'_>],
) -> Result<Vec<D>, Fault> {
    let (table, _) = D::KIND.table();
    let text =
        format!("SELECT key, version, recorded_at, written_by, body FROM {table} {condition}");
    sql.query(&text, params)?
        .into_iter()
        .map(|row| Stored::from_row(row).parse())
        .collect()
}

/// A document to be written: its version before (0 creates it), and what it becomes.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its kind.
    pub kind: DocKind,
    /// Its key.
    pub key: String,
    /// The version that was loaded; 0 when it is new.
    pub version_before: i64,
    /// The command that wrote that version; empty when it is new.
    pub previous: String,
    /// Its new body.
    pub body: String,
    /// The columns that questions need.
    pub columns: Vec<Value<'static>>,
}

/// Writes an entry of the journal. A session that sends its writes with the commit sends this one last.
pub(super) const INSERT_ENTRY: &str = "INSERT INTO journal (command, at, operator, station, request, answer, changes) \
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";

/// Who writes, and when.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The command.
    pub command: &'a str,
    /// When, in milliseconds.
    pub at: i64,
    /// Who asked for it.
    pub operator: &'a str,
    /// Where.
    pub station: &'a str,
    /// What was asked.
    pub request: &'a str,
    /// What was answered.
    pub answer: &'a str,
}

/// Writes the journal's entry and the changed documents that it tells of; false, with nothing written, when the
/// command was done before.
///
/// # Errors
/// [`Fault::Contended`] when a version no longer stands; a fault of the database. Then the transaction is over.
pub fn write(
    session: &mut dyn Session,
    changes: &[Change],
    entry: &Entry<'_>,
) -> Result<bool, Fault> {
    let params = [
        entry.command.into(),
        entry.at.into(),
        entry.operator.into(),
        entry.station.into(),
        entry.request.into(),
        refer(entry.answer, changes).into(),
        told(changes).into(),
    ];
    if !session.write(INSERT_ENTRY, &params, Rows::One)? {
        return Ok(false);
    }
    for change in changes {
        write_one(session, change, entry)?;
    }
    Ok(true)
}

/// Stands for a change's body in an answer; no JSON text has this character in it.
const REFERENCE: char = '\u{1}';

/// An answer with the changed document that it is, or ends with, replaced by a reference to the change.
fn refer(answer: &str, changes: &[Change]) -> String {
    for (change, number) in changes.iter().zip(0..) {
        for tail in ["", "}"] {
            let before = answer
                .strip_suffix(tail)
                .and_then(|answer| answer.strip_suffix(change.body.as_str()));
            if let Some(before) = before {
                return format!("{before}{REFERENCE}{number}{REFERENCE}{tail}");
            }
        }
    }
    answer.to_owned()
}

/// An answer as it was given.
fn resolve(answer: String, changes: &str) -> Result<String, Fault> {
    #[derive(serde::Deserialize)]
    struct Body<'a> {
        #[serde(borrow)]
        after: &'a serde_json::value::RawValue,
    }
    if !answer.contains(REFERENCE) {
        return Ok(answer);
    }
    let broken = || Fault::Broken("the journal's answer cannot be read".into());
    let bodies: Vec<Body<'_>> = serde_json::from_str(changes).map_err(|_| broken())?;
    let mut text = String::new();
    for (part, place) in answer.split(REFERENCE).zip(0..) {
        if place % 2 == 0 {
            text.push_str(part);
        } else {
            let body = part
                .parse()
                .ok()
                .and_then(|number: usize| bodies.get(number))
                .ok_or_else(broken)?;
            text.push_str(body.after.get());
        }
    }
    Ok(text)
}

/// The changes as the journal tells them.
fn told(changes: &[Change]) -> String {
    let mut text = String::with_capacity(
        changes
            .iter()
            .map(|change| change.body.len() + 180)
            .sum::<usize>()
            + 2,
    );
    for change in changes {
        // writing to a String cannot fail
        let _ = write!(
            text,
            r#"{}{{"kind":"{}","key":{},"version":{},"previous":"{}","after":{}}}"#,
            if text.is_empty() { '[' } else { ',' },
            change.kind.word(),
            serde_json::Value::from(change.key.as_str()),
            change.version_before + 1,
            change.previous,
            change.body
        );
    }
    if text.is_empty() {
        text.push('[');
    }
    text.push(']');
    text
}

fn write_one(session: &mut dyn Session, change: &Change, entry: &Entry<'_>) -> Result<(), Fault> {
    let sql = change.kind.sql();
    let creates = change.version_before == 0;
    let text = if creates { &sql.insert } else { &sql.update };
    let mut params: Vec<Value<'_>> = Vec::with_capacity(14);
    params.push((change.version_before + 1).into());
    params.push(entry.at.into());
    params.push(entry.command.into());
    params.push(change.body.as_str().into());
    params.extend(change.columns.iter().cloned());
    params.push(change.key.as_str().into());
    if !creates {
        params.push(change.version_before.into());
    }
    if session.write_document((change.kind, &change.key), text, &params)? {
        Ok(())
    } else {
        Err(Fault::Contended)
    }
}

/// A command that was done: what was asked, and what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its id.
    pub command: String,
    /// What was asked.
    pub request: String,
    /// What was answered.
    pub answer: String,
}

impl Done {
    fn from_row(mut row: Row) -> Result<Self, Fault> {
        Ok(Self {
            command: row.take_text(0),
            request: row.take_text(1),
            answer: resolve(row.take_text(2), row.text(3))?,
        })
    }
}

/// The journal's entries by their commands.
const ENTRIES: &str = "SELECT command, request, answer, changes FROM journal WHERE command IN ";

/// A command, when it was done before, in this transaction or another.
///
/// # Errors
/// A fault of the database.
pub fn find_command(sql: &mut dyn Sql, command: &str) -> Result<Option<Done>, Fault> {
    let rows = sql.query(&format!("{ENTRIES}($1)"), &[command.into()])?;
    rows.into_iter().next().map(Done::from_row).transpose()
}

/// Those of some commands that were done before this transaction.
///
/// # Errors
/// A fault of the database.
pub fn look_up_commands(
    session: &mut dyn Session,
    commands: &[String],
) -> Result<Vec<Done>, Fault> {
    let rows = by_keys(
        &mut |text, params| session.look_up(text, params),
        ENTRIES,
        commands,
    )?;
    rows.into_iter().map(Done::from_row).collect()
}
