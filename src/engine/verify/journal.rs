//! Journal read in order, from archives and the house: its chains, its events, and the documents it
//! makes.

use super::Report;
use super::chains::Chains;
use super::events::Events;
use super::history::read;
use super::replay::Replay;
use crate::engine::Failure;
use crate::store::journal::archive::{self, ArchiveFile, ArchivedDocument, Record};
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
pub(super) fn page(
    sql: &mut dyn Sql,
    after: &mut i64,
    until: i64,
) -> Result<Option<Vec<Row>>, Fault> {
    let text = format!(
        "SELECT {COLUMNS} FROM journal WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT {PAGE}"
    );
    let rows = sql.query(&text, &[(*after).into(), until.into()])?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    advance("journal", after, last.int(0))?;
    Ok(Some(rows))
}

/// State of all journal checks while the journal is read in order.
pub(super) struct JournalReplay {
    pub(super) chains: Chains,
    pub(super) events: Events,
    pub(super) replay: Replay,
}

impl JournalReplay {
    pub(super) fn new(is_gapless: bool) -> Self {
        Self {
            chains: Chains::new(is_gapless),
            events: Events::default(),
            replay: Replay::default(),
        }
    }

    /// Begins behind the last archived entry; returns the hash of the archived documents.
    pub(super) fn begin(
        &mut self,
        house: &mut dyn Sql,
        record: &Record,
        with: &mut dyn FnMut(&Row) -> Result<(), Fault>,
    ) -> Result<String, Fault> {
        self.chains.ends.clone_from(&record.ends);
        self.events = Events::new(record.pruned, record.from);
        archive::each_document(house, &mut |row| {
            if let Some(document) = archive::document_of(row.text(0)) {
                let digest = ArchivedDocument::from_row(row).digest;
                self.replay.sums.add(document, digest);
            }
            with(row)
        })
    }

    /// Follows a page of entries; returns those that can be read.
    pub(super) fn follow(
        &mut self,
        parts: &mut Parts<'_>,
        rows: &[Row],
        report: &mut Report,
    ) -> Result<Vec<Entry>, Failure> {
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            self.chains.follow(row, report);
            let Some(entry) = read(row, report) else {
                continue;
            };
            self.chains.note(&entry, report);
            report.checked += entry.changes.len();
            self.replay.follow(parts, &entry)?;
            entries.push(entry);
        }
        self.events.follow(parts.house, &entries, report)?;
        Ok(entries)
    }
}
