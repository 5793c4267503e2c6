//! Connections that check the identity of their files.
//!
//! SQLite keeps writing to a file that was deleted, replaced or overwritten, and would lose
//! acknowledged commits. So the identities of the database file and its write-ahead log are
//! recorded once and compared around every transaction. Detected: a missing or replaced file or
//! log; a backup or an older state copied over the file. Not detected: a copy whose header is as
//! recent as the file's own.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::companions::{Identity, companion, identity};
use super::modes;
use crate::store::fault::Fault;

/// Companion files that SQLite keeps open.
const LOG: [&str; 2] = ["-wal", "-shm"];

/// Offset of the two header bytes that mark a file as in WAL mode; the change count is at
/// `CHANGES`.
const WRITTEN_AHEAD: usize = 18;
const CHANGES: usize = 24;
const HEADER: usize = 28;

/// Bytes read ahead at once.
const READ_AHEAD: usize = 1024 * 1024;

/// Path of a house's file, and its identity when it was opened.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) path: PathBuf,
    /// Path without links: the log is beside this one.
    real: PathBuf,
    identity: Identity,
    opened: Arc<Mutex<Weak<Opened>>>,
}

/// Identities of the files that this process's connections to one house have open.
#[derive(Debug)]
struct Opened {
    log: OnceLock<[Identity; LOG.len()]>,
    /// The log, for flushing it. SQLite holds no locks on the log, so closing this descriptor drops none.
    log_file: OnceLock<Option<File>>,
    /// Last change count of the file's header.
    changes: Mutex<u32>,
    header: Option<Header>,
}

/// Connection with the identities of its open files.
#[derive(Debug)]
pub(super) struct Attached {
    connection: Connection,
    /// Number among the connections of this process, from 1.
    number: i64,
    files: Files,
    opened: Arc<Opened>,
}

/// Number of the newest connection.
static NEWEST: AtomicI64 = AtomicI64::new(0);

impl Files {
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            real: std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            identity: identity(path),
            opened: Arc::default(),
        }
    }

    /// Attaches a connection. All connections of this process share the recorded identities while
    /// one of them is open.
    pub(super) fn attach(&self, connection: Connection) -> Attached {
        let mut known = self.opened.lock();
        let opened = known.upgrade().unwrap_or_else(|| {
            Arc::new(Opened {
                log: OnceLock::new(),
                log_file: OnceLock::new(),
                changes: Mutex::new(0),
                header: Header::open(&self.real),
            })
        });
        *known = Arc::downgrade(&opened);
        Attached { connection, number: NEWEST.fetch_add(1, Ordering::Relaxed) + 1, files: self.clone(), opened }
    }

    /// Checks that the file is the one that was opened.
    ///
    /// # Errors
    /// [`Fault::Replaced`]
    pub(super) fn still_there(&self) -> Result<(), Fault> {
        if identity(&self.path) == self.identity { Ok(()) } else { Err(Fault::Replaced) }
    }

    fn log(&self) -> [Identity; LOG.len()] {
        LOG.map(|end| identity(&companion(&self.real, end)))
    }
}

impl Attached {
    pub(super) const fn number(&self) -> i64 {
        self.number
    }

    /// Records the log, which must be open by now, and compares the files with those recorded
    /// before.
    ///
    /// # Errors
    /// [`Fault::Replaced`]
    pub(super) fn still_there(&self) -> Result<(), Fault> {
        let found = self.files.log();
        let noted = self.opened.log.get_or_init(|| {
            modes::like_house(&self.files.real, &LOG);
            found
        });
        if *noted != found {
            return Err(Fault::Replaced);
        }
        self.opened.is_as_it_was()?;
        self.files.still_there()
    }

    /// Checks the files like [`Self::still_there`], without recording the log before this
    /// connection has opened it.
    pub(super) fn was_there(&self) -> Result<(), Fault> {
        if self.opened.log.get().is_some() { self.still_there() } else { self.files.still_there() }
    }

    /// Flush of the log to disk; false if it fails.
    pub(super) fn flush_log(&self) -> impl FnOnce() -> bool + Send + 'static {
        let [end, _] = LOG;
        let (opened, path) = (Arc::clone(&self.opened), companion(&self.files.real, end));
        move || {
            let log = opened.log_file.get_or_init(|| File::open(path).ok());
            log.as_ref().is_some_and(|log| log.sync_data().is_ok())
        }
    }

    /// Reads the whole file in order, so that the system has its pages in memory when SQLite asks for them in the order
    /// of its tables: most disks read them many times faster in the order of the file.
    pub(super) fn read_ahead(&self) {
        let mut block = vec![0; READ_AHEAD];
        let mut read_at = |at| self.opened.header.as_ref()?.read_at(&mut block, at);
        let mut at = 0;
        while let Some(read @ 1..) = read_at(at) {
            at += u64::try_from(read).unwrap_or_default();
        }
    }

    /// Replaces a fault by [`Fault::Replaced`] if that is its cause: a new log beside an old file
    /// reads as damage.
    pub(super) fn explain(&self, fault: Fault) -> Fault {
        self.was_there().err().unwrap_or(fault)
    }
}

impl Deref for Attached {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Attached {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Drop for Attached {
    /// Skips the final checkpoint if the file or its log was replaced: the last connection to close
    /// would write its log into the wrong file and delete it.
    fn drop(&mut self) {
        if self.was_there().is_err() {
            // a failure here has no caller to report to
            let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

impl Opened {
    /// Checks that the file's header is a possible successor of the last one.
    fn is_as_it_was(&self) -> Result<(), Fault> {
        let Some(header) = self.header.as_ref().and_then(Header::read) else {
            return Ok(());
        };
        let (ahead, changes) = header;
        let mut seen = self.changes.lock();
        if !ahead || changes < *seen {
            return Err(Fault::Replaced);
        }
        *seen = changes;
        Ok(())
    }
}

/// File descriptors for reading headers. Closing any descriptor of a file drops all locks of this
/// process on it, so each file has one, closed after the last connection.
static HEADERS: Mutex<BTreeMap<(u64, u64), (File, usize)>> = Mutex::new(BTreeMap::new());

/// Header of a file on disk.
#[derive(Debug)]
struct Header((u64, u64));

impl Header {
    fn open(path: &Path) -> Option<Self> {
        let mut headers = HEADERS.lock();
        let id = identity(path)?;
        if let Some((_, users)) = headers.get_mut(&id) {
            *users += 1;
        } else {
            headers.insert(id, (File::open(path).ok()?, 1));
        }
        Some(Self(id))
    }

    /// Reads bytes of the file; returns their number.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> Option<usize> {
        let headers = HEADERS.lock();
        let (file, _) = headers.get(&self.0)?;
        file.read_at(bytes, at).ok()
    }

    /// Reads whether the file is in WAL mode, and its change count.
    fn read(&self) -> Option<(bool, u32)> {
        let mut bytes = [0; HEADER];
        self.read_at(&mut bytes, 0).filter(|read| *read == HEADER)?;
        let changes = bytes.get(CHANGES..)?.try_into().ok()?;
        let ahead = bytes.get(WRITTEN_AHEAD..)?.starts_with(&[2, 2]);
        Some((ahead, u32::from_be_bytes(changes)))
    }
}

impl Drop for Header {
    fn drop(&mut self) {
        let mut headers = HEADERS.lock();
        if let Some((_, users)) = headers.get_mut(&self.0) {
            *users -= 1;
            if *users == 0 {
                headers.remove(&self.0);
            }
        }
    }
}
