//! Thread that runs due jobs of built-in kinds: sleeps until the next due time, or a signal.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::house::Settings;
use crate::domain::time::Instant;
use crate::engine::Desk;
use crate::engine::jobs::due::{self, Kinds};
use crate::engine::jobs::step;
use crate::engine::machine::changes::Watch;
use crate::engine::machine::signal::{Signal, Woken};
use crate::engine::ops::BeginTidying;
use crate::store::{Fault, Reader};

/// Polling interval for jobs of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Delay before a retry after a machinery fault.
const REST: Duration = Duration::from_secs(1);

/// Runs due jobs.
pub(crate) struct Runner {
    desk: Desk,
    reader: Box<dyn Reader>,
    watch: Watch,
    next: Option<Instant>,
    /// The first write of this process is done.
    begun: bool,
}

impl Runner {
    pub(crate) fn new(desk: Desk, reader: Box<dyn Reader>) -> Self {
        Self { watch: Watch::on(desk.shared.database.as_ref()), desk, reader, next: None, begun: false }
    }

    /// Works until told to stop; a step already begun is finished.
    pub(crate) fn work(mut self, signal: &Arc<Signal>) {
        let mut wait = Duration::ZERO;
        loop {
            match signal.wait(wait) {
                Woken::Stopped => return,
                Woken::Raised if !wait.is_zero() => {
                    std::thread::sleep(self.desk.shared.database.settle());
                }
                Woken::Raised | Woken::TimedOut => {}
            }
            // a failed tick is retried after a rest; no rule depends on it
            wait = self.tick().unwrap_or(REST);
        }
    }

    /// Polls, runs a few due checks, and returns how long to sleep.
    pub(super) fn tick(&mut self) -> Result<Duration, crate::engine::Failure> {
        if !self.begun && self.desk.clock_doubt_millis() == 0 && self.desk.clock_doubt().is_none() {
            // the first write of an open desk: it decides whether the clock agrees
            self.desk.run(BeginTidying)?;
            self.begun = true;
        }
        if !self.desk.may_end() {
            return Ok(LOOK_EVERY);
        }
        self.look()?;
        let until_due = |due: Instant, now: Instant| Duration::from_millis(due.since(now).millis().unsigned_abs());
        let wait = self.next.map(|due| until_due(due, self.desk.now()));
        if wait == Some(Duration::ZERO) {
            // the next due time is read again, because the change counter may miss this step's changes
            self.watch.forget();
            let step = step(&self.desk, Kinds::BuiltIn, &Signal::default())?;
            return Ok(if step.made > 0 { Duration::ZERO } else { LOOK_EVERY });
        }
        Ok(wait.map_or(LOOK_EVERY, |wait| wait.min(LOOK_EVERY)))
    }

    /// Reads the next due time, after a commit.
    fn look(&mut self) -> Result<(), Fault> {
        if self.watch.changed(self.reader.as_mut())? {
            let kinds = (Kinds::BuiltIn, &Settings::default());
            self.next = due::next_due(self.reader.as_mut(), kinds, &[])?;
            self.watch.looked();
        }
        Ok(())
    }
}
