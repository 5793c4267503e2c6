//! Messages in batches: a flood of them never keeps a frame from being drawn.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;

use crate::tui::msg::Msg;

/// Messages are taken for at most this long before a frame is drawn.
pub(super) const DRAIN_FOR: Duration = Duration::from_millis(8);
/// At most this many messages are taken before a frame is drawn.
pub(super) const DRAIN_MOST: usize = 256;
/// The messages that are taken before a frame is drawn.
pub(super) struct Batch {
    until: Instant,
    left: usize,
}

impl Batch {
    /// With its first message in hand.
    pub(super) fn from(now: Instant) -> Self {
        Self {
            until: now + DRAIN_FOR,
            left: DRAIN_MOST - 1,
        }
    }

    /// The next message; none when there is none, or once a frame is due.
    pub(super) fn next(
        &mut self,
        now: Instant,
        messages: &mut UnboundedReceiver<Msg>,
    ) -> Option<Msg> {
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
    use crate::tui::msg::{Changed, Msg};

    /// Screens B9: a flood of notices drew nothing until it was over.
    #[test]
    fn a_frame_is_drawn_after_so_many_messages_or_so_long() {
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
        assert_eq!(
            messages.len(),
            DRAIN_MOST,
            "the rest waits for the next frame"
        );
    }
}
