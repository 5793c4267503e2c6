//! Connections to a file, and statements on them.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use crate::store::dialect::{Dialect, Write};
use crate::store::fault::{Fault, Missing};
use crate::store::sqlite::modes;
use crate::store::trace;
use crate::store::value::{Row, Value};

/// Prepared statements cached per connection.
const STATEMENTS_KEPT: usize = 128;

/// Page cache per connection, in KiB. SQLite may search all of it at each commit, so a large one costs time.
const CACHE_KIB: i64 = 16_384;

/// Page cache of a connection that passes over a whole file once, in KiB.
const SCAN_CACHE_KIB: i64 = 8_192;

/// Log pages after which the writer checkpoints.
const CHECKPOINT_PAGES: i64 = 16_000;

/// Most polls of a waiting connection: about ten seconds.
const BUSY_LOOKS_MAX: i32 = 30_000;

/// Switches a connection to reading only, or back.
pub(super) fn query_only(connection: &Connection, is_on: bool) -> Result<(), Fault> {
    connection.pragma_update(None, "query_only", is_on).map_err(fault)
}

/// Opens an exclusive connection, which keeps the shared-memory index in its own memory.
pub(super) fn connect_alone(path: &Path) -> Result<Connection, Fault> {
    let connection = open(path, Missing::Refuse)?;
    // must precede the first read
    connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(())).map_err(fault)?;
    configure(connection)
}

pub(super) fn connect(path: &Path, missing: Missing) -> Result<Connection, Fault> {
    configure(open(path, missing)?)
}

pub(super) fn open(path: &Path, missing: Missing) -> Result<Connection, Fault> {
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

/// Makes the page cache small: a scan of a whole file needs no page twice.
pub(super) fn cache_for_scan(connection: &Connection) -> Result<(), Fault> {
    connection.pragma_update(None, "cache_size", -SCAN_CACHE_KIB).map_err(fault)
}

/// Sets what a connection to a house keeps in memory and when it flushes; its session flushes the log at each commit.
fn configure(connection: Connection) -> Result<Connection, Fault> {
    synchronous(&connection, NORMAL)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB).map_err(fault)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(fault)?;
    Ok(connection)
}

/// Setting by which SQLite flushes the log before each checkpoint, and the file after it.
const NORMAL: i64 = 1;

/// Setting by which SQLite flushes the log at each commit, too.
pub(super) const FULL: i64 = 2;

/// Sets when SQLite flushes, and reads it back.
pub(super) fn synchronous(connection: &Connection, setting: i64) -> Result<(), Fault> {
    connection.pragma_update(None, "synchronous", setting).map_err(fault)?;
    let found: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).map_err(fault)?;
    if found == setting {
        return Ok(());
    }
    Err(Fault::Broken("the database does not keep its promise to flush each commit".into()))
}

/// Sleeps 100-500 us with jitter; the built-in handler's growing sleeps starve the longest waiter.
pub(super) fn look_again(looks: i32) -> bool {
    let jitter = u64::from(looks.unsigned_abs()).wrapping_mul(2_654_435_761) % 400;
    std::thread::sleep(Duration::from_micros(100 + jitter));
    looks < BUSY_LOOKS_MAX
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
pub(super) fn fault(error: rusqlite::Error) -> Fault {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Fault::Full,
        Some(ErrorCode::OperationInterrupted) => Fault::TooLong,
        Some(ErrorCode::DatabaseCorrupt) => Fault::Damaged(error.to_string()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy,
        Some(
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::SystemIoFailure,
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
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// Binds `$1..$n`. SQLite numbers such names by first appearance, so the text has to use them in
/// order.
pub(super) fn bind(statement: &mut rusqlite::CachedStatement<'_>, params: &[Value<'_>]) -> rusqlite::Result<()> {
    let in_order = |place| statement.parameter_name(place) == Some(&format!("${place}"));
    assert!(!cfg!(test) || (1..=statement.parameter_count()).all(in_order), "parameters appear out of order");
    for (place, value) in (1..).zip(params) {
        statement.raw_bind_parameter(place, value)?;
    }
    Ok(())
}

pub(super) fn query(connection: &Connection, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
    let run = || -> rusqlite::Result<Vec<Row>> {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        let columns = statement.column_count();
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            // collecting results would not know the length, and so allocate several times
            let mut values = Vec::with_capacity(columns);
            for column in 0..columns {
                values.push(match row.get_ref(column)? {
                    ValueRef::Integer(number) => Value::Int(number),
                    ValueRef::Text(text) => Value::from(read(text)),
                    ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
                    ValueRef::Null | ValueRef::Real(_) => Value::Null,
                });
            }
            found.push(Row(values));
        }
        Ok(found)
    };
    trace::round_trip(std::iter::once(sql), run).map_err(fault)
}

/// Decodes UTF-8, lossily if another program stored invalid bytes.
pub(super) fn read(text: &[u8]) -> String {
    // validation is much faster than lossy decoding
    std::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text).into_owned(), str::to_owned)
}

pub(super) fn execute(connection: &Connection, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
    let run = || -> rusqlite::Result<usize> {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        statement.raw_execute()
    };
    trace::round_trip(std::iter::once(sql), run).map_err(fault)
}

/// Writes rows by one statement, which is prepared once for all of them.
///
/// # Errors
/// [`Fault::Contended`] if a row is not as expected.
pub(super) fn write_rows(connection: &Connection, writes: &[Write]) -> Result<(), Fault> {
    let Some(Write { row, .. }) = writes.first() else {
        return Ok(());
    };
    let sql = row.text(Dialect::Sqlite);
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    for Write { params, .. } in writes {
        let run = || -> rusqlite::Result<usize> {
            bind(&mut statement, params)?;
            statement.raw_execute()
        };
        let changed = trace::round_trip(std::iter::once(sql), run).map_err(fault)?;
        if !row.is_done_by(changed) {
            return Err(Fault::Contended);
        }
    }
    Ok(())
}

pub(super) fn data_version(connection: &Connection) -> Result<i64, Fault> {
    let rows = query(connection, "PRAGMA data_version", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}
