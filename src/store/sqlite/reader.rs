//! Connection that reads snapshots.

use super::SqliteFile;
use super::attached::Attached;
use crate::store::fault::Fault;
use crate::store::port::{Reader, Sql};
use crate::store::sqlite::connection::{cache_for_scan, data_version, execute, query};
use crate::store::value::{Row, Value};

/// Query whose answer changes with each commit of another connection; it begins the snapshot.
const VERSION: &str = "PRAGMA data_version";

/// Most attempts to begin two equal snapshots while others commit.
const BESIDE_MAX: usize = 1000;

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

    /// The other snapshot begins between two of this connection. No commit between these two means that all are the
    /// same.
    fn beside(&mut self) -> Result<Option<Box<dyn Reader>>, Fault> {
        if self.file.no_room {
            return Ok(None);
        }
        let (connection, file) = (Some(self.file.connect_to_read()?), self.file.clone());
        let mut other = Self { connection, file };
        cache_for_scan(other.connection()?)?;
        for _ in 0..BESIDE_MAX {
            let before = self.query(VERSION, &[])?;
            other.begin()?;
            other.query(VERSION, &[])?;
            self.query("ROLLBACK", &[])?;
            self.begin()?;
            if self.query(VERSION, &[])? == before {
                return Ok(Some(Box::new(other)));
            }
            other.query("ROLLBACK", &[])?;
        }
        Ok(None)
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
        connection.read_ahead();
        let found = query(connection, "PRAGMA integrity_check(20)", &[])?;
        Ok(found.iter().map(|row| row.text(0).to_owned()).filter(|line| line != "ok").collect())
    }

    fn numbered(&mut self) -> Result<Vec<(String, i64)>, Fault> {
        let rows = query(self.connection()?, "SELECT name, seq FROM sqlite_sequence", &[])?;
        Ok(rows.iter().map(|row| (row.text(0).to_owned(), row.int(1))).collect())
    }

    fn damage(&mut self) -> Result<Vec<String>, Fault> {
        let mut damage = Vec::new();
        let mode = query(self.connection()?, "PRAGMA journal_mode", &[])?;
        if mode.first().is_none_or(|row| row.text(0) != "wal") {
            damage.push("the file does not write ahead: a power loss may undo what was shown as done".into());
        }
        Ok(damage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fault::Missing;
    use crate::store::port::Database;

    #[test]
    fn a_connection_beside_reads_the_same_snapshot_while_another_commits() {
        let folder = tempfile::tempdir().unwrap();
        let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
        let mut session = file.session().unwrap();
        let mut commit = |text: &str| {
            session.begin().unwrap();
            session.execute(text, &[]).unwrap();
            session.commit().unwrap();
        };
        commit("INSERT INTO presence VALUES ('till-1', 'ada', 'hall', 0, 0)");
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                for _ in 0..300 {
                    commit("UPDATE presence SET seen_at = seen_at + 1");
                }
            });
            while !writer.is_finished() {
                let mut reader = file.reader().unwrap();
                reader.begin().unwrap();
                let mut beside = reader.beside().unwrap().unwrap();
                let seen = "SELECT seen_at FROM presence";
                assert_eq!(beside.query(seen, &[]), reader.query(seen, &[]));
            }
        });
    }
}
