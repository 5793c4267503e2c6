//! Changes that touch a place on the screen, until it reads again: at most once a second, however many tills are at work.

use crate::domain::time::{Instant, Span};
use crate::tui::msg::Changed;

/// Minimum interval between two reads.
const READ_EVERY: Span = Span::seconds(1);
/// Interval of reads without a change: the clock alone ends holds, and jobs leave no notice.
const LOOK_EVERY: Span = Span::seconds(10);

/// Changes not read yet, and the time of the last read.
#[derive(Debug, Default)]
pub(crate) struct Stale {
    read_at: Instant,
    by: Option<Changed>,
}

impl Stale {
    /// Notes that everything is read now.
    pub(crate) fn read(&mut self, now: Instant) {
        *self = Self { read_at: now, by: None };
    }

    /// Notes a change that touches the place.
    pub(crate) fn add(&mut self, changed: &Changed) {
        match &mut self.by {
            Some(by) => by.add(changed),
            None => self.by = Some(changed.clone()),
        }
    }

    /// Notes that the clock may have changed the place.
    pub(crate) fn look(&mut self, now: Instant) {
        if now.since(self.read_at) >= LOOK_EVERY {
            self.add(&Changed::Everything);
        }
    }

    /// Takes the changes to read now; none within a second after the last read.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Changed> {
        if now.since(self.read_at) < READ_EVERY {
            return None;
        }
        let due = self.by.take()?;
        self.read_at = now;
        Some(due)
    }
}
