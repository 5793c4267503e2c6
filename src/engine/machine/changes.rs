//! Detects commits by the database's change counter. The watcher, the job runner and the listeners
//! each keep one [`Watch`].

use crate::store::{Database, Fault, Reader};

/// Polls that follow a change on a server, whose counter moves a moment before the commit is visible.
const SETTLING_LOOKS: u8 = 30;

/// State of one poller of the change counter.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Counter at the last finished poll; `None` before the first.
    seen: Option<i64>,
    /// Counter at the current poll; `None` if the database has none.
    asked: Option<i64>,
    /// Follow-up polls left after a change.
    looks_left: u8,
    /// Follow-up polls per change.
    looks: u8,
}

impl Watch {
    pub(crate) fn on(database: &dyn Database) -> Self {
        Self {
            seen: None,
            asked: None,
            looks_left: 0,
            looks: if database.tells_of_commits() { 0 } else { SETTLING_LOOKS },
        }
    }

    /// Returns whether there may be new commits. Always true if the database has no counter.
    pub(crate) fn changed(&mut self, reader: &mut dyn Reader) -> Result<bool, Fault> {
        self.asked = reader.change_counter()?;
        Ok(self.asked.is_none() || self.has_moved() || self.looks_left > 0)
    }

    /// Returns whether the counter has moved since the last poll.
    pub(crate) fn has_moved(&self) -> bool {
        self.asked.is_some() && self.asked != self.seen
    }

    /// Ends a poll: everything up to the counter has been read.
    pub(crate) fn looked(&mut self) {
        self.looks_left = if self.has_moved() { self.looks } else { self.looks_left.saturating_sub(1) };
        self.seen = self.asked;
    }

    /// Makes the next poll read everything again.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }
}
