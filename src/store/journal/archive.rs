//! Archives of the journal: files with the entries of past days, and what the house keeps instead.
//!
//! The table `archived` has the time and digest of each document at the last archived entry, and the [`Record`] of all
//! archives. An archive has its entries and the same table, from which the house copies it.
//!
//! # Invariants
//! - Archived entries are a prefix of the journal.
//! - A change of a document older than [`WHOLE_AFTER`] has the whole body, and a day is archived later than that: so a
//!   delta to an archived version has its base in `archived`, or is not written any more.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::hash;
use crate::store::dialect::{RowWrite, Write};
use crate::store::document::{Ask, DocKind};
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::value::Row;
use crate::store::walk::advance;

pub use crate::store::sqlite::ArchiveFile;

/// Age of a document whose change is stored with the whole body, in milliseconds: 20 hours.
pub const WHOLE_AFTER: i64 = 20 * 60 * 60 * 1000;

/// Columns of the table `archived`.
pub(crate) const COLUMNS: [&str; 4] = ["key", "at", "digest", "body"];

/// Rows read per query.
const PAGE: usize = 200;

const RECORD: &str = "";

static INSERT: LazyLock<RowWrite> = LazyLock::new(|| RowWrite::insert("archived", &COLUMNS));

/// One archive file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// First day that is not in it.
    pub before: NaiveDate,
    pub file: String,
    /// Position of its last entry.
    pub last: i64,
}

/// Newest entry of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// Number in the chain.
    pub link: i64,
    pub hash: String,
    pub command: String,
    /// Newest time of the chain's entries, in milliseconds.
    pub recorded_at: i64,
    /// Journal position minus chain number.
    pub offset: i64,
}

/// Record of all archives, and the state of the journal at the last archived entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Archives, oldest first.
    pub archives: Vec<Archive>,
    pub ends: BTreeMap<String, ChainEnd>,
    /// Events before this time were pruned, in milliseconds.
    pub pruned: i64,
    /// First instant that is not archived, in milliseconds.
    pub from: i64,
    /// Hash of all archived documents.
    pub documents: String,
}

impl Record {
    /// Reads the record of a house or an archive; `None` if nothing was archived.
    pub fn read(sql: &mut dyn Sql) -> Result<Option<Self>, Fault> {
        let text = "SELECT body FROM archived WHERE key = $1";
        let rows = sql.query(text, &[RECORD.into()])?;
        let parse = |row: &Row| serde_json::from_str(row.text(0));
        let record = rows.first().map(parse).transpose();
        record.map_err(|error| Fault::Broken(error.to_string()))
    }

    /// Row of the record in the table `archived`.
    ///
    /// # Errors
    /// The record cannot be written as JSON.
    pub fn row(&self) -> Result<Row, Fault> {
        let (text, digest) = (self.text()?, self.hash()?);
        Ok(Row(vec![RECORD.into(), 0_i64.into(), digest.into(), text.into()]))
    }

    /// Hash of the record, which the journal's entry names.
    ///
    /// # Errors
    /// The record cannot be written as JSON.
    pub fn hash(&self) -> Result<String, Fault> {
        Ok(hash::spell(hash::of_parts([], [self.text()?.as_str()])))
    }

    fn text(&self) -> Result<String, Fault> {
        serde_json::to_string(self).map_err(|error| Fault::Broken(error.to_string()))
    }

    /// Position of the last archived entry.
    pub fn last(&self) -> i64 {
        self.archives.last().map_or(0, |archive| archive.last)
    }
}

/// Document at the last archived entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedDocument {
    /// Recorded time, in milliseconds.
    pub at: i64,
    pub digest: u128,
    /// Body, if a later entry has a delta to it; otherwise empty.
    pub body: String,
}

impl ArchivedDocument {
    /// Row of the document in the table `archived`.
    pub fn row(self, document: (DocKind, &str)) -> Row {
        Row(vec![key_of(document).into(), self.at.into(), hash::spell(self.digest).into(), self.body.into()])
    }

    /// Parses a row of the table `archived`.
    pub fn from_row(row: &Row) -> Self {
        Self { at: row.int(1), digest: hash::read(row.text(2)).unwrap_or_default(), body: row.text(3).to_owned() }
    }
}

pub(super) fn key_of((kind, key): (DocKind, &str)) -> String {
    format!("{} {key}", kind.word())
}

/// Parses the key of an archived document.
pub fn document_of(key: &str) -> Option<(DocKind, &str)> {
    let (kind, key) = key.split_once(' ')?;
    Some((DocKind::from_word(kind)?, key))
}

/// Reads an archived document.
pub(crate) fn document(ask: Ask<'_>, document: (DocKind, &str)) -> Result<Option<ArchivedDocument>, Fault> {
    let text = format!("SELECT {} FROM archived WHERE key = $1", COLUMNS.join(", "));
    let rows = ask(&text, &[key_of(document).as_str().into()])?;
    Ok(rows.first().map(ArchivedDocument::from_row))
}

/// Reads an archived document, on a connection.
pub fn find(sql: &mut dyn Sql, place: (DocKind, &str)) -> Result<Option<ArchivedDocument>, Fault> {
    document(&mut |text, params| sql.query(text, params), place)
}

/// Calls a closure with each archived document's row, in the order of the key; returns the hash of all rows.
///
/// # Errors
/// A fault of the database, or of the closure.
pub fn each_document(sql: &mut dyn Sql, with: &mut dyn FnMut(&Row) -> Result<(), Fault>) -> Result<String, Fault> {
    let columns = COLUMNS.join(", ");
    let text = format!("SELECT {columns} FROM archived WHERE key > $1 ORDER BY key LIMIT {PAGE}");
    let (mut key, mut hash) = (String::new(), String::new());
    loop {
        let rows = sql.query(&text, &[key.as_str().into()])?;
        let Some(last) = rows.last() else {
            return Ok(hash);
        };
        advance("archived", &mut key, last.text(0).to_owned())?;
        for row in &rows {
            let texts = [hash.as_str(), row.text(0), row.text(2), row.text(3)];
            hash = hash::spell(hash::of_parts([row.int(1)], texts));
            with(row)?;
        }
    }
}

/// Entries that leave the house for an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archival {
    pub file: PathBuf,
    pub last: i64,
    pub entries: i64,
}

/// Deletes the entries and copies the archive's table `archived`, in the open transaction.
///
/// # Errors
/// [`Fault::Contended`] if the house has other entries; a fault of the database or the archive.
pub fn write(session: &mut dyn Session, moved: &Archival) -> Result<(), Fault> {
    let mut file = ArchiveFile::open(&moved.file)?;
    let deleted = session.execute("DELETE FROM journal WHERE seq <= $1", &[moved.last.into()])?;
    if i64::try_from(deleted) != Ok(moved.entries) {
        return Err(Fault::Contended);
    }
    session.execute("DELETE FROM archived", &[])?;
    let record = Record::read(&mut file)?.unwrap_or_default().row()?;
    let mut rows = vec![write_of(&record)];
    each_document(&mut file, &mut |row| {
        rows.push(write_of(row));
        if rows.len() < PAGE {
            return Ok(());
        }
        session.write(std::mem::take(&mut rows))
    })?;
    session.write(rows)
}

fn write_of(row: &Row) -> Write {
    Write { row: &INSERT, params: row.0.clone() }
}
