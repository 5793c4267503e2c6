//! Connections with the identity of the files that they have open.
//!
//! SQLite goes on writing to a file that was deleted, exchanged or written over, and so would lose what it
//! acknowledges. The identity of the house's file and of its write-ahead log is noted once and compared around every
//! transaction. Noticed are: a file or log that is gone or another one; a backup or an older state of the file copied
//! over it. Not noticed is a copy whose header is as new as the file's own.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::{Identity, companion, identity, modes};
use crate::store::Fault;

/// The companions that SQLite has open.
const LOG: [&str; 2] = ["-wal", "-shm"];

/// Where a file's header says that it is written ahead, twice, and counts its changes.
const WRITTEN_AHEAD: usize = 18;
const CHANGES: usize = 24;
const HEADER: usize = 28;

/// A house's files: where they are, and which they were when they were opened.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) path: PathBuf,
    /// The path without links: the log lies beside it.
    real: PathBuf,
    identity: Identity,
    opened: Arc<Mutex<Weak<Opened>>>,
}

/// Identities of the files that a process's connections to one house have open.
#[derive(Debug)]
struct Opened {
    log: OnceLock<[Identity; LOG.len()]>,
    /// How many changes the file's header counted at last.
    changes: Mutex<u32>,
    header: Option<Header>,
}

/// A connection, with what it has open.
#[derive(Debug)]
pub(super) struct Attached {
    connection: Connection,
    files: Files,
    opened: Arc<Opened>,
}

impl Files {
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            real: std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            identity: identity(path),
            opened: Arc::default(),
        }
    }

    /// The connections of this process know the same files, as long as one of them is open.
    pub(super) fn attach(&self, connection: Connection) -> Attached {
        let mut known = lock(&self.opened);
        let opened = known.upgrade().unwrap_or_else(|| {
            Arc::new(Opened {
                log: OnceLock::new(),
                changes: Mutex::new(0),
                header: Header::open(&self.real),
            })
        });
        *known = Arc::downgrade(&opened);
        Attached {
            connection,
            files: self.clone(),
            opened,
        }
    }

    /// # Errors
    /// [`Fault::Replaced`] where the file is not the one that was opened.
    pub(super) fn still_there(&self) -> Result<(), Fault> {
        if identity(&self.path) == self.identity {
            Ok(())
        } else {
            Err(Fault::Replaced)
        }
    }

    fn log(&self) -> [Identity; LOG.len()] {
        LOG.map(|end| identity(&companion(&self.real, end)))
    }
}

impl Attached {
    /// Notes the log, which has to be open by now, and compares the files with those that were noted before.
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

    /// Checks the files like [`Self::still_there`], without noting the log before this connection opened it.
    pub(super) fn was_there(&self) -> Result<(), Fault> {
        if self.opened.log.get().is_some() {
            self.still_there()
        } else {
            self.files.still_there()
        }
    }

    /// The cause of a fault, where that is a file that was replaced: a new log beside an old file reads as damage.
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
    /// The last connection to be closed moves its log into the file and deletes it: not when either is another's.
    fn drop(&mut self) {
        if self.was_there().is_err() {
            // there is nobody to be told any more
            let _ = self
                .connection
                .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

impl Opened {
    /// Whether the file's header is one that this house can have come to.
    fn is_as_it_was(&self) -> Result<(), Fault> {
        let Some(header) = self.header.as_ref().and_then(Header::read) else {
            return Ok(());
        };
        let (ahead, changes) = header;
        let mut seen = lock(&self.changes);
        if !ahead || changes < *seen {
            return Err(Fault::Replaced);
        }
        *seen = changes;
        Ok(())
    }
}

/// Descriptors to read headers with. Closing any descriptor of a file drops all locks that its process has on it: each
/// file has one, closed after the last connection.
static HEADERS: Mutex<BTreeMap<(u64, u64), (File, usize)>> = Mutex::new(BTreeMap::new());

/// The header of a file as it is on the disk.
#[derive(Debug)]
struct Header((u64, u64));

impl Header {
    fn open(path: &Path) -> Option<Self> {
        let mut headers = lock(&HEADERS);
        let id = identity(path)?;
        if let Some((_, users)) = headers.get_mut(&id) {
            *users += 1;
        } else {
            headers.insert(id, (File::open(path).ok()?, 1));
        }
        Some(Self(id))
    }

    /// Whether it is written ahead, and how many changes it counts.
    fn read(&self) -> Option<(bool, u32)> {
        let headers = lock(&HEADERS);
        let (file, _) = headers.get(&self.0)?;
        let mut bytes = [0; HEADER];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let changes = bytes.get(CHANGES..)?.try_into().ok()?;
        let ahead = bytes.get(WRITTEN_AHEAD..)?.starts_with(&[2, 2]);
        Some((ahead, u32::from_be_bytes(changes)))
    }
}

impl Drop for Header {
    fn drop(&mut self) {
        let mut headers = lock(&HEADERS);
        if let Some((_, users)) = headers.get_mut(&self.0) {
            *users -= 1;
            if *users == 0 {
                headers.remove(&self.0);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
