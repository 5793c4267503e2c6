//! Connection that reads snapshots.

use super::SqliteFile;
use super::attached::Attached;
use crate::store::fault::Fault;
use crate::store::port::{Reader, Sql};
use crate::store::sqlite::connection::{cache_for_scan, data_version, execute, query};
use crate::store::value::{Row, Value};

/// Connection that reads snapshots.
#[derive(Debug)]
pub struct SqliteReader {
    /// Connection; `None` while it is lent.
    pub(super) connection: Option<Attached>,
    pub(super) file: SqliteFile,
}

impl SqliteReader {
    fn connection(&mut self) -> Result<&Attached, Fault> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.file.connect_to_read()?,
        };
        Ok(self.connection.insert(connection))
    }
}

impl Sql for SqliteReader {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let connection = self.connection()?;
        query(connection, sql, params).map_err(|fault| connection.explain(fault))
    }
}

impl Reader for SqliteReader {
    fn begin(&mut self) -> Result<(), Fault> {
        let connection = self.connection()?;
        connection.still_there()?;
        execute(connection, "BEGIN", &[]).map(|_| ())
    }

    fn end(&mut self) -> bool {
        if let Some(connection) = self.connection.as_ref().filter(|one| !one.is_autocommit()) {
            // nothing was written, so nothing is lost
            let _ = execute(connection, "ROLLBACK", &[]);
        }
        self.file.take_back(&mut self.connection);
        true
    }

    fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
        data_version(self.connection()?).map(Some)
    }

    /// Checkpoints passively beside the writer, so that little is left for the writer's own
    /// checkpoint. A passive checkpoint alone never catches up with a busy writer, and the writer's
    /// alone makes all stations wait.
    fn tidy(&mut self) -> Result<(), Fault> {
        let connection = self.connection()?;
        // a checkpoint of a deleted log would write old pages into a file that others have written since
        connection.still_there()?;
        query(connection, "PRAGMA wal_checkpoint(PASSIVE)", &[]).map(|_| ())
    }

    /// Runs `integrity_check`, which also compares each index with its table, unlike `quick_check`. The checks that
    /// follow read all rows too, so the connection keeps few pages from now on.
    fn corruption(&mut self) -> Result<Vec<String>, Fault> {
        let connection = self.connection()?;
        cache_for_scan(connection)?;
        let found = query(connection, "PRAGMA integrity_check(20)", &[])?;
        Ok(found
            .iter()
            .map(|row| row.text(0).to_owned())
            .filter(|line| line != "ok")
            .collect())
    }

    fn numbered(&mut self) -> Result<Vec<(String, i64)>, Fault> {
        let rows = query(
            self.connection()?,
            "SELECT name, seq FROM sqlite_sequence",
            &[],
        )?;
        Ok(rows
            .iter()
            .map(|row| (row.text(0).to_owned(), row.int(1)))
            .collect())
    }

    fn damage(&mut self) -> Result<Vec<String>, Fault> {
        let mut damage = Vec::new();
        let mode = query(self.connection()?, "PRAGMA journal_mode", &[])?;
        if mode.first().is_none_or(|row| row.text(0) != "wal") {
            damage.push(
                "the file does not write ahead: a power loss may undo what was shown as done"
                    .into(),
            );
        }
        Ok(damage)
    }
}
