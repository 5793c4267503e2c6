//! Sizes of tables within the file of a house.

use std::path::Path;

use rusqlite::Connection;

use crate::engine::Failure;
use crate::store::Fault;

/// Sizes of a table's pages in a file, in bytes: rows, then indexes.
pub fn pages_of(path: &Path, table: &str) -> Result<(i64, i64), Failure> {
    const TEXT: &str = "\
        SELECT COALESCE(SUM(CASE WHEN s.name = s.tbl_name THEN d.pgsize ELSE 0 END), 0), \
               COALESCE(SUM(CASE WHEN s.name = s.tbl_name THEN 0 ELSE d.pgsize END), 0) \
        FROM sqlite_schema s JOIN dbstat d ON d.name = s.name WHERE s.tbl_name = ?1";
    let pages =
        Connection::open(path).and_then(|file| file.query_one(TEXT, [table], |row| Ok((row.get(0)?, row.get(1)?))));
    pages.map_err(|error| Fault::Broken(error.to_string()).into())
}
