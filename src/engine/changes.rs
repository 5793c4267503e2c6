//! Finds out whether anything was committed, by the database's change counter. The watcher, the job runner and the
//! listeners each keep one.

use crate::store::{Database, Fault, Reader};

/// How many more looks follow a change on a server: its counter moves a moment before the commit can be seen.
const SETTLING_LOOKS: u8 = 30;

/// How far a reader has looked at the database's changes.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The counter at the last look that was finished; `None` before the first.
    seen: Option<i64>,
    /// The counter at the look that goes on; `None` where the database cannot tell.
    asked: Option<i64>,
    /// How many looks a change is still to be followed by.
    looks_left: u8,
    /// How many looks follow a change.
    looks: u8,
}

impl Watch {
    pub(crate) fn on(database: &dyn Database) -> Self {
        Self {
            seen: None,
            asked: None,
            looks_left: 0,
            looks: if database.tells_of_commits() {
                0
            } else {
                SETTLING_LOOKS
            },
        }
    }

    /// Whether there may be anything new. Always true where the database cannot tell.
    pub(crate) fn changed(&mut self, reader: &mut dyn Reader) -> Result<bool, Fault> {
        self.asked = reader.change_counter()?;
        Ok(self.asked.is_none() || self.has_moved() || self.looks_left > 0)
    }

    /// Whether the counter has moved since the last look.
    pub(crate) fn has_moved(&self) -> bool {
        self.asked.is_some() && self.asked != self.seen
    }

    /// Ends a look: all that the counter stood for has been read.
    pub(crate) fn looked(&mut self) {
        self.looks_left = if self.has_moved() {
            self.looks
        } else {
            self.looks_left.saturating_sub(1)
        };
        self.seen = self.asked;
    }

    /// Makes the next look read everything again.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }
}
