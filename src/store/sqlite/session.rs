//! Writing connection, which takes turns with other processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::SqliteFile;
use super::attached::Attached;
use super::backup;
use super::checks::APPLICATION_ID;
use super::connection::{data_version, execute, fault, look_again, query, write_rows};
use super::turnstile::{Turn, Turnstile};
use crate::store::dialect::{Dialect, Write};
use crate::store::fault::Fault;
use crate::store::port::{Flush, Session, Sql};
use crate::store::schema;
use crate::store::value::{Row, Value};

/// Interval of checks of the time limit, in virtual machine steps: some microseconds.
const LIMIT_STEPS: i32 = 1000;

/// Longest wait for the checkpoint of another connection.
const CHECKPOINT_WAIT: Duration = Duration::from_secs(10);

/// Connection that writes, one transaction at a time.
#[derive(Debug)]
pub struct SqliteSession {
    /// Connection; `None` while it is lent, outside of transactions only.
    connection: Option<Attached>,
    file: SqliteFile,
    turnstile: Turnstile,
    /// Turn held by the open transaction.
    turn: Option<Turn>,
    /// Change counter at the start of the last transaction: number of the connection, and its data version.
    changes: i64,
    /// Change counter at the last schema check: only another connection can have changed the schema
    /// since.
    schema_known: Option<i64>,
    /// The last flush of the log failed: the system may have dropped what it did not write.
    unflushed: Arc<AtomicBool>,
}

impl SqliteSession {
    /// Creates a session on an open connection.
    ///
    /// # Errors
    /// The files of the turnstile cannot be created.
    pub(super) fn new(connection: Attached, file: SqliteFile) -> Result<Self, Fault> {
        Ok(Self {
            connection: Some(connection),
            turnstile: Turnstile::open(file.path())?,
            file,
            turn: None,
            changes: 0,
            schema_known: None,
            unflushed: Arc::default(),
        })
    }

    fn connection(&mut self) -> Result<&mut Attached, Fault> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.file.connect_to_write()?,
        };
        Ok(self.connection.insert(connection))
    }

    /// Enables write-ahead logging, migrates the schema, and marks the file as a house.
    pub(super) fn prepare_file(&mut self) -> Result<(), Fault> {
        let mode: String =
            self.connection()?.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(fault)?;
        if mode != "wal" {
            return Err(Fault::Broken(format!(
                "it cannot be written ahead here (journal mode {mode}); choose a local disk"
            )));
        }
        self.enter()?;
        let copied = schema::version(self).and_then(|found| {
            if schema::is_moved_from(found) { backup::before_move(&self.file.files.path) } else { Ok(()) }
        });
        let migrated = copied.and_then(|()| schema::migrate(self, Dialect::Sqlite)).and_then(|()| {
            // nothing to migrate: skip the write, which other processes would notice
            if self.application()? == APPLICATION_ID { Ok(()) } else { self.mark() }
        });
        if let Err(error) = migrated {
            self.rollback();
            return Err(error);
        }
        self.commit()
    }

    /// Waits for its turn and begins a transaction.
    ///
    /// # Errors
    /// The file is gone, the turn does not come, or a fault of the database; then nothing has
    /// begun.
    fn enter(&mut self) -> Result<(), Fault> {
        self.connection()?.was_there()?;
        self.turn = Some(self.turnstile.enter()?);
        let begun = self.rewrite_unflushed().and_then(|()| self.begin_immediate());
        self.changes = begun.inspect_err(|_| self.rollback())?;
        Ok(())
    }

    /// Begins a transaction; returns the change counter.
    fn begin_immediate(&mut self) -> Result<i64, Fault> {
        let connection = self.connection()?;
        execute(connection, "BEGIN IMMEDIATE", &[])?;
        connection.still_there()?;
        Ok(connection.number() << 32 | data_version(connection)?)
    }

    /// Copies the log into the file, which is flushed, after the flush of the log has failed.
    fn rewrite_unflushed(&mut self) -> Result<(), Fault> {
        if !self.unflushed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let rows = query(self.connection()?, "PRAGMA wal_checkpoint(FULL)", &[])?;
        let is_whole = |row: &Row| row.int(0) == 0 && row.int(1) == row.int(2);
        if !rows.first().is_some_and(is_whole) {
            return Err(Fault::Busy);
        }
        self.unflushed.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Writes the file anew, and empties the log.
    pub(super) fn scrub(&mut self) -> Result<(), Fault> {
        self.connection()?.was_there()?;
        self.turn = Some(self.turnstile.enter()?);
        let done = self.rewrite();
        self.turn = None;
        done
    }

    fn rewrite(&mut self) -> Result<(), Fault> {
        let connection = self.connection()?;
        connection.still_there()?;
        execute(connection, "VACUUM", &[])?;
        let until = Instant::now() + CHECKPOINT_WAIT;
        loop {
            let rows = query(connection, "PRAGMA wal_checkpoint(TRUNCATE)", &[])?;
            connection.still_there()?;
            if rows.first().map(|row| row.int(0)) == Some(0) {
                return Ok(());
            }
            if Instant::now() > until {
                return Err(Fault::Busy);
            }
            // the statement waits for readers, but not for the checkpoint of another connection
            look_again(0);
        }
    }

    fn application(&mut self) -> Result<i64, Fault> {
        self.connection()?.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(fault)
    }

    /// Writes the mark of a house, even if it is present.
    fn mark(&mut self) -> Result<(), Fault> {
        self.connection()?.pragma_update(None, "application_id", APPLICATION_ID).map_err(fault)
    }
}

impl Sql for SqliteSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(self.connection()?, sql, params)
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

    fn commit(&mut self) -> Result<(), Fault> {
        self.commit_unflushed()?()?;
        self.file.take_back(&mut self.connection);
        Ok(())
    }

    /// Commits and ends its turn; the flush is one of the log. The next process writes meanwhile, and its flush contains
    /// this one. Fails with the fault of the files if the commit went into deleted or replaced ones.
    fn commit_unflushed(&mut self) -> Result<Flush, Fault> {
        self.limit(None)?;
        let connection = self.connection()?;
        let committed = execute(connection, "COMMIT", &[]);
        if let (Err(fault), false) = (&committed, connection.is_autocommit()) {
            let fault = fault.clone();
            self.rollback();
            return Err(fault);
        }
        let still_there = connection.still_there();
        self.turn = None;
        still_there.map_err(|fault| if matches!(fault, Fault::Unreachable(_)) { Fault::Unsure } else { fault })?;
        committed.map_err(|fault| if fault == Fault::Full { fault } else { Fault::Unsure })?;
        let flush_log = self.connection()?.flush_log();
        let unflushed = Arc::clone(&self.unflushed);
        Ok(Box::new(move || {
            if flush_log() {
                return Ok(());
            }
            unflushed.store(true, Ordering::Relaxed);
            Err(Fault::Unsure)
        }))
    }

    fn rollback(&mut self) {
        if self.connection.is_some() {
            // a limit that stays on the connection would stop its next user
            let _ = self.limit(None);
        }
        if let Some(connection) = self.connection.as_ref().filter(|one| !one.is_autocommit()) {
            // after a failed rollback the next BEGIN is refused
            let _ = execute(connection, "ROLLBACK", &[]);
        }
        self.turn = None;
        self.file.take_back(&mut self.connection);
    }

    fn is_open(&self) -> bool {
        let connection = self.connection.as_ref();
        connection.is_some_and(|connection| !connection.is_autocommit())
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
        self.connection()?.progress_handler(LIMIT_STEPS, look).map_err(fault)
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.schema_known = None;
        self.connection()?.was_there()?;
        self.connection = Some(self.file.connect()?);
        self.turn = None;
        self.begin()?;
        self.mark()?;
        self.commit()
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        execute(self.connection()?, sql, params)
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        let connection = self.connection()?;
        let is_same = |one: &Write, other: &Write| std::ptr::eq(one.row, other.row);
        let mut runs = writes.chunk_by(is_same);
        runs.try_for_each(|writes| write_rows(connection, writes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fault::Missing;
    use crate::store::port::Database;

    /// A new file `house.db` in a folder of its own.
    fn empty_file() -> (tempfile::TempDir, SqliteFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
        (folder, file)
    }

    #[test]
    fn a_commit_into_a_deleted_log_is_not_acknowledged() {
        let (folder, file) = empty_file();
        let mut one = SqliteSession::new(file.connect().unwrap(), file).unwrap();
        let mut insert = |text: &str| {
            one.begin().unwrap();
            one.execute("CREATE TABLE IF NOT EXISTS a (b)", &[]).unwrap();
            one.execute(text, &[]).unwrap();
            if text.contains('2') {
                std::fs::remove_file(folder.path().join("house.db-wal")).unwrap();
            }
            one.commit()
        };
        assert_eq!(insert("INSERT INTO a VALUES (1)"), Ok(()));
        let deleted = Err(Fault::Deleted("house.db-wal".into()));
        assert_eq!(insert("INSERT INTO a VALUES (2)"), deleted);
        assert_eq!(one.begin(), deleted);
    }

    /// Regression: the watcher's checkpoint of a deleted log wrote old pages over what another station had written.
    #[test]
    fn a_deleted_log_is_not_checkpointed() {
        let (folder, file) = empty_file();
        let mut one = SqliteSession::new(file.connect().unwrap(), file.clone()).unwrap();
        one.begin().unwrap();
        one.execute("CREATE TABLE a (b)", &[]).unwrap();
        one.commit().unwrap();
        let mut reader = file.reader().unwrap();
        reader.begin().unwrap();
        reader.end();
        let path = folder.path().join("house.db");
        std::fs::remove_file(folder.path().join("house.db-wal")).unwrap();
        let before = std::fs::read(&path).unwrap();
        assert_eq!(reader.tidy(), Err(Fault::Deleted("house.db-wal".into())));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn what_a_failed_flush_may_have_lost_is_written_into_the_file_before_the_next_transaction() {
        let (folder, file) = empty_file();
        let mut one = SqliteSession::new(file.connect().unwrap(), file.clone()).unwrap();
        one.begin().unwrap();
        one.execute("CREATE TABLE a (b)", &[]).unwrap();
        one.commit().unwrap();
        one.unflushed.store(true, Ordering::Relaxed);
        one.begin().unwrap();
        one.rollback();
        assert!(!one.unflushed.load(Ordering::Relaxed));
        // without the log
        let copy = folder.path().join("copy.db");
        std::fs::copy(folder.path().join("house.db"), &copy).unwrap();
        let copied = rusqlite::Connection::open(&copy).unwrap();
        let count = copied.query_row("SELECT COUNT(*) FROM a", [], |row| row.get(0));
        assert_eq!(count, Ok(0));
    }

    #[test]
    fn a_time_limit_ends_with_its_transaction() {
        let (_folder, file) = empty_file();
        file.lend_connections();
        let long = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) \
                    SELECT COUNT(*) FROM n";
        let mut session = file.session().unwrap();
        for commits in [true, false] {
            session.begin().unwrap();
            session.limit(Some(Duration::ZERO)).unwrap();
            assert_eq!(session.query(long, &[]).err(), Some(Fault::TooLong));
            if commits {
                session.commit().unwrap();
            } else {
                session.rollback();
            }
            // on the connection that the session has lent
            let mut reader = file.reader().unwrap();
            assert_eq!(reader.query(long, &[]).map(|rows| rows[0].int(0)), Ok(5000));
        }
    }

    #[test]
    fn a_single_command_reads_and_writes_on_one_connection_by_turns() {
        let (_folder, file) = empty_file();
        file.lend_connections();
        let (mut reader, mut session) = (file.reader().unwrap(), file.session().unwrap());
        let write = "UPDATE house_schema SET version = version";
        let mut counters = Vec::new();
        for _ in 0..2 {
            session.begin().unwrap();
            counters.push(session.change_counter().unwrap());
            // the session's connection is in use
            reader.begin().unwrap();
            assert!(reader.query(schema::CURRENT, &[]).is_ok());
            assert!(reader.end());
            session.execute(write, &[]).unwrap();
            session.commit().unwrap();
            // the session's connection again, and only to read
            reader.begin().unwrap();
            assert!(reader.query(write, &[]).is_err());
            assert!(reader.end());
        }
        let mut other = SqliteSession::new(file.connect().unwrap(), file.clone()).unwrap();
        other.begin().unwrap();
        counters.push(other.change_counter().unwrap());
        assert_eq!(counters[0], counters[1], "no other connection has committed");
        assert_ne!(counters[1], counters[2], "a counter is of one connection");
    }
}
