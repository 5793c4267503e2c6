//! Connection that reads snapshots.

use super::attached::Attached;
use crate::store::fault::Fault;
use crate::store::port::{Reader, Sql};
use crate::store::sqlite::connection::{data_version, execute, query};
use crate::store::value::{Row, Value};

/// Connection that reads snapshots.
#[derive(Debug)]
pub struct SqliteReader {
    pub(super) connection: Attached,
}

impl Sql for SqliteReader {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(&self.connection, sql, params).map_err(|fault| self.connection.explain(fault))
    }
}

impl Reader for SqliteReader {
    fn begin(&mut self) -> Result<(), Fault> {
        self.connection.still_there()?;
        execute(&self.connection, "BEGIN", &[]).map(|_| ())
    }

    fn end(&mut self) -> bool {
        if !self.connection.is_autocommit() {
            // nothing was written, so nothing is lost
            let _ = execute(&self.connection, "ROLLBACK", &[]);
        }
        true
    }

    fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
        data_version(&self.connection).map(Some)
    }

    /// Checkpoints passively beside the writer, so that little is left for the writer's own
    /// checkpoint. A passive checkpoint alone never catches up with a busy writer, and the writer's
    /// alone makes all stations wait.
    fn tidy(&mut self) -> Result<(), Fault> {
        query(&self.connection, "PRAGMA wal_checkpoint(PASSIVE)", &[]).map(|_| ())
    }

    /// Runs `integrity_check`, which also compares each index with its table, unlike `quick_check`.
    fn corruption(&mut self) -> Result<Vec<String>, Fault> {
        let found = query(&self.connection, "PRAGMA integrity_check(20)", &[])?;
        Ok(found
            .iter()
            .map(|row| row.text(0).to_owned())
            .filter(|line| line != "ok")
            .collect())
    }

    fn numbered(&mut self) -> Result<Vec<(String, i64)>, Fault> {
        let rows = query(
            &self.connection,
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
        let mode = query(&self.connection, "PRAGMA journal_mode", &[])?;
        if mode.first().is_none_or(|row| row.text(0) != "wal") {
            damage.push(
                "the file does not write ahead: a power loss may undo what was shown as done"
                    .into(),
            );
        }
        Ok(damage)
    }
}
