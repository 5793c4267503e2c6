//! Embedded database, shared by the stations of one machine.
//!
//! Safety rules: `BEGIN IMMEDIATE` always; WAL, flushed by the session at the end of each commit, before it is
//! acknowledged; a library version without the lost-commit defect; no network mounts; a full disk ends the whole batch;
//! processes take turns by a fair turnstile around each commit.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;

use crate::store::fault::{Fault, Missing};
use crate::store::port::{Database, Reader, Session};

mod attached;
mod backup;
mod checks;
mod companions;
mod connection;
mod modes;
mod mounts;
mod reader;
mod session;
mod turnstile;

use attached::{Attached, Files, Header};
pub use backup::copy_file;
pub use checks::FileError;
use checks::Preparation;
pub use checks::folder_of;
pub(super) use checks::{MARK_END, is_marked};
pub(super) use companions::identity;
pub use companions::{COMPANIONS, companion};
use connection::{connect, connect_alone, data_version, query_only};
pub use modes::{make as make_file, share};
pub(super) use mounts::network as network_mount;
pub use reader::SqliteReader;
pub use session::SqliteSession;

/// House in an SQLite file.
#[derive(Clone, Debug)]
pub struct SqliteFile {
    files: Files,
    /// Connection that nobody uses: the one that checked the file at opening, or one that is lent.
    idle: Arc<Mutex<Option<Attached>>>,
    /// Sessions and readers lend one another their connections.
    lends: Arc<AtomicBool>,
    /// The disk has no room for the shared-memory index: one connection at a time reads, and none
    /// writes.
    no_room: bool,
}

impl SqliteFile {
    /// Opens or creates a house, and migrates its schema. A house that needs no preparation is only
    /// read: no turn is waited for, and no file is created but the write-ahead log's.
    ///
    /// # Errors
    /// Every problem with a file, as [`FileError`].
    pub fn open(path: &Path, missing: Missing) -> Result<Self, FileError> {
        checks::library()?;
        checks::place(path, missing)?;
        let explain = |fault| checks::explain(path, fault);
        // until the file's connections have one of their own
        let _header = Header::of_unread(path).map_err(explain)?;
        // before anything is created beside it
        let look = |connection: Result<Connection, Fault>| {
            let connection = connection.map_err(explain)?;
            checks::check_file(&connection, path, missing).map(|found| (connection, found))
        };
        let (no_room, looked) = match look(connect(path, missing)) {
            Err(FileError::Full(_)) => (true, look(connect_alone(path))),
            looked => (false, looked),
        };
        let (connection, found) = looked?;
        let files = Files::of(path).map_err(explain)?;
        let file = Self { idle: Arc::default(), lends: Arc::default(), no_room, files };
        let connection = file.files.attach(connection);
        match found {
            Preparation::Ready => {
                query_only(&connection, true).map_err(explain)?;
                connection.still_there().map_err(explain)?;
                *file.idle() = Some(connection);
            }
            Preparation::Unprepared => {
                let mut session = SqliteSession::new(connection, file.clone()).map_err(explain)?;
                session.prepare_file().map_err(explain)?;
            }
        }
        Ok(file)
    }

    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.files.path
    }

    fn idle(&self) -> MutexGuard<'_, Option<Attached>> {
        self.idle.lock()
    }

    fn connect(&self) -> Result<Attached, Fault> {
        self.files.still_there()?;
        let connection = connect(&self.files.path, Missing::Refuse)?;
        Ok(self.files.attach(connection))
    }

    fn connect_to_read(&self) -> Result<Attached, Fault> {
        if let Some(idle) = self.idle().take() {
            query_only(&idle, true)?;
            return Ok(idle);
        }
        let connection =
            if self.no_room { self.files.attach(connect_alone(&self.files.path)?) } else { self.connect()? };
        query_only(&connection, true)?;
        // opens the log
        data_version(&connection).map_err(|fault| connection.explain(fault))?;
        connection.still_there()?;
        Ok(connection)
    }

    fn connect_to_write(&self) -> Result<Attached, Fault> {
        let idle = self.lends().then(|| self.idle().take()).flatten();
        let Some(connection) = idle else {
            return self.connect();
        };
        query_only(&connection, false)?;
        Ok(connection)
    }

    fn lends(&self) -> bool {
        self.lends.load(Ordering::Relaxed)
    }

    /// Takes a connection back between two transactions, if it is lent to others.
    fn take_back(&self, connection: &mut Option<Attached>) {
        if self.lends()
            && let Some(free) = connection.take_if(|connection| connection.is_autocommit())
        {
            *self.idle() = Some(free);
        }
    }
}

impl Database for SqliteFile {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        if self.no_room {
            return Err(Fault::Full);
        }
        let connection = self.connect_to_write()?;
        Ok(Box::new(SqliteSession::new(connection, self.clone())?))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        let connection = Some(self.connect_to_read()?);
        let file = self.clone();
        Ok(Box::new(SqliteReader { connection, file }))
    }

    fn scrub(&self) -> Result<(), Fault> {
        SqliteSession::new(self.connect()?, self.clone())?.scrub()
    }

    fn lend_connections(&self) {
        self.lends.store(true, Ordering::Relaxed);
    }
}
