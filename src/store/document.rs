//! Loading and writing documents, and the journal's entries about them.
//!
//! A write names the version that was loaded; no row changed means that another writer was faster. Creation
//! is create-if-absent, and means the same when the key exists.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::dialect::{RowWrite, Write};
pub use crate::store::kind::DocKind;
use crate::store::{Fault, Row, Session, Sql, Value};

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

/// A document as it is stored, with its parsed value once it was asked for.
#[derive(Debug)]
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
    value: OnceLock<Box<dyn Any + Send + Sync>>,
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
            value: OnceLock::new(),
        }
    }

    /// The value, parsed once.
    ///
    /// # Errors
    /// A body that this program cannot read.
    pub fn parse<D: Document>(&self) -> Result<D, Fault> {
        if let Some(value) = self.value.get().and_then(|value| value.downcast_ref::<D>()) {
            return Ok(value.clone());
        }
        let value: D = parse(&self.key, &self.body)?;
        // another thread may have parsed the same meanwhile
        let _ = self.value.set(Box::new(value.clone()));
        Ok(value)
    }
}

/// A document that a command changed: its next version, and the columns of its row.
#[derive(Clone, Debug)]
pub struct ChangedDocument {
    /// Its kind.
    pub kind: DocKind,
    /// The command that wrote the version before; empty when it is new.
    pub previous: String,
    /// The columns that questions need.
    pub columns: Vec<Value<'static>>,
    /// The document at its new version.
    pub stored: Arc<Stored>,
}

impl ChangedDocument {
    /// The next version of a document, with its body.
    #[must_use]
    pub fn of<D: Document>(value: &D, body: String, before: Option<&Stored>, by: By<'_>) -> Self {
        let parsed: Box<dyn Any + Send + Sync> = Box::new(value.clone());
        Self {
            kind: D::KIND,
            previous: before.map_or_else(String::new, |before| before.written_by.clone()),
            columns: value.columns(),
            stored: Arc::new(Stored {
                key: value.key(),
                version: before.map_or(0, |before| before.version) + 1,
                recorded_at: by.at,
                written_by: by.command.to_owned(),
                body,
                value: OnceLock::from(parsed),
            }),
        }
    }

    /// The write of its row over the version that the database has, 0 for none.
    #[must_use]
    pub fn write_over(&self, version: i64, recorded_at: i64) -> Write {
        let sql = self.kind.sql();
        let Stored {
            key,
            written_by,
            body,
            ..
        } = &*self.stored;
        let mut params: Vec<Value<'static>> = Vec::with_capacity(self.columns.len() + 6);
        params.push(self.stored.version.into());
        params.push(recorded_at.into());
        params.push(written_by.clone().into());
        params.push(body.clone().into());
        params.extend(self.columns.iter().cloned());
        params.push(key.clone().into());
        if version == 0 {
            return Write {
                row: &sql.insert,
                params,
            };
        }
        params.push(version.into());
        Write {
            row: &sql.update,
            params,
        }
    }
}

/// A command as the rows that it writes name it.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// The command.
    pub command: &'a str,
    /// When, in milliseconds.
    pub at: i64,
    /// Its operator.
    pub operator: &'a str,
    /// Its station.
    pub station: &'a str,
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
pub fn load(sql: &mut dyn Sql, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    load_by(&mut |text, params| sql.query(text, params), kind, keys)
}

/// Loads documents by key ahead of the transaction, where the database allows it; their versions are to be expected.
pub fn load_committed(
    session: &mut dyn Session,
    kind: DocKind,
    keys: &[String],
) -> Result<Vec<Stored>, Fault> {
    load_by(
        &mut |text, params| session.read_committed(text, params),
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

/// Adds an entry to the journal; a command has one.
static ENTRY: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = [
        "command", "at", "operator", "station", "request", "answer", "changes",
    ];
    RowWrite::insert("journal", &columns)
});

/// The journal's entry of a command: its request, answer, and changes.
#[must_use]
pub fn entry(by: By<'_>, (request, answer): (&str, &str), changes: &[ChangedDocument]) -> Write {
    let owned = |text: &str| Value::from(text.to_owned());
    Write {
        row: &ENTRY,
        params: vec![
            owned(by.command),
            by.at.into(),
            owned(by.operator),
            owned(by.station),
            owned(request),
            refer(answer, changes).into(),
            told(changes).into(),
        ],
    }
}

/// Stands for a change's body in an answer; no JSON text has this character in it.
const REFERENCE: char = '\u{1}';

/// An answer with the changed document that it is, or ends with, replaced by a reference to the change.
fn refer(answer: &str, changes: &[ChangedDocument]) -> String {
    for (change, number) in changes.iter().zip(0..) {
        for tail in ["", "}"] {
            let before = answer
                .strip_suffix(tail)
                .and_then(|answer| answer.strip_suffix(change.stored.body.as_str()));
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
fn told(changes: &[ChangedDocument]) -> String {
    let mut text = String::with_capacity(
        changes
            .iter()
            .map(|change| change.stored.body.len() + 180)
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
            serde_json::Value::from(change.stored.key.as_str()),
            change.stored.version,
            change.previous,
            change.stored.body
        );
    }
    if text.is_empty() {
        text.push('[');
    }
    text.push(']');
    text
}

/// A command that was done: its request and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredCommand {
    /// Its id.
    pub command: String,
    /// The request.
    pub request: String,
    /// The answer.
    pub answer: String,
}

impl AnsweredCommand {
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
pub fn find_command(sql: &mut dyn Sql, command: &str) -> Result<Option<AnsweredCommand>, Fault> {
    let rows = sql.query(&format!("{ENTRIES}($1)"), &[command.into()])?;
    rows.into_iter()
        .next()
        .map(AnsweredCommand::from_row)
        .transpose()
}

/// Those of some commands that were done before this transaction.
pub fn committed_commands(
    session: &mut dyn Session,
    commands: &[String],
) -> Result<Vec<AnsweredCommand>, Fault> {
    let rows = by_keys(
        &mut |text, params| session.read_committed(text, params),
        ENTRIES,
        commands,
    )?;
    rows.into_iter().map(AnsweredCommand::from_row).collect()
}
