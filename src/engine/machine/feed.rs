//! Feed of the journal: its entries from a position on, and then new ones as they are stored.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::engine::Desk;
use crate::engine::failure::Failure;
use crate::engine::machine::gaps::Gaps;
use crate::engine::notice::Notice;
use crate::engine::reads::journal::{EntryView, ReadJournal, ReadPlaces};

/// Polling interval for positions that were skipped.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Reader of the journal that waits for new entries. On a server an entry may be stored after one with a higher
/// position: skipped positions are polled again.
pub struct Feed {
    desk: Desk,
    notices: broadcast::Receiver<Arc<Notice>>,
    gaps: Gaps,
    after: i64,
}

impl Desk {
    /// Follows the journal from the entry after a position.
    pub fn follow(&self, after: i64) -> Feed {
        Feed { desk: self.clone(), notices: self.watch(), gaps: Gaps::default(), after }
    }
}

impl Feed {
    /// Waits for the next entries; `None` once the engine has stopped.
    pub fn wait(&mut self) -> Result<Option<Vec<EntryView>>, Failure> {
        loop {
            let mut entries = self.desk.read(ReadPlaces(self.gaps.open()))?;
            entries.extend(self.desk.read(ReadJournal { after: self.after, ..ReadJournal::default() })?);
            for entry in &entries {
                self.gaps.fill(entry.seq);
                if entry.seq > self.after {
                    self.gaps.pass(self.after + 1..entry.seq);
                    self.after = entry.seq;
                }
            }
            if !entries.is_empty() {
                return Ok(Some(entries));
            }
            if !self.gaps.open().is_empty() {
                std::thread::sleep(LOOK_EVERY);
                continue;
            }
            if let Err(RecvError::Closed) = self.notices.blocking_recv() {
                return Ok(None);
            }
        }
    }
}
