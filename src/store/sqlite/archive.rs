//! Archive file of the journal: a database with the entries of past days.

use std::path::Path;

use rusqlite::Connection;

use super::connection::{execute, fault, open, query, query_only};
use crate::store::fault::{Fault, Missing};
use crate::store::journal::{COLUMNS, archive};
use crate::store::port::Sql;
use crate::store::value::{Row, Value};

/// Application id of an archive: "WARC".
const ARCHIVE_ID: i64 = 0x5741_5243;

const TABLES: &str = "CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, command TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, told_at INTEGER, operator TEXT NOT NULL,
    station TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, changes TEXT NOT NULL, chain TEXT NOT NULL,
    link INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE archived (
    key TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;";

/// Open archive of the journal.
#[derive(Debug)]
pub struct ArchiveFile {
    connection: Connection,
}

impl ArchiveFile {
    /// Creates an archive in a new file.
    ///
    /// # Errors
    /// A fault of the file.
    pub fn create(path: &Path) -> Result<Self, Fault> {
        let connection = open(path, Missing::Create)?;
        connection.pragma_update(None, "application_id", ARCHIVE_ID).map_err(fault)?;
        connection.execute_batch(&format!("BEGIN; {TABLES}")).map_err(fault)?;
        Ok(Self { connection })
    }

    /// Opens an archive to read it.
    ///
    /// # Errors
    /// The file is missing, damaged, or no archive.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let connection = open(path, Missing::Refuse)?;
        query_only(&connection, true)?;
        let id: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(fault)?;
        if id != ARCHIVE_ID {
            return Err(Fault::Broken("it is no archive of a journal".into()));
        }
        let found = query(&connection, "PRAGMA integrity_check(1)", &[])?;
        match found.first().map(|row| row.text(0)) {
            Some("ok") => Ok(Self { connection }),
            damage => Err(Fault::Damaged(damage.unwrap_or_default().to_owned())),
        }
    }

    /// Appends an entry, a row of [`COLUMNS`].
    ///
    /// # Errors
    /// A fault of the file.
    pub fn append(&self, entry: &Row) -> Result<(), Fault> {
        self.put(("INSERT", "journal"), COLUMNS, entry)
    }

    /// Adds or replaces a row of the table `archived`.
    ///
    /// # Errors
    /// A fault of the file.
    pub fn keep(&self, row: &Row) -> Result<(), Fault> {
        let columns = archive::COLUMNS.join(", ");
        self.put(("INSERT OR REPLACE", "archived"), &columns, row)
    }

    fn put(&self, (verb, table): (&str, &str), columns: &str, row: &Row) -> Result<(), Fault> {
        let marks: Vec<String> = (1..=row.0.len()).map(|number| format!("${number}")).collect();
        let marks = marks.join(", ");
        let text = format!("{verb} INTO {table} ({columns}) VALUES ({marks})");
        execute(&self.connection, &text, &row.0).map(|_| ())
    }

    /// Commits a new archive and closes its file.
    ///
    /// # Errors
    /// A fault of the file.
    pub fn finish(self) -> Result<(), Fault> {
        execute(&self.connection, "COMMIT", &[])?;
        self.connection.close().map_err(|(_, error)| fault(error))
    }
}

impl Sql for ArchiveFile {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(&self.connection, sql, params)
    }
}
