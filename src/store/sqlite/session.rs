//! The connection that writes.

use std::time::{Duration, Instant};

use super::attached::Attached;
use super::stream::Stream;
use super::writing::Writing;
use super::{APPLICATION_ID, LIMIT_STEPS, SqliteFile, execute, fault, query};
use crate::store::dialect::Dialect;
use crate::store::{Committing, Fault, Row, Rows, Session, Sql, Value, schema};

/// A connection that writes, one transaction at a time, taking turns with other processes.
#[derive(Debug)]
pub struct SqliteSession {
    stream: Stream,
    file: SqliteFile,
    /// Reads what was committed while writes are on their way.
    beside: Option<Attached>,
    /// The pulse at which the schema was known to be one of ours: only another connection can have changed it since.
    schema_known: Option<i64>,
    /// Whether a time limit holds, which is kept on the thread that asked for it.
    limited: bool,
}

impl SqliteSession {
    /// On a connection that is open.
    ///
    /// # Errors
    /// The files of the turnstile cannot be made.
    pub(super) fn new(connection: Attached, file: SqliteFile) -> Result<Self, Fault> {
        Ok(Self {
            stream: Stream::new(Writing::new(connection, file.path())?),
            file,
            beside: None,
            schema_known: None,
            limited: false,
        })
    }

    /// The connection as it is.
    pub(super) fn writing(&self) -> std::sync::MutexGuard<'_, Writing> {
        self.stream.writing()
    }

    /// Makes the file write ahead, brings its schema up to date, and marks whose it is.
    ///
    /// # Errors
    /// A fault of the database.
    pub(super) fn prepare_file(&mut self) -> Result<(), Fault> {
        let mode: String = self
            .writing()
            .connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(fault)?;
        if mode != "wal" {
            return Err(Fault::Broken(format!(
                "it cannot be written ahead here (journal mode {mode}); choose a local disk"
            )));
        }
        self.stream.begin()?;
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
        self.writing()
            .connection
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(fault)
    }

    /// Writes whose file it is; a write also when it was written before.
    fn mark(&self) -> Result<(), Fault> {
        self.writing()
            .connection
            .pragma_update(None, "application_id", APPLICATION_ID)
            .map_err(fault)
    }
}

impl Sql for SqliteSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        query(&self.stream.settled()?.connection, sql, params)
    }
}

impl Session for SqliteSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.stream.begin()?;
        let pulse = Some(self.writing().pulse());
        if self.schema_known == pulse {
            return Ok(());
        }
        let known = schema::current(self).and_then(schema::known);
        if known.is_ok() {
            self.schema_known = pulse;
        } else {
            self.rollback();
        }
        known
    }

    fn commit(&mut self) -> Result<(), Fault> {
        if let Err(fault) = self.stream.settle() {
            self.rollback();
            return Err(fault);
        }
        self.stream.writing().commit()
    }

    fn commit_beside(&mut self) -> Option<Committing> {
        if self.limited {
            return None;
        }
        self.stream.commit_beside()
    }

    fn rollback(&mut self) {
        self.stream.forget();
        self.stream.writing().rollback();
    }

    fn pulse(&mut self) -> Result<i64, Fault> {
        Ok(self.stream.settled()?.pulse())
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        let look = limit.map(|limit| {
            let until = Instant::now() + limit;
            move || Instant::now() > until
        });
        self.limited = look.is_some();
        self.stream
            .settled()?
            .connection
            .progress_handler(LIMIT_STEPS, look)
            .map_err(fault)
    }

    fn is_open(&self) -> bool {
        // while writes are on their way the transaction stands unless one of them says otherwise
        self.stream.is_well()
            && (self.stream.is_under_way() || !self.writing().connection.is_autocommit())
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.beside = None;
        self.schema_known = None;
        self.writing().connection.was_there()?;
        let connection = self.file.connect()?;
        self.stream.replace(connection);
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
            None => self.file.connect_to_read()?,
        };
        query(self.beside.insert(beside), sql, params)
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        execute(&self.stream.settled()?.connection, sql, params)
    }

    fn write(&mut self, sql: &str, params: &[Value<'_>], rows: Rows) -> Result<bool, Fault> {
        if self.limited {
            let changed = self.execute(sql, params)?;
            return Ok(rows == Rows::Any || changed == 1);
        }
        self.stream.write(sql, params, rows).map(|()| true)
    }
}
