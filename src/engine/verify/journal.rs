//! Journal read in order: its chains, its events, and the documents it makes.

use super::chains::Chains;
use super::events::Events;
use super::replay::Replay;
use super::report::{Invariant, Report};
use crate::engine::Failure;
use crate::store::journal::{COLUMNS, Entry};
use crate::store::walk::advance;
use crate::store::{Fault, Row, Sql};

/// Rows read per query.
pub(super) const PAGE: usize = 200;

/// State of all journal checks while the journal is read in order.
pub(super) struct JournalReplay {
    pub(super) chains: Chains,
    pub(super) events: Events,
    pub(super) replay: Replay,
}

impl JournalReplay {
    pub(super) fn new(is_gapless: bool) -> Self {
        Self { chains: Chains::new(is_gapless), events: Events::default(), replay: Replay::default() }
    }

    /// Follows a page of entries.
    pub(super) fn follow(&mut self, sql: &mut dyn Sql, rows: Vec<Row>, report: &mut Report) -> Result<(), Failure> {
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            self.chains.follow(&row, report);
            let Some(entry) = read(row, report) else {
                continue;
            };
            self.chains.note(&entry, report);
            report.checked += entry.said.changes.len();
            self.replay.follow(sql, &entry)?;
            entries.push(entry);
        }
        self.events.follow(sql, &entries, report)
    }
}

/// Reads the next page of the journal's entries after a position.
pub(super) fn page(sql: &mut dyn Sql, after: &mut i64) -> Result<Option<Vec<Row>>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM journal WHERE seq > $1 ORDER BY seq LIMIT {PAGE}");
    let rows = sql.query(&text, &[(*after).into()])?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    advance("journal", after, last.int(0))?;
    Ok(Some(rows))
}

/// Parses a journal row; reports a violation if it cannot be read.
fn read(row: Row, report: &mut Report) -> Option<Entry> {
    let seq = row.int(0);
    let entry = Entry::from_row(row);
    if entry.is_err() {
        let subject = format!("journal {seq}");
        report.violation(Invariant::Journal, subject, "it cannot be read");
    }
    entry.ok()
}
