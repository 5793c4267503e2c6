//! Errors of opening a database file, each with its own sentence.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::companions::{COMPANIONS, companion};
use super::connection::fault;
use super::mounts;
use crate::store::fault::{Fault, Missing};
use crate::store::schema;

/// Application id of a house file: "WILL".
pub(super) const APPLICATION_ID: i64 = 0x5749_4c4c;

/// Least SQLite version: in older ones two processes that write and checkpoint at once can lose
/// commits.
const SQLITE_LEAST: i32 = 3_051_003;

/// Bytes of a file's header up to the end of its application id.
pub(in crate::store) const MARK_END: usize = 72;

/// Returns whether a header marks a file as a house of this program.
pub(in crate::store) fn is_marked(head: &[u8; MARK_END]) -> bool {
    let mark = u32::try_from(APPLICATION_ID).map(u32::to_be_bytes);
    head.starts_with(b"SQLite format 3\0") && mark.is_ok_and(|mark| head.ends_with(&mark))
}

/// Error of opening a database file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FileError {
    /// The file is missing.
    #[error("there is no house at {0}; make one with: willcall --db {0} init (or look around: willcall demo)")]
    #[strum(serialize = "missing_house")]
    Missing(PathBuf),
    /// The folder is missing.
    #[error("there is no folder {0}; make it, or choose another place with --db")]
    #[strum(serialize = "missing_folder")]
    NoFolder(PathBuf),
    /// The path is a folder.
    #[error("{0} is a folder; name a file in it with --db")]
    IsFolder(PathBuf),
    /// The file or its folder is not writable.
    #[error("{0} may not be written to; give this user the right, or choose another place with --db")]
    Unwritable(PathBuf),
    /// The path is a device, a pipe or the like.
    #[error("{0} is no file but a device or a pipe; name a file with --db")]
    NotAFile(PathBuf),
    /// A file of another user lies beside the house, where everybody may write.
    #[error(
        "{0} was put there by another user, and everybody may write there; remove it, or keep the house in a folder of your own"
    )]
    ForeignFile(PathBuf),
    /// The disk is mounted read-only.
    #[error(
        "{0} lies on a disk that is mounted read-only; have it mounted for writing, or choose another place with --db"
    )]
    ReadOnly(PathBuf),
    /// The file is not a database.
    #[error("{0} is not a willcall house: it is no database at all; choose another file with --db")]
    NotADatabase(PathBuf),
    /// The file is another program's database.
    #[error("{0} is a database of another program; choose another file with --db")]
    #[strum(serialize = "foreign_database")]
    Foreign(PathBuf),
    /// The file is damaged.
    #[error(
        "{path} is damaged ({problem}); keep it as it is, and make the house again from a backup: willcall --db OTHER restore FILE"
    )]
    Damaged {
        /// File.
        path: PathBuf,
        /// Error of the database.
        problem: String,
    },
    /// The tables differ from those that this program creates.
    #[error(
        "{path} has other tables than a willcall makes ({problem}), so nothing in it is trusted; keep it as it is, and make the house again from a backup of your own: willcall --db OTHER restore FILE"
    )]
    #[strum(serialize = "altered_schema")]
    Altered {
        /// File.
        path: PathBuf,
        /// Table, index, trigger or view.
        problem: String,
    },
    /// The file was created by a newer program.
    #[error("{path} was made by a newer willcall (schema {found}, this one knows {known}); update this one")]
    NewerSchema {
        /// File.
        path: PathBuf,
        /// Schema version of the file.
        found: i64,
        /// Newest version known to this program.
        known: i64,
    },
    /// The file is on a network mount, whose locks cannot be trusted.
    #[error("{path} lies on a network mount ({mount}), where a shared file can lose bookings; choose a local disk")]
    NetworkMount {
        /// File.
        path: PathBuf,
        /// Kind of mount.
        mount: String,
    },
    /// The database library has a known defect.
    #[error("this build has SQLite {0}, which can lose commits; 3.51.3 or newer is needed")]
    OldLibrary(String),
    /// The disk is full.
    #[error("the disk of {0} is full; free some space and try again")]
    #[strum(serialize = "disk_full")]
    Full(PathBuf),
    /// Any other problem.
    #[error("{path} cannot be opened: {problem}")]
    #[strum(serialize = "not_openable")]
    Other {
        /// File.
        path: PathBuf,
        /// Error of the database.
        problem: String,
    },
}

impl FileError {
    /// Word for programs.
    pub(in crate::store) fn word(&self) -> &'static str {
        self.into()
    }

    /// Returns whether the machine or its disk is at fault.
    pub(in crate::store) const fn is_outage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Full(_) | Self::Other { .. })
    }

    /// File or folder at fault.
    pub(in crate::store) const fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Missing(path)
            | Self::NoFolder(path)
            | Self::IsFolder(path)
            | Self::Unwritable(path)
            | Self::ReadOnly(path)
            | Self::NotAFile(path)
            | Self::ForeignFile(path)
            | Self::NotADatabase(path)
            | Self::Damaged { path, .. }
            | Self::Foreign(path)
            | Self::Altered { path, .. }
            | Self::NewerSchema { path, .. }
            | Self::NetworkMount { path, .. }
            | Self::Full(path)
            | Self::Other { path, .. } => Some(path),
            Self::OldLibrary(_) => None,
        }
    }
}

pub(super) fn library() -> Result<(), FileError> {
    if rusqlite::version_number() >= SQLITE_LEAST {
        Ok(())
    } else {
        Err(FileError::OldLibrary(rusqlite::version().to_owned()))
    }
}

pub(super) fn place(path: &Path, missing: Missing) -> Result<(), FileError> {
    let folder = folder_of(path);
    if path.is_dir() {
        return Err(FileError::IsFolder(path.to_owned()));
    }
    if missing == Missing::Refuse && !path.exists() {
        return Err(FileError::Missing(path.to_owned()));
    }
    if path.exists() && !path.is_file() {
        return Err(FileError::NotAFile(path.to_owned()));
    }
    if !folder.is_dir() {
        return Err(FileError::NoFolder(folder.to_owned()));
    }
    may_write(folder)?;
    if path.exists() {
        may_write(path)?;
        no_foreign_companion(path, folder)?;
    }
    mounts::network(folder).map_or(Ok(()), |mount| Err(FileError::NetworkMount { path: path.to_owned(), mount }))
}

/// Refuses files of other users beside a house whose folder everybody may write to: they could read its log, or keep
/// its lock.
fn no_foreign_companion(house: &Path, folder: &Path) -> Result<(), FileError> {
    let (Ok(house_file), Ok(folder)) = (house.metadata(), folder.metadata()) else {
        return Ok(());
    };
    let is_foreign = |beside: &PathBuf| {
        let owner = beside.symlink_metadata().map(|file| file.uid());
        owner.is_ok_and(|owner| owner != 0 && owner != house_file.uid())
    };
    let is_open_to_all = folder.mode() & 0o002 != 0;
    let foreign = COMPANIONS.iter().map(|end| companion(house, end)).find(is_foreign);
    foreign.filter(|_| is_open_to_all).map_or(Ok(()), |path| Err(FileError::ForeignFile(path)))
}

fn may_write(place: &Path) -> Result<(), FileError> {
    match rustix::fs::access(place, rustix::fs::Access::WRITE_OK) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::ROFS) => Err(FileError::ReadOnly(place.to_owned())),
        Err(_) => Err(FileError::Unwritable(place.to_owned())),
    }
}

/// Least free space on the disk: the write-ahead log's index alone takes 32 KiB.
const ROOM_LEAST_BYTES: u64 = 64 * 1024;

fn is_full(path: &Path) -> bool {
    rustix::fs::statvfs(folder_of(path))
        .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM_LEAST_BYTES)
}

/// Folder of a file.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Preparation that a file needs before use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preparation {
    /// Nothing.
    Ready,
    /// Application id, schema or write-ahead log.
    Unprepared,
}

/// Checks that a file is a house or empty, and returns the preparation it needs.
pub(super) fn check_file(connection: &Connection, path: &Path, missing: Missing) -> Result<Preparation, FileError> {
    let explain_error = |error| explain(path, fault(error));
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id").map_err(explain_error)?;
    let tables = number("SELECT count(*) FROM sqlite_schema").map_err(explain_error)?;
    if application != APPLICATION_ID {
        return match (tables, missing) {
            (0, Missing::Create) => Ok(Preparation::Unprepared),
            (0, Missing::Refuse) => Err(FileError::Missing(path.to_owned())),
            _ => Err(FileError::Foreign(path.to_owned())),
        };
    }
    let found = number("SELECT version FROM house_schema WHERE id = 1").unwrap_or(0);
    let known = schema::known_version();
    if found > known {
        Err(FileError::NewerSchema { path: path.to_owned(), found, known })
    } else {
        let altered = altered(connection, found).map_err(explain_error)?;
        if let Some(problem) = altered {
            let path = path.to_owned();
            return Err(FileError::Altered { path, problem });
        }
        let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get(0));
        let mode: String = mode.map_err(explain_error)?;
        Ok(if found == known && mode == "wal" { Preparation::Ready } else { Preparation::Unprepared })
    }
}

/// Compares a file's tables and indexes with those of the migrations, and returns the first
/// difference; triggers and views are differences. Nothing of the schema is executed.
fn altered(connection: &Connection, version: i64) -> rusqlite::Result<Option<String>> {
    let mut expected = schema::made_by(version);
    let mut rows = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
        let sql: Option<String> = row.get(2)?;
        let place = expected.iter().position(|made| Some(made) == sql.as_ref());
        if let Some(place) = place {
            expected.swap_remove(place);
        } else if !(name == "sqlite_sequence" || kind == "index" && sql.is_none()) {
            return Ok(Some(format!("{kind} {name}")));
        }
    }
    let missing = expected.first().and_then(|made| made.split('(').next());
    Ok(missing.map(|made| format!("without {}", made.trim().to_lowercase())))
}

pub(super) fn explain(path: &Path, fault: Fault) -> FileError {
    let path = path.to_owned();
    // for lack of space for its shared-memory index SQLite reports an I/O error, if the database is
    // already open
    if fault == Fault::Full || (matches!(fault, Fault::Unreachable(_)) && is_full(&path)) {
        return FileError::Full(path);
    }
    if let Fault::Damaged(problem) = fault {
        return FileError::Damaged { path, problem };
    }
    let problem = if let Fault::Unreachable(said) = fault {
        format!("{said}; check its name, and that this user may write there")
    } else {
        fault.to_string()
    };
    if problem.contains("not a database") { FileError::NotADatabase(path) } else { FileError::Other { path, problem } }
}
