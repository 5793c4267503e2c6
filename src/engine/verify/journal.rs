//! Journal read in order, from archives and the house: its chains, its events, and the documents it makes.

use super::chains::Chains;
use super::events::Events;
use super::parts::{Parts, read};
use super::replay::Replay;
use super::report::Report;
use crate::engine::Failure;
use crate::store::journal::Entry;
use crate::store::journal::archive::{self, ArchivedDocument, Record};
use crate::store::{Fault, Row, Sql};

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
        rows: Vec<Row>,
        report: &mut Report,
    ) -> Result<Vec<Entry>, Failure> {
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            self.chains.follow(&row, report);
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
