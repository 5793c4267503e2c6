//! The embedded database, shared by the stations of one machine.
//!
//! Facts that cost others dearly are kept here: `BEGIN IMMEDIATE` always, WAL with `synchronous=FULL` read
//! back, a version without the lost-commit defect, no network mounts, a full disk ends the whole batch, and
//! processes take turns by a fair turnstile around each commit.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use crate::store::{Database, Fault, Missing, Reader, Row, Session, Value};

mod backup;
mod checks;
mod control;
mod mounts;
mod orders;
mod pages;
mod reader;
mod session;
mod stream;
mod turnstile;
mod writing;

pub use backup::copy_file;
pub use checks::OpenError;
pub(super) use checks::folder_of;
pub use control::SegmentRows;
pub(super) use mounts::network as network_mount;
pub use pages::{Pages, pages_of};
pub use reader::SqliteReader;
pub use session::SqliteSession;

/// Marks a file as a house of this program: "WILL".
const APPLICATION_ID: i64 = 0x5749_4c4c;

/// The ends of the names of a house's files: its own, and those that SQLite and the turnstile have beside it.
pub const COMPANIONS: [&str; 6] = ["", "-wal", "-shm", "-journal", "-queue", "-turn"];

/// How many bytes of a file's head have its mark.
pub(super) const MARK_END: usize = 72;

/// Whether the head of a file marks it as a house of this program.
pub(super) fn is_marked(head: &[u8; MARK_END]) -> bool {
    let mark = u32::try_from(APPLICATION_ID).map(u32::to_be_bytes);
    head.starts_with(b"SQLite format 3\0") && mark.is_ok_and(|mark| head.ends_with(&mark))
}

/// A file beside a house's file.
#[must_use]
pub fn companion(house: &Path, end: &str) -> PathBuf {
    let mut name = house.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Below this, two processes that write and checkpoint at once can lose commits.
const SQLITE_LEAST: i32 = 3_051_003;

/// How many statements a connection keeps prepared.
const STATEMENTS_KEPT: usize = 128;

/// How much of the file a connection keeps in memory, in KiB.
const CACHE_KIB: i64 = 65_536;

/// After how many pages the writer moves its log into the file.
const CHECKPOINT_PAGES: i64 = 16_000;

/// How often a waiting connection looks again before it gives up: about ten seconds.
const BUSY_LOOKS_MAX: i32 = 30_000;

/// After how many steps of a statement its time limit is looked at: some microseconds.
const LIMIT_STEPS: i32 = 1000;

/// A house in a file.
#[derive(Clone, Debug)]
pub struct SqliteFile {
    path: PathBuf,
    identity: Identity,
}

/// Which file it is, whatever it is called: its device and its number there. A file that is deleted or replaced under
/// a desk goes on to be written to by who has it open, and is gone with the last of them.
pub(super) type Identity = Option<(u64, u64)>;

pub(super) fn identity(path: &Path) -> Identity {
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

impl SqliteFile {
    /// Opens or makes a house, and brings its schema up to date.
    ///
    /// # Errors
    /// Each thing that can be wrong with a file, as [`OpenError`].
    pub fn open(path: &Path, missing: Missing) -> Result<Self, OpenError> {
        checks::library()?;
        checks::place(path, missing)?;
        let explain = |fault| checks::explain(path, fault);
        let connection = connect(path, missing).map_err(explain)?;
        // before anything is made beside it
        checks::whose(&connection, path, missing)?;
        let file = Self {
            path: path.to_owned(),
            identity: identity(path),
        };
        let mut session = file.session_on(connection).map_err(explain)?;
        session.prepare_file().map_err(explain)?;
        Ok(file)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl SqliteFile {
    /// Whether the file is the one that was opened.
    fn still_there(&self) -> Result<(), Fault> {
        if identity(&self.path) == self.identity {
            Ok(())
        } else {
            Err(Fault::Replaced)
        }
    }

    fn session_on(&self, connection: Connection) -> Result<SqliteSession, Fault> {
        SqliteSession::new(connection, self.clone())
    }
}

impl Database for SqliteFile {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        self.still_there()?;
        let connection = connect(&self.path, Missing::Refuse)?;
        Ok(Box::new(self.session_on(connection)?))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        self.still_there()?;
        let connection = connect_to_read(&self.path)?;
        Ok(Box::new(SqliteReader { connection }))
    }
}

fn connect_to_read(path: &Path) -> Result<Connection, Fault> {
    let connection = connect(path, Missing::Refuse)?;
    connection
        .pragma_update(None, "query_only", true)
        .map_err(fault)?;
    Ok(connection)
}

fn connect(path: &Path, missing: Missing) -> Result<Connection, Fault> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, missing == Missing::Create);
    // a name such as `:memory:` or `file:x` is a name like any other
    let named = Path::new(".").join(path);
    let mut connection = Connection::open_with_flags(named, flags).map_err(fault)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection.busy_handler(Some(look_again)).map_err(fault)?;
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

/// Sleeps 100-500 us with jitter; the built-in handler's growing sleeps starve whoever waits longest.
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

/// Binds `$1..$n`. SQLite takes them for names and numbers them by first appearance, so the text has to name
/// them in order.
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
    run().map_err(fault)
}

/// Text as it was written; what is no text, as others may have left it, is made some.
fn read(text: &[u8]) -> String {
    // the whole is looked at much faster than its parts are mended
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
    run().map_err(fault)
}

fn data_version(connection: &Connection) -> Result<i64, Fault> {
    let rows = query(connection, "PRAGMA data_version", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}
