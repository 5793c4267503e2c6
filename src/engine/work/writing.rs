//! What an operation put becomes writes, each on condition of what it rests on.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::ids::CommandId;
use crate::engine::cache::{Kept, Value};
use crate::engine::work::slot::{New, Slot};
use crate::engine::work::{Work, Written};
use crate::store::Fault;
use crate::store::document::{self, Change, DocKind, Entry, Stored};
use crate::store::job::{self, By};
use crate::store::stamps;

/// Documents of an operation by key.
type Slots = BTreeMap<(DocKind, String), Slot>;

impl Work<'_> {
    /// Names what was loaded: what was decided is good only if it stands.
    pub(crate) fn rely(&mut self) {
        for ((kind, key), slot) in &self.slots {
            let version = slot.stored.as_ref().map_or(0, |kept| kept.stored.version);
            self.session.rely((*kind, key), version);
        }
    }

    /// Writes what changed, with the journal's entry.
    pub(crate) fn write(
        mut self,
        command: CommandId,
        request: &str,
        answer: &str,
    ) -> Result<Written, Fault> {
        // what is written is written on condition of its version
        let (written, rest): (Slots, Slots) = std::mem::take(&mut self.slots)
            .into_iter()
            .partition(|(_, slot)| slot.new.is_some());
        self.slots = rest;
        self.rely();
        let (changes, values): (Vec<Change>, Vec<Value>) =
            written.into_iter().filter_map(change).unzip();
        if changes.is_empty() && self.aside.is_empty() && !self.keeps_answer {
            return Ok(Written::Nothing);
        }
        let (command, at) = (command.to_string(), self.now.millis());
        let (operator, station) = (&self.actor.operator, &self.actor.station);
        if let Some(back) = &self.aside.back {
            if document::find_command(self.session, &command)?.is_some() {
                return Ok(Written::DoneBefore);
            }
            stamps::write(self.session, back)?;
        }
        let told = !self.aside.events.is_empty() || self.aside.back.is_some();
        if !changes.is_empty() || told || self.keeps_answer {
            let entry = Entry {
                command: &command,
                at,
                operator,
                station,
                request,
                answer,
            };
            if !document::write(self.session, &changes, &entry)? {
                return Ok(Written::DoneBefore);
            }
        }
        let by = By {
            command: &command,
            at,
            operator,
            station,
        };
        job::write(self.session, &self.aside, by)?;
        for (change, value) in changes.into_iter().zip(values) {
            self.remember(change, value, (&command, at));
        }
        Ok(Written::Stored)
    }

    fn remember(&mut self, change: Change, value: Value, (command, at): (&str, i64)) {
        let stored = Stored {
            key: change.key.clone(),
            version: change.version_before + 1,
            recorded_at: at,
            written_by: command.to_owned(),
            body: change.body,
        };
        let kept = Kept::written(stored, value);
        self.cache
            .set(change.kind, change.key, Some(Arc::new(kept)));
    }
}

fn change(((kind, key), slot): ((DocKind, String), Slot)) -> Option<(Change, Value)> {
    let New {
        body,
        columns,
        value,
    } = slot.new?;
    let before = slot.stored.as_ref().map(|kept| &kept.stored);
    let (version_before, previous) = before.map_or((0, String::new()), |stored| {
        (stored.version, stored.written_by.clone())
    });
    let change = Change {
        kind,
        key,
        version_before,
        previous,
        body,
        columns,
    };
    Some((change, value))
}
