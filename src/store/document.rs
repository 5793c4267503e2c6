//! Loading and writing documents.
//!
//! A write names the version that was loaded; no row changed means that another writer was faster. Creation
//! is create-if-absent, and means the same when the key exists.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::dialect::Write;
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
    /// The version before; `None` when it is new.
    pub before: Option<Arc<Stored>>,
    /// The columns that questions need.
    pub columns: Vec<Value<'static>>,
    /// The document at its new version.
    pub stored: Arc<Stored>,
}

impl ChangedDocument {
    /// The next version of a document, with its body.
    #[must_use]
    pub fn of<D: Document>(
        value: &D,
        body: String,
        before: Option<Arc<Stored>>,
        by: By<'_>,
    ) -> Self {
        let parsed: Box<dyn Any + Send + Sync> = Box::new(value.clone());
        Self {
            kind: D::KIND,
            columns: value.columns(),
            stored: Arc::new(Stored {
                key: value.key(),
                version: before.as_ref().map_or(0, |before| before.version) + 1,
                recorded_at: by.at,
                written_by: by.command.to_owned(),
                body,
                value: OnceLock::from(parsed),
            }),
            before,
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

/// Writes the body of a document.
///
/// # Errors
/// A value that JSON cannot express.
pub fn spell<D: Document>(value: &D) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::Broken(error.to_string()))
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
pub(super) type Ask<'a> = &'a mut dyn FnMut(&str, &[Value<'_>]) -> Result<Vec<Row>, Fault>;

fn load_by(ask: Ask<'_>, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    let found = by_keys(ask, &kind.sql().load, keys)?;
    Ok(found.into_iter().map(Stored::from_row).collect())
}

/// Rows by their keys. The lists have few lengths, the last key fills them up: so few texts are kept prepared.
pub(super) fn by_keys(ask: Ask<'_>, select: &str, keys: &[String]) -> Result<Vec<Row>, Fault> {
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
