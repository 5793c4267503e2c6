//! The connection that writes, in turn with other processes.

use std::time::{Duration, Instant};

use super::attached::Attached;
use super::turnstile::{Turn, Turnstile};
use super::{APPLICATION_ID, LIMIT_STEPS, SqliteFile, data_version, execute, fault, query};
use crate::store::dialect::{Dialect, Write};
use crate::store::{Fault, Row, Session, Sql, Value, schema};

/// A connection that writes, one transaction at a time.
#[derive(Debug)]
pub struct SqliteSession {
    connection: Attached,
    file: SqliteFile,
    turnstile: Turnstile,
    /// The turn that the open transaction has.
    turn: Option<Turn>,
    /// The change counter when the last transaction began.
    changes: i64,
    /// The change counter at which the schema was a known one: only another connection can have changed it since.
    schema_known: Option<i64>,
}

impl SqliteSession {
    /// On a connection that is open.
    ///
    /// # Errors
    /// The files of the turnstile cannot be made.
    pub(super) fn new(connection: Attached, file: SqliteFile) -> Result<Self, Fault> {
        Ok(Self {
            connection,
            turnstile: Turnstile::open(file.path())?,
            file,
            turn: None,
            changes: 0,
            schema_known: None,
        })
    }

    /// Sets write-ahead logging, brings the schema up to date, and marks the file as a house.
    pub(super) fn prepare_file(&mut self) -> Result<(), Fault> {
        let mode: String = self
            .connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(fault)?;
        if mode != "wal" {
            return Err(Fault::Broken(format!(
                "it cannot be written ahead here (journal mode {mode}); choose a local disk"
            )));
        }
        self.enter()?;
        let migrated = schema::version(self)
            .and_then(|_| schema::migrate(self, Dialect::Sqlite))
            .and_then(|()| {
                // other processes see no write where there was nothing to do
                if self.application()? == APPLICATION_ID {
                    Ok(())
                } else {
                    self.mark()
                }
            });
        if let Err(error) = migrated {
            self.rollback();
            return Err(error);
        }
        self.commit()
    }

    /// Waits for its turn and begins.
    ///
    /// # Errors
    /// The file is gone, its turn does not come, or a fault of the database; then nothing has begun.
    fn enter(&mut self) -> Result<(), Fault> {
        self.connection.was_there()?;
        self.turn = Some(self.turnstile.enter()?);
        let begun = execute(&self.connection, "BEGIN IMMEDIATE", &[])
            .and_then(|_| self.connection.still_there())
            .and_then(|()| data_version(&self.connection));
        self.changes = begun.inspect_err(|_| self.rollback())?;
        Ok(())
    }

    fn application(&self) -> Result<i64, Fault> {
        self.connection
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(fault)
    }

    /// Writes the mark of a house; a write also when it was written before.
    fn mark(&self) -> Result<(), Fault> {
        self.connection
            .pragma_update(None, "application_id", APPLICATION_ID)
            .map_err(fault)
    }
}

impl Sql for SqliteSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(&self.connection, sql, params)
    }
}

impl Session for SqliteSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.enter()?;
        if self.schema_known == Some(self.changes) {
            return Ok(());
        }
        let known = schema::current(self).and_then(schema::known);
        if known.is_ok() {
            self.schema_known = Some(self.changes);
        } else {
            self.rollback();
        }
        known
    }

    /// Commits, and ends its turn. [`Fault::Replaced`] where it went into files that are gone.
    fn commit(&mut self) -> Result<(), Fault> {
        let committed = execute(&self.connection, "COMMIT", &[]);
        if committed.is_err() && !self.connection.is_autocommit() {
            self.rollback();
            return committed.map(|_| ());
        }
        let still_there = self.connection.still_there();
        self.turn = None;
        still_there?;
        committed.map(|_| ()).map_err(|fault| {
            if fault == Fault::Full {
                fault
            } else {
                Fault::Unsure
            }
        })
    }

    fn rollback(&mut self) {
        if !self.connection.is_autocommit() {
            // a failed rollback leaves a connection that the next BEGIN refuses
            let _ = execute(&self.connection, "ROLLBACK", &[]);
        }
        self.turn = None;
    }

    fn is_open(&self) -> bool {
        !self.connection.is_autocommit()
    }

    fn change_counter(&mut self) -> Result<i64, Fault> {
        Ok(self.changes)
    }

    fn commits_beside(&self) -> bool {
        true
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        let look = limit.map(|limit| {
            let until = Instant::now() + limit;
            move || Instant::now() > until
        });
        self.connection
            .progress_handler(LIMIT_STEPS, look)
            .map_err(fault)
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.schema_known = None;
        self.connection.was_there()?;
        self.connection = self.file.connect()?;
        self.turn = None;
        self.begin()?;
        self.mark()?;
        self.commit()
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        execute(&self.connection, sql, params)
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        for Write { row, params } in &writes {
            let changed = execute(&self.connection, row.text(Dialect::Sqlite), params)?;
            if !row.is_done_by(changed) {
                return Err(Fault::Contended);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Missing;

    #[test]
    fn a_commit_into_a_log_that_was_deleted_meanwhile_is_not_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        let file = SqliteFile::open(&path, Missing::Create).unwrap();
        let mut one = SqliteSession::new(file.connect().unwrap(), file).unwrap();
        let mut insert = |text: &str| {
            one.begin().unwrap();
            one.execute("CREATE TABLE IF NOT EXISTS a (b)", &[])
                .unwrap();
            one.execute(text, &[]).unwrap();
            if text.contains('2') {
                std::fs::remove_file(folder.path().join("house.db-wal")).unwrap();
            }
            one.commit()
        };
        assert_eq!(insert("INSERT INTO a VALUES (1)"), Ok(()));
        assert_eq!(insert("INSERT INTO a VALUES (2)"), Err(Fault::Replaced));
        assert_eq!(one.begin(), Err(Fault::Replaced));
    }
}
