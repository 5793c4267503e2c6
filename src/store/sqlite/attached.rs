//! Connections that check the identity of their files.
//!
//! SQLite keeps writing to a file that was deleted, replaced or overwritten, and would lose
//! acknowledged commits. So the identities of the database file and its write-ahead log are
//! recorded once and compared around every transaction. Detected: a missing or replaced file or
//! log; a backup or an older state copied over the file. Not detected: a copy whose header is as
//! recent as the file's own.
//!
//! # Invariants
//! - A healthy house is never called another: what one connection found is noted before another looks, and a difference
//!   counts when it is found twice.
//! - SQLite never reads a backup that was copied beside the log of the house before: it would write that log into it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

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

/// Pause before the second look at files that have changed.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Bytes read ahead at once.
const READ_AHEAD: usize = 1024 * 1024;

/// Path of a house's file, and its identity when it was opened.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) path: PathBuf,
    /// Path without links: the log is beside this one.
    real: PathBuf,
    identity: Identity,
    opened: Arc<Mutex<Option<Known>>>,
}

/// Files shared by the open connections, and the number of connections.
type Known = (Arc<OpenFiles>, usize);

/// Identities of the files that this process's connections to one house have open.
#[derive(Debug)]
struct OpenFiles {
    log: OnceLock<[Option<Identity>; LOG.len()]>,
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
    opened: Arc<OpenFiles>,
}

/// Number of the newest connection.
static NEWEST: AtomicI64 = AtomicI64::new(0);

impl Files {
    /// Notes a file that SQLite has opened.
    ///
    /// # Errors
    /// [`Fault::Deleted`], or the file cannot be looked at.
    pub(super) fn of(path: &Path) -> Result<Self, Fault> {
        Ok(Self {
            path: path.to_owned(),
            real: std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            identity: found(path)?.ok_or_else(|| Fault::Deleted(name_of(path)))?,
            opened: Arc::default(),
        })
    }

    /// Attaches a connection. All connections of this process share the recorded identities while
    /// one of them is open.
    pub(super) fn attach(&self, connection: Connection) -> Attached {
        let mut known = self.opened.lock();
        let (opened, connections) = known.get_or_insert_with(|| {
            let opened = OpenFiles {
                log: OnceLock::new(),
                log_file: OnceLock::new(),
                changes: Mutex::new(0),
                header: Header::open(&self.real),
            };
            (Arc::new(opened), 0)
        });
        *connections += 1;
        let number = NEWEST.fetch_add(1, Ordering::Relaxed) + 1;
        Attached { connection, number, files: self.clone(), opened: Arc::clone(opened) }
    }

    /// Checks that the file is the one that was opened, and so is the log once it is recorded: a connection would make
    /// a missing one anew.
    ///
    /// # Errors
    /// [`Fault::Deleted`], [`Fault::Replaced`], or the files cannot be looked at.
    pub(super) fn still_there(&self) -> Result<(), Fault> {
        twice(|| self.look())
    }

    fn look(&self) -> Result<(), Fault> {
        same(&self.path, Some(self.identity))?;
        let opened = self.opened.lock().as_ref().map(|(opened, _)| Arc::clone(opened));
        let noted = opened.as_ref().and_then(|opened| opened.log.get());
        noted.into_iter().flatten().zip(self.log()).try_for_each(|(noted, path)| same(&path, *noted))
    }

    fn log(&self) -> [PathBuf; LOG.len()] {
        LOG.map(|end| companion(&self.real, end))
    }
}

/// Looks again before a difference counts.
fn twice(look: impl Fn() -> Result<(), Fault>) -> Result<(), Fault> {
    look().or_else(|_| {
        std::thread::sleep(LOOK_AGAIN);
        look()
    })
}

/// Compares a file with the one that was there before.
fn same(path: &Path, noted: Option<Identity>) -> Result<(), Fault> {
    match found(path)? {
        found if found == noted => Ok(()),
        None => Err(Fault::Deleted(name_of(path))),
        Some(_) => Err(Fault::Replaced(name_of(path))),
    }
}

fn found(path: &Path) -> Result<Option<Identity>, Fault> {
    match identity(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::Unreachable(format!("{}: {error}", path.display()))),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Attached {
    pub(super) const fn number(&self) -> i64 {
        self.number
    }

    /// Records the log, which must be open by now, and compares the files with those recorded
    /// before.
    ///
    /// # Errors
    /// [`Fault::Deleted`], [`Fault::Replaced`], [`Fault::Overwritten`], or the files cannot be looked at.
    pub(super) fn still_there(&self) -> Result<(), Fault> {
        twice(|| {
            self.note_log()?;
            self.files.look()?;
            self.opened.is_as_it_was(&self.files.real)
        })
    }

    /// Checks the files like [`Self::still_there`], without recording the log before this
    /// connection has opened it.
    pub(super) fn was_there(&self) -> Result<(), Fault> {
        if self.opened.log.get().is_some() { self.still_there() } else { self.files.still_there() }
    }

    fn note_log(&self) -> Result<(), Fault> {
        if self.opened.log.get().is_none() {
            let [log, index] = self.files.log().map(|path| found(&path));
            let found = [log?, index?];
            self.opened.log.get_or_init(|| {
                modes::like_house(&self.files.real, &LOG);
                found
            });
        }
        Ok(())
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

    /// Replaces a fault by what became of the files, if that is its cause: a new log beside an old
    /// file reads as damage.
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
        // before it closes: the last one deletes its log, and whoever opens meanwhile has another
        let mut known = self.files.opened.lock();
        *known = known.take().map(|(opened, connections)| (opened, connections - 1)).filter(|(_, left)| *left > 0);
    }
}

impl OpenFiles {
    /// Checks that the file's header is a possible successor of the last one.
    fn is_as_it_was(&self, path: &Path) -> Result<(), Fault> {
        // before it is read: else another connection may note a later header first
        let mut seen = self.changes.lock();
        let Some((ahead, changes)) = self.header.as_ref().and_then(Header::read) else {
            return Ok(());
        };
        if !ahead || changes < *seen {
            return Err(Fault::Overwritten(name_of(path)));
        }
        *seen = changes;
        Ok(())
    }
}

/// File descriptors for reading headers. Closing any descriptor of a file drops all locks of this
/// process on it, so each file has one, closed after the last connection.
static HEADERS: Mutex<BTreeMap<Identity, (File, usize)>> = Mutex::new(BTreeMap::new());

/// Header of a file on disk.
#[derive(Debug)]
pub(super) struct Header(Identity);

impl Header {
    /// Opens the header before SQLite reads the file; to be kept as long as the first connection.
    ///
    /// # Errors
    /// [`Fault::Overwritten`]
    pub(super) fn of_unread(path: &Path) -> Result<Option<Self>, Fault> {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        // asked first: another process may be turning the file to write-ahead
        let has_log = companion(&real, "-wal").exists();
        let header = Self::open(&real);
        match header.as_ref().and_then(Self::read) {
            Some((false, _)) if has_log => Err(Fault::Overwritten(name_of(&real))),
            _ => Ok(header),
        }
    }

    fn open(path: &Path) -> Option<Self> {
        let mut headers = HEADERS.lock();
        let id = identity(path).ok()?;
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
        #[cfg(test)]
        tests::hold_up();
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::store::fault::Missing;
    use crate::store::port::Database;
    use crate::store::sqlite::SqliteFile;
    use crate::store::sqlite::connection::connect;

    thread_local! {
        /// Pause behind each header that this thread reads, as on a busy machine.
        static HELD_UP: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    pub(super) fn hold_up() {
        std::thread::sleep(HELD_UP.get());
    }

    fn empty_file() -> (tempfile::TempDir, SqliteFile) {
        crate::limit::step();
        let folder = tempfile::tempdir().unwrap();
        let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
        (folder, file)
    }

    #[test]
    fn a_look_that_is_held_up_during_a_checkpoint_calls_nobody_another() {
        let (_folder, file) = empty_file();
        // one that commits again and again counts its changes once
        let writers = [(), ()].map(|()| connect(file.path(), Missing::Refuse).unwrap());
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let looks = [Duration::from_millis(2), Duration::ZERO].map(|pause| {
                let (file, is_over) = (&file, &is_over);
                scope.spawn(move || {
                    HELD_UP.set(pause);
                    let connection = file.connect_to_read()?;
                    while !is_over.load(Ordering::Relaxed) {
                        connection.still_there()?;
                    }
                    Ok(())
                })
            });
            let changed: rusqlite::Result<()> = (0..200_u8).try_for_each(|number| {
                let writer = &writers[usize::from(number % 2)];
                writer.pragma_update(None, "user_version", number)?;
                writer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
            });
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(changed, Ok(()));
            for look in looks {
                assert_eq!(look.join().unwrap(), Ok::<(), Fault>(()));
            }
        });
    }

    #[test]
    fn a_connection_that_opens_while_the_last_one_closes_calls_nobody_another() {
        let (folder, file) = empty_file();
        let last = file.connect_to_read().unwrap();
        // as of a thread that is held up behind its close
        let _closing = Arc::clone(&last.opened);
        drop(last);
        // the next log is another file, also where a number that is free is used again at once
        for name in ["one", "other"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(file.connect_to_read().unwrap().still_there(), Ok(()));
    }

    #[test]
    fn a_file_that_cannot_be_looked_at_is_not_called_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let [house, aside] = ["house", "aside"].map(|name| folder.path().join(name));
        std::fs::create_dir(&house).unwrap();
        let file = SqliteFile::open(&house.join("house.db"), Missing::Create).unwrap();
        let mut reader = file.reader().unwrap();
        std::fs::rename(&house, &aside).unwrap();
        assert_eq!(reader.begin(), Err(Fault::Deleted("house.db".into())));
        std::fs::write(&house, "").unwrap();
        let told = reader.begin().unwrap_err();
        assert!(matches!(&told, Fault::Unreachable(said) if said.contains("Not a directory")), "{told}");
        std::fs::remove_file(&house).unwrap();
        std::fs::rename(&aside, &house).unwrap();
        assert_eq!(reader.begin(), Ok(()));
    }
}
