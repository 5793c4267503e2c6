//! Batches of messages, so that a flood of them cannot delay a frame.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;

use crate::tui::data::msg::Msg;

/// Maximum time to take messages before a frame is drawn.
pub(super) const DRAIN_FOR: Duration = Duration::from_millis(8);
/// Maximum number of messages to take before a frame is drawn.
pub(super) const DRAIN_MOST: usize = 256;
/// Messages taken before a frame is drawn.
pub(super) struct Batch {
    until: Instant,
    left: usize,
}

impl Batch {
    /// Starts a batch with its first message.
    pub(super) fn from(now: Instant) -> Self {
        Self { until: now + DRAIN_FOR, left: DRAIN_MOST - 1 }
    }

    /// Next message; none when the inbox is empty or a frame is due.
    pub(super) fn next(&mut self, now: Instant, messages: &mut UnboundedReceiver<Msg>) -> Option<Msg> {
        self.left = self.left.checked_sub(1)?;
        let message = (now < self.until).then(|| messages.try_recv().ok());
        message.flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::sync::mpsc::unbounded_channel;

    use super::{Batch, DRAIN_FOR, DRAIN_MOST};
    use crate::tui::data::msg::{Changed, Msg};

    /// A flood of notices once delayed drawing until it was over.
    #[test]
    fn a_frame_is_due_after_a_number_of_messages_or_a_time() {
        let (inbox, mut messages) = unbounded_channel();
        for _ in 0..2 * DRAIN_MOST {
            inbox.send(Msg::Changed(Changed::Everything)).unwrap();
        }
        let now = Instant::now();
        let mut batch = Batch::from(now);
        let taken = std::iter::from_fn(|| batch.next(now, &mut messages)).count();
        assert_eq!(taken + 1, DRAIN_MOST);
        let mut batch = Batch::from(now);
        assert!(batch.next(now, &mut messages).is_some());
        assert!(batch.next(now + DRAIN_FOR, &mut messages).is_none());
        assert_eq!(messages.len(), DRAIN_MOST, "the rest waits for the next frame");
    }
}
