//! Watches for commits, and for what comes due.
//!
//! Own commits ring a bell; other processes' are seen by a number that the database changes. Either way the
//! journal says what changed. What comes due is ended in small steps that queue up like everybody's.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::jobs;
use crate::engine::notice;
use crate::engine::signal::{Signal, Woken};
use crate::engine::{Desk, Shared, Ticker};
use crate::store::Reader;

/// How often another process's commits are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How soon after a commit the next is told of at the earliest: a burst becomes one notice.
const SETTLE: Duration = Duration::from_millis(4);

pub(super) fn watch(
    mut reader: Box<dyn Reader>,
    shared: &Arc<Shared>,
    signal: &Signal,
    (ticker, desk): (Ticker, Desk),
) {
    let mut seen = reader.pulse().unwrap_or_default();
    let mut reached = notice::newest(reader.as_mut()).unwrap_or_default();
    let mut next_due = jobs::next_due(reader.as_mut()).ok().flatten();
    loop {
        let overdue = ticker == Ticker::On && next_due.is_some_and(|due| due <= shared.clock.now());
        let woken = signal.wait(if overdue { Duration::ZERO } else { LOOK_EVERY });
        if woken == Woken::Stopped {
            return;
        }
        if woken == Woken::Raised {
            std::thread::sleep(SETTLE);
        }
        let pulse = reader.pulse().unwrap_or(seen);
        if pulse != seen {
            seen = pulse;
            if shared.notices.receiver_count() > 0 {
                if let Ok((notice, place)) = notice::since(reader.as_mut(), reached) {
                    reached = place;
                    // nobody may be listening any more
                    let _ = shared.notices.send(Arc::new(notice));
                }
            } else {
                reached = notice::newest(reader.as_mut()).unwrap_or(reached);
            }
            next_due = jobs::next_due(reader.as_mut()).ok().flatten();
        }
        if ticker == Ticker::On && next_due.is_some_and(|due| due <= shared.clock.now()) {
            // a fault here is met again at the next look; no rule depends on the sweep
            let _ = jobs::step(&desk);
            next_due = jobs::next_due(reader.as_mut()).ok().flatten();
        }
    }
}

/// How long the log may grow before it is tidied.
const TIDY_EVERY: Duration = Duration::from_millis(20);

/// Tidies the database beside the writer, a while after each commit.
pub(super) fn tidy(mut reader: Box<dyn Reader>, signal: &Signal) {
    loop {
        match signal.wait(Duration::from_hours(1)) {
            Woken::Stopped => return,
            Woken::TimedOut => {}
            Woken::Raised => {
                std::thread::sleep(TIDY_EVERY);
                // what is not tidied now is tidied after the next commit, or by the writer
                let _ = reader.tidy();
            }
        }
    }
}
