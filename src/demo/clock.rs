//! The demo's clock: the machine's time plus jumps ahead, so that a deadline needs no waiting.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::domain::time::{Instant, Span};
use crate::engine::clock::{Clock, SystemClock};

/// The machine's time and the sum of all jumps; never goes back.
#[derive(Debug, Default)]
pub struct DemoClock {
    machine: SystemClock,
    ahead_millis: AtomicI64,
}

impl DemoClock {
    /// Advances the clock at once.
    pub fn run_ahead(&self, span: Span) {
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
