//! Clocks of the demo: one that jumps ahead, so that a deadline needs no waiting, and one that is set back while past
//! sales are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::domain::time::{Instant, Span};
use crate::engine::clock::{Clock, SystemClock};

/// The machine's time and the sum of all jumps; never goes back.
#[derive(Debug, Default)]
pub(crate) struct DemoClock {
    machine: SystemClock,
    ahead_millis: AtomicI64,
}

impl DemoClock {
    /// Advances the clock at once.
    pub(crate) fn run_ahead(&self, span: Span) {
        self.ahead_millis.fetch_add(span.millis(), Ordering::SeqCst);
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Instant {
        self.machine.now() + Span::from_millis(self.ahead_millis.load(Ordering::SeqCst))
    }

    fn doubt_millis(&self) -> i64 {
        self.machine.doubt_millis()
    }

    fn confirm(&self) {
        self.machine.confirm();
    }
}

/// A clock that is set back while the past of a house is made.
pub(crate) struct PastClock {
    present: Arc<dyn Clock>,
    back_millis: AtomicI64,
}

impl PastClock {
    /// Wraps a clock; tells its time until it is set back.
    #[must_use]
    pub(crate) fn new(present: Arc<dyn Clock>) -> Self {
        Self {
            present,
            back_millis: AtomicI64::new(0),
        }
    }

    /// Sets the clock back by a time from the present; by zero, to the present.
    pub(super) fn set_back(&self, span: Span) {
        self.back_millis.store(span.millis(), Ordering::SeqCst);
    }
}

impl Clock for PastClock {
    fn now(&self) -> Instant {
        self.present.now() - Span::from_millis(self.back_millis.load(Ordering::SeqCst))
    }

    fn follow(&self, database: Instant) {
        self.present.follow(database);
    }

    fn doubt_millis(&self) -> i64 {
        self.present.doubt_millis()
    }

    fn confirm(&self) {
        self.present.confirm();
    }
}

#[cfg(test)]
mod tests {
    use super::DemoClock;
    use crate::domain::time::Span;
    use crate::engine::clock::Clock;

    #[test]
    fn it_runs_ahead_and_stays_ahead() {
        let clock = DemoClock::default();
        let before = clock.now();
        clock.run_ahead(Span::minutes(3));
        assert!(clock.now().since(before) >= Span::minutes(3));
    }
}
