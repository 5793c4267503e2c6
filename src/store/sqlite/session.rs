//! The connection that writes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::stream::Stream;
use super::turnstile::{Turn, Turnstile};
use super::{
    APPLICATION_ID, Identity, LIMIT_STEPS, connect, connect_to_read, data_version, execute, fault,
    identity, query,
};
use crate::store::dialect::Dialect;
use crate::store::{Fault, Missing, Row, Rows, Session, Sql, Value, schema};

/// A connection that writes, one transaction at a time, taking turns with other processes.
#[derive(Debug)]
pub struct SqliteSession {
    stream: Stream,
    path: PathBuf,
    /// The file that was opened first under this path.
    identity: Identity,
    turnstile: Turnstile,
    turn: Option<Turn>,
    /// Reads what was committed while writes are on their way.
    beside: Option<Connection>,
    /// Whether a time limit holds, which is kept on the thread that asked for it.
    limited: bool,
}

impl SqliteSession {
    /// On a connection that is open.
    ///
    /// # Errors
    /// The files of the turnstile cannot be made.
    pub(super) fn new(
        connection: Connection,
        path: PathBuf,
        identity: Identity,
    ) -> Result<Self, Fault> {
        Ok(Self {
            stream: Stream::new(connection),
            turnstile: Turnstile::open(&path)?,
            path,
            identity,
            turn: None,
            beside: None,
            limited: false,
        })
    }

    /// The connection as it is.
    pub(super) fn connection(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.stream.connection()
    }

    /// Makes the file write ahead, brings its schema up to date, and marks whose it is.
    ///
    /// # Errors
    /// A fault of the database.
    pub(super) fn prepare_file(&mut self) -> Result<(), Fault> {
        let mode: String = self
            .connection()
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(fault)?;
        if mode != "wal" {
            return Err(Fault::Broken(format!(
                "it cannot be written ahead here (journal mode {mode}); choose a local disk"
            )));
        }
        self.turn = Some(self.turnstile.enter()?);
        execute(&self.connection(), "BEGIN IMMEDIATE", &[])?;
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

    fn application(&self) -> Result<i64, Fault> {
        self.connection()
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(fault)
    }

    /// Writes whose file it is; a write also when it was written before.
    fn mark(&self) -> Result<(), Fault> {
        self.connection()
            .pragma_update(None, "application_id", APPLICATION_ID)
            .map_err(fault)
    }
}

impl Sql for SqliteSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(&*self.stream.settled()?, sql, params)
    }
}

impl Session for SqliteSession {
    fn begin(&mut self) -> Result<(), Fault> {
        if identity(&self.path) != self.identity {
            return Err(Fault::Replaced);
        }
        self.turn = Some(self.turnstile.enter()?);
        let begun = execute(&self.connection(), "BEGIN IMMEDIATE", &[]);
        let begun = begun.and_then(|_| schema::current(self));
        match begun {
            Ok(version) if version <= schema::known_version() => Ok(()),
            Ok(_) => {
                self.rollback();
                Err(Fault::NewerSchema)
            }
            Err(error) => {
                self.rollback();
                Err(error)
            }
        }
    }

    fn commit(&mut self) -> Result<(), Fault> {
        let written = self.stream.settled().map(|_| ());
        let committed = written.and_then(|()| execute(&self.connection(), "COMMIT", &[]));
        if committed.is_err() && !(self.stream.is_well() && self.connection().is_autocommit()) {
            // refused, or not asked for: nothing was stored
            self.rollback();
            return Err(committed.err().unwrap_or(Fault::Unsure));
        }
        self.turn = None;
        committed.map(|_| ()).map_err(|error| {
            if error == Fault::Full {
                Fault::Full
            } else {
                Fault::Unsure
            }
        })
    }

    fn rollback(&mut self) {
        self.stream.forget();
        let connection = self.stream.connection();
        if !connection.is_autocommit() {
            // a failed rollback leaves a connection that the next BEGIN refuses
            let _ = execute(&connection, "ROLLBACK", &[]);
        }
        drop(connection);
        self.turn = None;
    }

    fn pulse(&mut self) -> Result<i64, Fault> {
        data_version(&*self.stream.settled()?)
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        let look = limit.map(|limit| {
            let until = Instant::now() + limit;
            move || Instant::now() > until
        });
        self.limited = look.is_some();
        self.stream
            .settled()?
            .progress_handler(LIMIT_STEPS, look)
            .map_err(fault)
    }

    fn is_open(&self) -> bool {
        // while writes are on their way the transaction stands unless one of them says otherwise
        self.stream.is_well() && (self.stream.is_under_way() || !self.connection().is_autocommit())
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.turn = None;
        self.beside = None;
        self.stream.replace(connect(&self.path, Missing::Refuse)?);
        self.begin()?;
        self.mark()?;
        self.commit()
    }

    /// While writes are on their way nobody waits for them to read what they do not touch: nobody else commits, so a
    /// connection beside this one reads what this one would.
    fn look_up(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        if self.limited || self.stream.is_idle() {
            return self.query(sql, params);
        }
        let beside = match self.beside.take() {
            Some(beside) => beside,
            None => connect_to_read(&self.path)?,
        };
        query(self.beside.insert(beside), sql, params)
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        execute(&*self.stream.settled()?, sql, params)
    }

    fn write(&mut self, sql: &str, params: &[Value<'_>], rows: Rows) -> Result<bool, Fault> {
        if self.limited {
            let changed = self.execute(sql, params)?;
            return Ok(rows == Rows::Any || changed == 1);
        }
        self.stream.write(sql, params, rows).map(|()| true)
    }
}
