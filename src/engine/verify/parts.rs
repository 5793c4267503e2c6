//! Entries of a journal, page by page, from its archives and the house.

use super::report::{Invariant, Report};
use crate::store::journal::archive::ArchiveFile;
use crate::store::journal::{COLUMNS, Entry};
use crate::store::walk::advance;
use crate::store::{Fault, Row, Sql, Value};

/// Rows read per query.
pub(super) const PAGE: usize = 200;

/// Parts of a journal: archives, oldest first, and then the house.
pub(super) struct Parts<'a> {
    pub(super) archives: &'a mut [ArchiveFile],
    pub(super) house: &'a mut dyn Sql,
}

impl Parts<'_> {
    /// Part by number; the house is the last.
    pub(super) fn part(&mut self, number: usize) -> &mut dyn Sql {
        match self.archives.get_mut(number) {
            Some(archive) => archive,
            None => self.house,
        }
    }
}

impl Sql for Parts<'_> {
    /// Asks the house, and if it has no row the archives.
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let mut rows = self.house.query(sql, params)?;
        for archive in self.archives.iter_mut().rev() {
            if rows.is_empty() {
                rows = archive.query(sql, params)?;
            }
        }
        Ok(rows)
    }
}

/// Reads the next page of a journal's entries: after a position, up to another.
pub(super) fn page(sql: &mut dyn Sql, after: &mut i64, until: i64) -> Result<Option<Vec<Row>>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM journal WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT {PAGE}");
    let rows = sql.query(&text, &[(*after).into(), until.into()])?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    advance("journal", after, last.int(0))?;
    Ok(Some(rows))
}

/// Parses a journal row; reports a violation if it cannot be read.
pub(super) fn read(row: Row, report: &mut Report) -> Option<Entry> {
    let seq = row.int(0);
    let entry = Entry::from_row(row);
    if entry.is_err() {
        let subject = format!("journal {seq}");
        report.violation(Invariant::Journal, subject, "it cannot be read");
    }
    entry.ok()
}
