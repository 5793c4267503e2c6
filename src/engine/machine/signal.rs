//! A wake-up signal between threads (condition variable): raised after a commit, and at the end.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};

#[derive(Debug, Default)]
struct SignalState {
    raised: bool,
    stopped: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Signal {
    state: Mutex<SignalState>,
    bell: Condvar,
}

/// Reason a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    Raised,
    TimedOut,
    Stopped,
}

impl Signal {
    pub(crate) fn raise(&self) {
        self.change(|state| state.raised = true);
    }

    pub(crate) fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    fn change(&self, act: impl FnOnce(&mut SignalState)) {
        act(&mut self.state.lock());
        self.bell.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        let state = self.state.lock();
        state.stopped
    }

    /// Waits until the signal is raised or stopped, at most for `longest`.
    pub(crate) fn wait(&self, longest: Duration) -> Woken {
        let mut state = self.state.lock();
        let waiting = |state: &mut SignalState| !state.raised && !state.stopped;
        self.bell.wait_while_for(&mut state, waiting, longest);
        if state.stopped {
            return Woken::Stopped;
        }
        if std::mem::take(&mut state.raised) { Woken::Raised } else { Woken::TimedOut }
    }
}
