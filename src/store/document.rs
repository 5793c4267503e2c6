//! Loading and writing of documents.
//!
//! An update names the loaded version; no changed row means a conflict with another writer. An
//! insert of an existing key is the same conflict.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::domain::house::Settings;
use crate::domain::private;
use crate::store::dialect::Write;
use crate::store::fault::Fault;
pub use crate::store::kinds::DocKind;
use crate::store::kinds::SETTINGS_KEY;
use crate::store::port::{Session, Sql};
use crate::store::value::{Row, Value};

/// Value stored as a document.
pub trait Document: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    const KIND: DocKind;

    /// Key, unique in its kind.
    fn key(&self) -> String;

    /// Restores the fields that the body omits from the key.
    ///
    /// # Errors
    /// The key does not fit the kind.
    fn stored_at(&mut self, _key: &str) -> Result<(), Fault> {
        Ok(())
    }

    /// Values of the indexed columns, in the order of the kind's table.
    fn columns(&self) -> Vec<Value<'static>>;
}

/// Document as stored; caches the parsed value.
#[derive(Debug)]
pub struct Stored {
    pub key: String,
    /// Version, from 1.
    pub version: i64,
    /// Latest time of a write, in milliseconds; never goes back, and no decision uses it.
    pub recorded_at: i64,
    /// Command of the last write.
    pub written_by: String,
    /// Body as JSON, with numbers in the places of private texts.
    pub body: String,
    /// Private texts as JSON, behind a salt; empty if there are none.
    pub words: String,
    value: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Stored {
    /// Parses the common columns of a row.
    pub fn from_row(mut row: Row) -> Self {
        Self {
            key: row.take_text(0),
            version: row.int(1),
            recorded_at: row.int(2),
            written_by: row.take_text(3),
            body: row.take_text(4),
            words: row.take_text(5),
            value: OnceLock::new(),
        }
    }

    /// Parses the value, and does not keep it.
    ///
    /// # Errors
    /// The body cannot be parsed.
    pub fn read<D: Document>(&self) -> Result<D, Fault> {
        parse(&self.key, (&self.body, &self.words))
    }

    /// Returns a copy of the value, parsed once.
    ///
    /// # Errors
    /// The body cannot be parsed.
    pub fn parse<D: Document>(&self) -> Result<D, Fault> {
        Ok(Arc::unwrap_or_clone(self.shared()?))
    }

    /// Returns the value, parsed once.
    ///
    /// # Errors
    /// The body cannot be parsed.
    pub fn shared<D: Document>(&self) -> Result<Arc<D>, Fault> {
        if let Some(Ok(value)) = self.value.get().map(|value| Arc::clone(value).downcast()) {
            return Ok(value);
        }
        let value: Arc<D> = Arc::new(self.read()?);
        // another thread may have stored the same value meanwhile
        let _ = self.value.set(Arc::<D>::clone(&value));
        Ok(value)
    }
}

/// Changed document: its next version with the indexed columns.
#[derive(Clone, Debug)]
pub struct ChangedDocument {
    pub kind: DocKind,
    /// Previous version; `None` for a new document.
    pub before: Option<Arc<Stored>>,
    /// Values of the indexed columns.
    pub columns: Vec<Value<'static>>,
    /// Document at its new version.
    pub stored: Arc<Stored>,
}

impl ChangedDocument {
    /// Builds the next version of a document from its key and its body with its words.
    pub fn of<D: Document>(
        value: &D,
        (key, spelled): (String, Spelled),
        before: Option<Arc<Stored>>,
        by: By<'_>,
    ) -> Self {
        let parsed: Arc<dyn Any + Send + Sync> = Arc::new(value.clone());
        Self {
            kind: D::KIND,
            columns: value.columns(),
            stored: Arc::new(Stored {
                key,
                version: before.as_ref().map_or(0, |before| before.version) + 1,
                recorded_at: before.as_ref().map_or(by.at, |before| before.recorded_at.max(by.at)),
                written_by: by.command.to_owned(),
                body: spelled.body,
                words: spelled.words,
                value: OnceLock::from(parsed),
            }),
            before,
        }
    }

    /// Sets the version, for a document that counts more than its writes.
    #[must_use]
    pub fn at_version(mut self, version: i64) -> Self {
        if let Some(stored) = Arc::get_mut(&mut self.stored) {
            stored.version = version;
        }
        self
    }

    /// Builds the write over the stored version, 0 for none.
    pub fn write_over(&self, version: i64, recorded_at: i64) -> Write {
        let sql = self.kind.sql();
        let Stored { key, written_by, body, words, .. } = &*self.stored;
        let mut params: Vec<Value<'static>> = Vec::with_capacity(self.columns.len() + 7);
        params.push(self.stored.version.into());
        params.push(recorded_at.into());
        params.push(written_by.clone().into());
        params.push(body.clone().into());
        params.extend(self.kind.has_words().then(|| words.clone().into()));
        params.extend(self.columns.iter().cloned());
        params.push(key.clone().into());
        if version == 0 {
            return Write { row: &sql.insert, params };
        }
        params.push(version.into());
        Write { row: &sql.update, params }
    }
}

/// Command and actor, as recorded in the rows written.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    pub command: &'a str,
    /// Time, in milliseconds.
    pub at: i64,
    pub operator: &'a str,
    pub station: &'a str,
}

/// Body of a document, and its private texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    pub body: String,
    pub words: String,
}

/// Salt of a document's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt {
    pub kind: DocKind,
    pub key: String,
    pub salt: String,
}

/// Salt of stored words; empty if there are none.
pub fn salt(words: &str) -> String {
    texts(words).0
}

/// Salt and private texts of stored words.
pub fn texts(words: &str) -> (String, Vec<String>) {
    let mut texts: Vec<String> = serde_json::from_str(words).unwrap_or_default();
    let salt = if texts.is_empty() { String::new() } else { texts.remove(0) };
    (salt, texts)
}

/// Parses a document from its body and its words.
///
/// # Errors
/// The body cannot be parsed.
pub fn parse<D: Document>(key: &str, (body, words): (&str, &str)) -> Result<D, Fault> {
    let read = || serde_json::from_str(body);
    let read: Result<D, _> = if words.is_empty() { read() } else { private::together(texts(words).1, read) };
    let mut value =
        read.map_err(|error| Fault::Broken(format!("the stored {} {key} cannot be read: {error}", D::KIND.word())))?;
    value.stored_at(key)?;
    Ok(value)
}

/// Serializes a document. The salt of its words stays as long as it has any.
///
/// # Errors
/// The value cannot be written as JSON, or has private words and its kind no column for them.
pub fn spell<D: Document>(value: &D, before: Option<&Stored>) -> Result<Spelled, Fault> {
    let broken = |error: serde_json::Error| Fault::Broken(error.to_string());
    let (body, mut texts) = private::apart(|| serde_json::to_string(value));
    let body = body.map_err(broken)?;
    if texts.is_empty() {
        return Ok(Spelled { body, words: String::new() });
    }
    if !D::KIND.has_words() {
        return Err(Fault::Broken(format!("a {} has no column for private words", D::KIND.word())));
    }
    let salt = before.map(|before| salt(&before.words)).filter(|salt| !salt.is_empty());
    texts.insert(0, salt.unwrap_or_else(|| Uuid::new_v4().simple().to_string()));
    Ok(Spelled { body, words: serde_json::to_string(&texts).map_err(broken)? })
}

/// A document without its private texts.
///
/// # Errors
/// The value cannot be written as JSON, or read again.
pub fn emptied<D: Document>(value: &D) -> Result<D, Fault> {
    parse(&value.key(), (&spell(value, None)?.body, "[]"))
}

/// Most keys per query, below the parameter limits of both databases.
const KEYS_PER_QUERY: usize = 512;

/// Loads one document, if it exists.
pub fn find<D: Document>(sql: &mut dyn Sql, key: &str) -> Result<Option<D>, Fault> {
    let stored = load(sql, D::KIND, &[key.to_owned()])?;
    stored.first().map(Stored::parse).transpose()
}

/// Loads the settings, or their defaults.
pub fn settings(sql: &mut dyn Sql) -> Result<Settings, Fault> {
    Ok(find(sql, SETTINGS_KEY)?.unwrap_or_default())
}

/// Loads documents by key; absent keys are left out.
pub fn load(sql: &mut dyn Sql, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    load_by(&mut |text, params| sql.query(text, params), kind, keys)
}

/// Loads documents by key outside the transaction, where possible; the caller adds their versions to the read set.
pub fn load_committed(session: &mut dyn Session, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    load_by(&mut |text, params| session.read_committed(text, params), kind, keys)
}

pub(crate) type Ask<'a> = &'a mut dyn FnMut(&str, &[Value<'_>]) -> Result<Vec<Row>, Fault>;

fn load_by(ask: Ask<'_>, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
    let keys: Vec<Value> = keys.iter().map(|key| key.as_str().into()).collect();
    let found = by_keys(ask, &kind.sql().load, &keys)?;
    Ok(found.into_iter().map(Stored::from_row).collect())
}

/// Selects rows by key, in any order; the query ends before the list. The key list is padded with its last key to a
/// power of two, so that few statements are prepared.
pub(crate) fn by_keys(ask: Ask<'_>, select: &str, keys: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
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
        let params: Vec<Value> = filled.take(length).cloned().collect();
        found.extend(ask(&text, &params)?);
    }
    Ok(found)
}

/// Loads documents by a condition on the columns of their kind (`WHERE ...`, `ORDER BY ...`, `LIMIT ...`), parameters
/// `$1..`.
pub fn select(
    sql: &mut dyn Sql,
    kind: DocKind,
    condition: &str,
    params: &[Value<'_>],
) -> Result<Vec<Arc<Stored>>, Fault> {
    let text = format!("SELECT {} FROM {} {condition}", kind.stored_columns(), kind.word());
    let rows = sql.query(&text, params)?.into_iter();
    Ok(rows.map(|row| Arc::new(Stored::from_row(row))).collect())
}

/// Parses documents.
///
/// # Errors
/// A body that cannot be read.
pub fn parse_all<D: Document>(stored: &[Arc<Stored>]) -> Result<Vec<D>, Fault> {
    stored.iter().map(|stored| stored.parse()).collect()
}
