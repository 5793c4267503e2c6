//! Copy of a house between two databases, row by row.
//!
//! Rows are read from one snapshot and written in one transaction, which commits only if the stored
//! rows hash to the same value as the rows sent.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::store::fault::Fault;
use crate::store::place::OpenError;
use crate::store::port::{Database, Session, Sql};
use crate::store::tables::Table;
use crate::store::value::{Row, Value};
use crate::store::walk::advance;
use crate::store::{schema, sqlite};

/// Rows read and written per statement.
const ROWS_AT_ONCE: i64 = 200;

/// Size of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Number of tables.
    pub tables: usize,
    /// Number of rows.
    pub rows: u64,
}

/// Copies an SQLite file, in use or not, into a new self-contained file.
///
/// # Errors
/// Every problem of either file; the new one is then incomplete.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), OpenError> {
    Ok(sqlite::copy_file(from, to)?)
}

/// Returns whether a house may be opened in a folder; a backup may also lie elsewhere, for instance
/// on a network mount.
#[must_use]
pub fn may_open(folder: &Path) -> bool {
    sqlite::network_mount(folder).is_none()
}

/// Copies a house into an empty database; `told` receives the number of rows copied so far.
///
/// # Errors
/// [`Fault::Occupied`] if the target is not empty; a fault of either database. Then nothing was
/// stored.
pub fn copy(
    from: &dyn Database,
    to: &dyn Database,
    told: &mut dyn FnMut(u64),
) -> Result<Copied, Fault> {
    let (mut reader, mut session) = (from.reader()?, to.session()?);
    reader.begin()?;
    session.begin()?;
    let mut copied = Copied::default();
    let mut all = || -> Result<(), Fault> {
        for table in schema::tables() {
            copied.rows = copy_table(&mut *reader, &mut *session, (&table, copied.rows), told)?;
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

fn copy_table(
    reader: &mut (impl Sql + ?Sized),
    session: &mut (impl Session + ?Sized),
    (table, before): (&Table, u64),
    told: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    if !page(session, table, None)?.is_empty() {
        return Err(Fault::Occupied);
    }
    let (mut rows, mut sent, mut last) = (before, DefaultHasher::new(), None);
    loop {
        let some = page(reader, table, last.as_deref())?;
        let Some(end) = some.last() else { break };
        advance(&table.name, &mut last, Some(key_of(table, end)))?;
        for row in &some {
            values_of(table, row).hash(&mut sent);
        }
        insert(session, table, &some)?;
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
fn page(
    sql: &mut (impl Sql + ?Sized),
    table: &Table,
    after: Option<&[Value<'static>]>,
) -> Result<Vec<Row>, Fault> {
    let (key, columns) = (table.key.join(", "), table.columns.join(", "));
    let mut text = format!("SELECT {key}, {columns} FROM {}", table.name);
    let params = after.unwrap_or_default();
    if after.is_some() {
        let marks: Vec<String> = (1..=params.len())
            .map(|number| format!("${number}"))
            .collect();
        // writing to a String cannot fail
        let _ = write!(text, " WHERE ({key}) > ({})", marks.join(", "));
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

fn insert(session: &mut (impl Session + ?Sized), table: &Table, rows: &[Row]) -> Result<(), Fault> {
    let mut text = format!(
        "INSERT INTO {} ({}) VALUES ",
        table.name,
        table.columns.join(", ")
    );
    let mut params = Vec::with_capacity(rows.len() * table.columns.len());
    for row in rows {
        text.push_str(if params.is_empty() { "(" } else { ", (" });
        for (place, value) in values_of(table, row).iter().enumerate() {
            params.push(value.clone());
            let _ = write!(
                text,
                "{}${}",
                if place == 0 { "" } else { ", " },
                params.len()
            );
        }
        text.push(')');
    }
    session.execute(&text, &params).map(|_| ())
}
