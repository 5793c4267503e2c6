//! Copy of a house between two databases, row by row.
//!
//! Rows are read from one snapshot and written in one transaction, which commits only if the stored
//! rows hash to the same value as the rows sent.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::store::dialect::marks;
use crate::store::fault::Fault;
use crate::store::place::OpenError;
use crate::store::port::{Database, Session, Sql};
use crate::store::tables::Table;
use crate::store::value::{Row, Value};
use crate::store::walk::advance;
use crate::store::{schema, sqlite};

/// Table whose rows keep their numbers.
const JOURNAL: &str = "journal";

/// Rows read and written per statement.
const ROWS_AT_ONCE: i64 = 200;

/// Size of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    pub tables: usize,
    pub rows: u64,
}

/// Copies an SQLite file, in use or not, into a new self-contained file.
///
/// # Errors
/// Every problem of either file; the new one is then incomplete.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), OpenError> {
    Ok(sqlite::copy_file(from, to)?)
}

/// Returns whether a house may be opened in a folder; a backup may also lie elsewhere, for instance on a network mount.
pub fn may_open(folder: &Path) -> bool {
    sqlite::network_mount(folder).is_none()
}

/// Copies a house into an empty database; `told` receives the number of rows copied so far.
///
/// # Errors
/// [`Fault::Occupied`] if the target is not empty; a fault of either database. Then nothing was stored.
pub fn copy(from: &dyn Database, to: &dyn Database, told: &mut dyn FnMut(u64)) -> Result<Copied, Fault> {
    let (mut reader, mut session) = (from.reader()?, to.session()?);
    reader.begin()?;
    session.begin()?;
    let mut copied = Copied::default();
    let mut all = || -> Result<(), Fault> {
        for table in schema::tables() {
            let first = (table.name == JOURNAL).then_some(1);
            let rows = copy_table(&mut *reader, &mut *session, (&table, first), &mut |rows| {
                told(copied.rows + rows);
            })?;
            if let Some(first) = first {
                session.number_journal_from(first.saturating_add_unsigned(rows))?;
            }
            copied.rows += rows;
            copied.tables += 1;
        }
        Ok(())
    };
    let done = all();
    reader.end();
    match done {
        Ok(()) => session.commit().map(|()| copied),
        Err(fault) => {
            session.rollback();
            Err(fault)
        }
    }
}

/// Copies a table into an empty one; rows with a `first` number are numbered from it. Returns the number of rows.
fn copy_table(
    reader: &mut (impl Sql + ?Sized),
    session: &mut (impl Session + ?Sized),
    (table, first): (&Table, Option<i64>),
    told: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    if !page(session, table, None)?.is_empty() {
        return Err(Fault::Occupied);
    }
    let (mut rows, mut sent, mut last) = (0_u64, DefaultHasher::new(), None);
    loop {
        let some = page(reader, table, last.as_deref())?;
        let Some(end) = some.last() else { break };
        advance(&table.name, &mut last, Some(key_of(table, end)))?;
        for row in &some {
            values_of(table, row).hash(&mut sent);
        }
        let number = first.map(|first| first.saturating_add_unsigned(rows));
        insert(session, (table, number), &some)?;
        rows += u64::try_from(some.len()).unwrap_or(u64::MAX);
        told(rows);
    }
    if digest(session, table)? == sent.finish() {
        Ok(rows)
    } else {
        Err(Fault::Broken(format!(
            "the copy of table {} reads otherwise than what was sent; nothing was stored",
            table.name
        )))
    }
}

/// Hash of all rows of a table, in the order of its key.
fn digest(sql: &mut (impl Sql + ?Sized), table: &Table) -> Result<u64, Fault> {
    let (mut read, mut last) = (DefaultHasher::new(), None);
    loop {
        let some = page(sql, table, last.as_deref())?;
        let Some(end) = some.last() else {
            return Ok(read.finish());
        };
        advance(&table.name, &mut last, Some(key_of(table, end)))?;
        for row in &some {
            values_of(table, row).hash(&mut read);
        }
    }
}

/// Reads the next rows of a table in the order of its key: key columns first.
fn page(sql: &mut (impl Sql + ?Sized), table: &Table, after: Option<&[Value<'static>]>) -> Result<Vec<Row>, Fault> {
    let (key, columns) = (table.key.join(", "), table.columns.join(", "));
    let mut text = format!("SELECT {key}, {columns} FROM {}", table.name);
    let params = after.unwrap_or_default();
    if after.is_some() {
        // writing to a String cannot fail
        let _ = write!(text, " WHERE ({key}) > ({})", marks(1..=params.len()));
    }
    let _ = write!(text, " ORDER BY {key} LIMIT {ROWS_AT_ONCE}");
    sql.query(&text, params)
}

fn key_of(table: &Table, row: &Row) -> Vec<Value<'static>> {
    row.0.get(..table.key.len()).unwrap_or_default().to_vec()
}

fn values_of<'a>(table: &Table, row: &'a Row) -> &'a [Value<'static>] {
    row.0.get(table.key.len()..).unwrap_or_default()
}

fn insert(
    session: &mut (impl Session + ?Sized),
    (table, number): (&Table, Option<i64>),
    rows: &[Row],
) -> Result<(), Fault> {
    let mut columns = table.columns.clone();
    columns.extend(number.and(table.key.first().cloned()));
    let mut text = format!("INSERT INTO {} ({}) VALUES ", table.name, columns.join(", "));
    let mut params = Vec::with_capacity(rows.len() * columns.len());
    for (row, at) in rows.iter().zip(0..) {
        let before = params.len();
        params.extend_from_slice(values_of(table, row));
        params.extend(number.map(|number| Value::Int(number + at)));
        let marks = marks(before + 1..=params.len());
        let comma = if before == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}({marks})");
    }
    session.execute(&text, &params).map(|_| ())
}
