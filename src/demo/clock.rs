//! Clock of the demo: it jumps ahead, so that a deadline needs no waiting, and is set back while past sales are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::domain::time::{Instant, Span};
use crate::engine::clock::{Clock, Machine, SystemClock};

/// Time of another clock, shifted.
pub(crate) struct DemoClock {
    base: Arc<dyn Clock>,
    /// Shift of its own present.
    own_millis: i64,
    ahead_millis: AtomicI64,
}

impl DemoClock {
    /// Wraps a clock; tells its time until it is shifted.
    pub(crate) fn over(base: Arc<dyn Clock>) -> Self {
        Self { base, own_millis: 0, ahead_millis: AtomicI64::new(0) }
    }

    /// Runs on from a time with the seconds of this machine.
    pub(super) fn from(begin: Instant) -> Self {
        let clock = Self::default();
        let own_millis = begin.millis() - clock.now().millis();
        Self { own_millis, ahead_millis: AtomicI64::new(own_millis), ..clock }
    }

    pub(crate) fn run_ahead(&self, span: Span) {
        self.ahead_millis.fetch_add(span.millis(), Ordering::SeqCst);
    }

    /// Sets the clock back by a time from its own present; by zero, to that.
    pub(super) fn set_back(&self, span: Span) {
        self.ahead_millis.store(self.own_millis - span.millis(), Ordering::SeqCst);
    }
}

impl Default for DemoClock {
    fn default() -> Self {
        Self::over(Arc::new(SystemClock::default()))
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Instant {
        Instant::from_millis(self.base.now().millis() + self.ahead_millis.load(Ordering::SeqCst))
    }

    fn follow(&self, database: Instant) {
        self.base.follow(database);
    }

    fn doubt_millis(&self) -> i64 {
        self.base.doubt_millis()
    }

    fn confirm(&self) {
        self.base.confirm();
    }

    /// A shifted time is no machine's.
    fn machine(&self) -> Option<Machine> {
        self.base.machine().filter(|_| self.ahead_millis.load(Ordering::SeqCst) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::DemoClock;
    use crate::domain::time::{Instant, Span};
    use crate::engine::clock::Clock;

    #[test]
    fn it_runs_ahead_and_stays_ahead() {
        let clock = DemoClock::default();
        let before = clock.now();
        clock.run_ahead(Span::minutes(3));
        assert!(clock.now().since(before) >= Span::minutes(3));
    }

    #[test]
    fn it_begins_where_it_is_told_to_and_comes_back_there_from_the_past() {
        let begin = Instant::from_millis(1_795_262_400_000);
        let clock = DemoClock::from(begin);
        clock.set_back(Span::DAY);
        assert!(begin.since(clock.now()) > Span::minutes(23 * 60));
        clock.set_back(Span::default());
        let passed = clock.now().since(begin);
        assert!(passed >= Span::default() && passed < Span::minutes(10), "{passed}");
        assert!(clock.machine().is_none(), "a shifted time is no machine's");
    }
}
