//! How much of a file each table has, in whole pages as they lie on the disk.

use std::path::Path;

use super::{connect_to_read, fault};
use crate::store::Fault;

/// The pages of a table, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// Of its rows.
    pub rows: i64,
    /// Of its indexes.
    pub indexes: i64,
}

impl Pages {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> i64 {
        self.rows.saturating_add(self.indexes)
    }
}

/// The pages of a table of a file, also of what was written and not checkpointed yet.
///
/// # Errors
/// The file cannot be read.
pub fn pages_of(path: &Path, table: &str) -> Result<Pages, Fault> {
    const TEXT: &str = "\
        SELECT COALESCE(SUM(CASE WHEN s.name = s.tbl_name THEN d.pgsize ELSE 0 END), 0), \
               COALESCE(SUM(CASE WHEN s.name = s.tbl_name THEN 0 ELSE d.pgsize END), 0) \
        FROM sqlite_schema s JOIN dbstat d ON d.name = s.name WHERE s.tbl_name = $1";
    let connection = connect_to_read(path)?;
    connection
        .query_row(TEXT, [table], |row| {
            Ok(Pages {
                rows: row.get(0)?,
                indexes: row.get(1)?,
            })
        })
        .map_err(fault)
}
