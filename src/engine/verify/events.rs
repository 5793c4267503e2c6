//! Event checks: each journal entry has its events until they are pruned, and the numbers of events
//! and runs have no gap where the database assigns them in order.

use std::collections::HashMap;

use super::report::{Invariant, Report};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::engine::reads::events::{EventView, told_by};
use crate::store::Sql;
use crate::store::journal::Entry;

/// State of the event checks while the journal is read in order.
#[derive(Default)]
pub(super) struct Events {
    /// Event rows found that match their entry.
    found: i64,
    /// Time and position of the newest entry with missing events.
    missing: Option<(i64, i64)>,
    /// Events before this time were pruned, in milliseconds.
    pruned: i64,
}

impl Events {
    pub(super) fn follow(
        &mut self,
        house: &mut dyn Sql,
        entries: &[Entry],
        report: &mut Report,
    ) -> Result<(), Failure> {
        for before in entries.iter().filter_map(|entry| entry.said.forgets) {
            self.pruned = self.pruned.max(before);
        }
        let telling: Vec<&Entry> = entries.iter().filter(|entry| !entry.said.events.is_empty()).collect();
        let commands: Vec<&str> = telling.iter().map(|entry| entry.command.as_str()).collect();
        let rows = told_by(house, &commands)?;
        let mut by_command: HashMap<&str, Vec<&EventView>> = HashMap::new();
        for event in &rows {
            by_command.entry(&event.command).or_default().push(event);
        }
        for entry in telling {
            let own = by_command.get(entry.command.as_str());
            let own = own.map_or(&[][..], Vec::as_slice);
            self.found += i64::try_from(own.len()).unwrap_or(i64::MAX);
            report.checked += own.len();
            // pruning removes the oldest first
            let are_its = own.iter().rev().zip(entry.said.events.iter().rev());
            let are_its = are_its.filter(|(event, told)| is_of(event, entry, told)).count();
            report.expect(are_its == own.len(), (Invariant::Journal, &format!("journal {}", entry.seq)), || {
                "its events say other than it told".into()
            });
            if own.len() < entry.said.events.len() {
                self.missing = self.missing.max(Some((entry.at, entry.seq)));
            }
        }
        Ok(())
    }

    /// Reports missing events that were not pruned, and events without an entry.
    pub(super) fn check_rest(self, snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
        if let Some((_, seq)) = self.missing.filter(|(at, _)| *at >= self.pruned) {
            let detail = "events that it told are missing, its own or of entries before it";
            report.violation(Invariant::Journal, format!("journal {seq}"), detail);
        }
        for (table, given) in snapshot.numbered()? {
            let text = format!("SELECT COUNT(*), COALESCE(MIN(seq), 0), COALESCE(MAX(seq), 0) FROM {table}");
            let rows = snapshot.query(&text, &[])?;
            let (count, first, last) = rows.first().map_or((0, 0, 0), |row| (row.int(0), row.int(1), row.int(2)));
            // the first events may be pruned, or all of them
            let is_whole = if count == 0 {
                given == 0 || self.pruned > 0
            } else {
                last == given && count == last - first + 1 && (first == 1 || self.pruned > 0)
            };
            report.expect(is_whole, (Invariant::Journal, &table), || {
                format!("{given} rows were written, {count} of them are there, from {first} to {last}")
            });
        }
        let rows = snapshot.query("SELECT COUNT(*) FROM event", &[])?;
        if rows.first().is_none_or(|row| row.int(0) == self.found) {
            return Ok(());
        }
        let strays = snapshot.query(
            "SELECT seq FROM event \
             WHERE NOT EXISTS (SELECT 1 FROM journal WHERE journal.command = event.command) ORDER BY seq LIMIT 20",
            &[],
        )?;
        for row in strays {
            let subject = format!("event {}", row.int(0));
            report.violation(Invariant::Journal, subject, "no entry of the journal told it");
        }
        Ok(())
    }
}

fn is_of(event: &EventView, entry: &Entry, (word, body): &(String, String)) -> bool {
    event.word == *word
        && event.journaled().as_ref() == Some(body)
        && (&event.operator, &event.station) == (&entry.operator, &entry.station)
        && event.at.millis() == entry.at
}
