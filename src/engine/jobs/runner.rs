//! The thread that runs what comes due: it sleeps until the next due instant, or a nudge.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::time::Instant;
use crate::engine::Desk;
use crate::engine::changes::Watch;
use crate::engine::jobs::{due, step};
use crate::engine::ops::{BeginTidying, GiveHalls};
use crate::engine::signal::{Signal, Woken};
use crate::store::{Fault, Reader};

/// How often another process's jobs are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long it rests when machinery has failed.
const REST: Duration = Duration::from_secs(1);

/// Runs what comes due.
pub(crate) struct Runner {
    desk: Desk,
    reader: Box<dyn Reader>,
    watch: Watch,
    next: Option<Instant>,
    /// Whether the tidying has begun.
    begun: bool,
}

impl Runner {
    pub(crate) fn new(desk: Desk, reader: Box<dyn Reader>) -> Self {
        Self {
            watch: Watch::on(desk.shared.database.as_ref()),
            desk,
            reader,
            next: None,
            begun: false,
        }
    }

    /// Works until told to stop; a step that has begun is finished.
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
            // a failed tick is retried after a rest; no rule depends on this
            wait = self.tick().unwrap_or(REST);
        }
    }

    /// Looks, runs a few checks when some are due, and gives how long to sleep.
    pub(super) fn tick(&mut self) -> Result<Duration, crate::engine::Failure> {
        if self.desk.clock_doubt_millis() != 0 || self.desk.clock_doubt().is_some() {
            return Ok(LOOK_EVERY);
        }
        if !self.begun {
            // the first write of an open desk: from here on it is known whether the clock is in doubt
            self.desk.run(BeginTidying)?;
            let _ = self.desk.run(GiveHalls);
            self.begun = true;
        }
        self.look()?;
        let until_due = |due: Instant, now: Instant| {
            Duration::from_millis(due.since(now).millis().unsigned_abs())
        };
        let wait = self.next.map(|due| until_due(due, self.desk.now()));
        if wait == Some(Duration::ZERO) {
            // where the database cannot tell what the step changed, the next due time is read again
            self.watch.forget();
            let step = step(&self.desk)?;
            return Ok(if step.made > 0 {
                Duration::ZERO
            } else {
                LOOK_EVERY
            });
        }
        Ok(wait.map_or(LOOK_EVERY, |wait| wait.min(LOOK_EVERY)))
    }

    /// Finds the next due time, when anybody has committed.
    fn look(&mut self) -> Result<(), Fault> {
        if self.watch.changed(self.reader.as_mut())? {
            self.next = due::next_due(self.reader.as_mut())?;
            self.watch.looked();
        }
        Ok(())
    }
}
