//! Embedded database, shared by the stations of one machine.
//!
//! Safety rules: `BEGIN IMMEDIATE` always; WAL with `synchronous=FULL`, read back; a library
//! version without the lost-commit defect; no network mounts; a full disk ends the whole batch;
//! processes take turns by a fair turnstile around each commit.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use crate::store::fault::{Fault, Missing};
use crate::store::port::{Database, Reader, Session};
use crate::store::trace;
use crate::store::value::{Row, Value};

mod archive;
mod attached;
mod backup;
mod checks;
mod modes;
mod mounts;
mod reader;
mod session;
mod turnstile;

pub use archive::ArchiveFile;
use attached::{Attached, Files};
pub use backup::copy_file;
pub use checks::FileError;
use checks::Found;
pub use checks::folder_of;
pub use modes::{make as make_file, share};
pub(super) use mounts::network as network_mount;
pub use reader::SqliteReader;
pub use session::SqliteSession;

/// Application id of a house file: "WILL".
const APPLICATION_ID: i64 = 0x5749_4c4c;

/// File name suffixes of a house: the file itself, and the files that SQLite and the turnstile keep
/// beside it.
pub const COMPANIONS: [&str; 6] = ["", "-wal", "-shm", "-journal", "-queue", "-turn"];

/// Bytes of a file's header up to the end of its application id.
pub(super) const MARK_END: usize = 72;

/// Returns whether a header marks a file as a house of this program.
pub(super) fn is_marked(head: &[u8; MARK_END]) -> bool {
    let mark = u32::try_from(APPLICATION_ID).map(u32::to_be_bytes);
    head.starts_with(b"SQLite format 3\0") && mark.is_ok_and(|mark| head.ends_with(&mark))
}

/// Path of a companion file of a house.
#[must_use]
pub fn companion(house: &Path, end: &str) -> PathBuf {
    let mut name = house.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Least SQLite version: in older ones two processes that write and checkpoint at once can lose
/// commits.
const SQLITE_LEAST: i32 = 3_051_003;

/// Prepared statements cached per connection.
const STATEMENTS_KEPT: usize = 128;

/// Page cache per connection, in KiB.
const CACHE_KIB: i64 = 65_536;

/// Log pages after which the writer checkpoints.
const CHECKPOINT_PAGES: i64 = 16_000;

/// Most polls of a waiting connection: about ten seconds.
const BUSY_LOOKS_MAX: i32 = 30_000;

/// Interval of checks of the time limit, in virtual machine steps: some microseconds.
const LIMIT_STEPS: i32 = 1000;

/// House in an SQLite file.
#[derive(Clone, Debug)]
pub struct SqliteFile {
    files: Files,
    /// Connection that checked the file at opening; the first reader takes it.
    first: Arc<Mutex<Option<Attached>>>,
    /// The disk has no room for the shared-memory index: one connection at a time reads, and none
    /// writes.
    no_room: bool,
}

/// Device and inode of a file. A deleted or replaced file stays writable for those who have it
/// open, and is lost with the last of them.
pub(super) type Identity = Option<(u64, u64)>;

pub(super) fn identity(path: &Path) -> Identity {
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
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
        let files = Files::of(path);
        let file = Self {
            first: Arc::default(),
            no_room,
            files,
        };
        let connection = file.files.attach(connection);
        match found {
            Found::Ready => {
                read_only(&connection).map_err(explain)?;
                connection.still_there().map_err(explain)?;
                *file.first() = Some(connection);
            }
            Found::Unprepared => {
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

    fn first(&self) -> MutexGuard<'_, Option<Attached>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(&self) -> Result<Attached, Fault> {
        self.files.still_there()?;
        let connection = connect(&self.files.path, Missing::Refuse)?;
        Ok(self.files.attach(connection))
    }

    fn connect_to_read(&self) -> Result<Attached, Fault> {
        if let Some(first) = self.first().take() {
            return Ok(first);
        }
        let connection = if self.no_room {
            self.files.attach(connect_alone(&self.files.path)?)
        } else {
            self.connect()?
        };
        read_only(&connection)?;
        // opens the log
        data_version(&connection).map_err(|fault| connection.explain(fault))?;
        connection.still_there()?;
        Ok(connection)
    }
}

impl Database for SqliteFile {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        if self.no_room {
            return Err(Fault::Full);
        }
        Ok(Box::new(SqliteSession::new(self.connect()?, self.clone())?))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        let connection = self.connect_to_read()?;
        Ok(Box::new(SqliteReader { connection }))
    }
}

fn read_only(connection: &Connection) -> Result<(), Fault> {
    connection
        .pragma_update(None, "query_only", true)
        .map_err(fault)
}

/// Opens an exclusive connection, which keeps the shared-memory index in its own memory.
fn connect_alone(path: &Path) -> Result<Connection, Fault> {
    let connection = open(path, Missing::Refuse)?;
    // must precede the first read
    connection
        .pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))
        .map_err(fault)?;
    durable(connection)
}

fn connect(path: &Path, missing: Missing) -> Result<Connection, Fault> {
    durable(open(path, missing)?)
}

fn open(path: &Path, missing: Missing) -> Result<Connection, Fault> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, missing == Missing::Create);
    if missing == Missing::Create && !path.exists() {
        modes::make(path).map_err(|error| Fault::Unreachable(error.to_string()))?;
    }
    // prevents special names such as `:memory:` or `file:x`
    let named = Path::new(".").join(path);
    let mut connection = Connection::open_with_flags(named, flags).map_err(fault)?;
    // a file from elsewhere is not trusted
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(setting, value).map_err(fault)?;
    }
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection.busy_handler(Some(look_again)).map_err(fault)?;
    Ok(connection)
}

/// Makes each commit flush to disk.
fn durable(connection: Connection) -> Result<Connection, Fault> {
    connection
        .pragma_update(None, "synchronous", "FULL")
        .map_err(fault)?;
    connection
        .pragma_update(None, "cache_size", -CACHE_KIB)
        .map_err(fault)?;
    connection
        .pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
        .map_err(fault)?;
    let synchronous: i64 = connection
        .pragma_query_value(None, "synchronous", |row| row.get(0))
        .map_err(fault)?;
    if synchronous == 2 {
        Ok(connection)
    } else {
        Err(Fault::Broken(
            "the database does not keep its promise to flush each commit".into(),
        ))
    }
}

/// Sleeps 100-500 us with jitter; the built-in handler's growing sleeps starve the longest waiter.
fn look_again(looks: i32) -> bool {
    let jitter = u64::from(looks.unsigned_abs()).wrapping_mul(2_654_435_761) % 400;
    std::thread::sleep(Duration::from_micros(100 + jitter));
    looks < BUSY_LOOKS_MAX
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what map_err hands over"
)]
fn fault(error: rusqlite::Error) -> Fault {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Fault::Full,
        Some(ErrorCode::OperationInterrupted) => Fault::TooLong,
        Some(ErrorCode::DatabaseCorrupt) => Fault::Damaged(error.to_string()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy,
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure,
        ) => Fault::Unreachable(error.to_string()),
        _ => Fault::Broken(error.to_string()),
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// Binds `$1..$n`. SQLite numbers such names by first appearance, so the text has to use them in
/// order.
fn bind(
    statement: &mut rusqlite::CachedStatement<'_>,
    params: &[Value<'_>],
) -> rusqlite::Result<()> {
    debug_assert!(
        (1..=statement.parameter_count())
            .all(|place| statement.parameter_name(place) == Some(&format!("${place}"))),
        "parameters appear out of order"
    );
    for (place, value) in (1..).zip(params) {
        statement.raw_bind_parameter(place, value)?;
    }
    Ok(())
}

fn query(connection: &Connection, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
    let run = || -> rusqlite::Result<Vec<Row>> {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        let columns = statement.column_count();
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |column| {
                Ok(match row.get_ref(column)? {
                    ValueRef::Integer(number) => Value::Int(number),
                    ValueRef::Text(text) => Value::from(read(text)),
                    ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
                })
            };
            found.push(Row((0..columns)
                .map(value)
                .collect::<rusqlite::Result<_>>()?));
        }
        Ok(found)
    };
    trace::round_trip(std::iter::once(sql), run).map_err(fault)
}

/// Decodes UTF-8, lossily if another program stored invalid bytes.
fn read(text: &[u8]) -> String {
    // validation is much faster than lossy decoding
    std::str::from_utf8(text).map_or_else(
        |_| String::from_utf8_lossy(text).into_owned(),
        str::to_owned,
    )
}

fn execute(connection: &Connection, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
    let run = || -> rusqlite::Result<usize> {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        statement.raw_execute()
    };
    trace::round_trip(std::iter::once(sql), run).map_err(fault)
}

fn data_version(connection: &Connection) -> Result<i64, Fault> {
    let rows = query(connection, "PRAGMA data_version", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}
