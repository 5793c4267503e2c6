//! Watcher: detects commits and sends notices.
//!
//! Own commits raise a [`Signal`]; other processes' commits are found by polling the change counter, or by a
//! notification. The journal then names the changed documents, which are sent as a [`Notice`].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant as Moment};

use crate::domain::time::Instant;
use crate::engine::machine::changes::Watch;
use crate::engine::machine::shared::Shared;
use crate::engine::machine::signal::{Signal, Woken};
use crate::engine::notice::{self, Notice, Reached};
use crate::store::document::DocKind;
use crate::store::document::settings;
use crate::store::kinds::SETTINGS_KEY;
use crate::store::{Bell, Database, Fault, Reader};

/// Polling interval for commits of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Least interval between notifications to other stations.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Timeout of one wait for a notification.
const HEAR_FOR: Duration = Duration::from_millis(50);

/// Delay before listening again to a server that went away.
const HEAR_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Polls for commits on a separate reader, from its creation.
pub(in crate::engine) struct Watcher {
    reader: Box<dyn Reader>,
    watch: Watch,
    /// Journal position up to which notices were sent.
    reached: Reached,
    /// Last confirmation of the clocks by an operator.
    confirmed: Option<Instant>,
    /// Time of the last notification to other stations.
    told_at: Option<Moment>,
}

impl Watcher {
    /// Creates a watcher that reports every later commit.
    pub(in crate::engine) fn new(database: &dyn Database) -> Result<Self, Fault> {
        let (mut reader, mut watch) = (database.reader()?, Watch::on(database));
        watch.changed(reader.as_mut())?;
        watch.looked();
        Ok(Self {
            watch,
            reached: Reached::at(notice::newest(reader.as_mut())?),
            confirmed: settings(reader.as_mut())?.clock_confirmed_at,
            told_at: None,
            reader,
        })
    }

    /// Watches until told to stop. A fault is retried at the next poll; no rule depends on the watcher.
    pub(in crate::engine) fn work(mut self, shared: &Shared, signal: &Signal) {
        loop {
            let woken = signal.wait(LOOK_EVERY);
            match woken {
                Woken::Stopped => return,
                Woken::Raised if self.tell_others(shared) => {
                    std::thread::sleep(shared.database.settle());
                }
                Woken::TimedOut => drop(self.tell_others(shared)),
                Woken::Raised => {}
            }
            let looked = self.look(shared, woken == Woken::Raised);
            tell_away(shared, matches!(looked, Err(Fault::Unreachable(_))).then(|| shared.clock.now()));
        }
    }

    /// Notifies other stations of a commit, at most ten times a second; returns whether one is
    /// pending or sent. A station that misses the notification polls.
    fn tell_others(&mut self, shared: &Shared) -> bool {
        if !shared.untold.load(Ordering::Relaxed) {
            return false;
        }
        if self.told_at.is_none_or(|at| at.elapsed() >= TELL_EVERY) {
            shared.untold.store(false, Ordering::Relaxed);
            self.told_at = Some(Moment::now());
            // stations that miss the notification poll
            let _ = self.reader.ring();
        }
        true
    }

    /// Sends a notice of the commits since the last poll, if any.
    fn look(&mut self, shared: &Shared, is_told: bool) -> Result<(), Fault> {
        if !self.watch.changed(self.reader.as_mut())? && !is_told {
            return Ok(());
        }
        let has_moved = self.watch.has_moved();
        // read before the receivers are counted, so that a receiver added later misses nothing
        let newest = notice::newest(self.reader.as_mut())?;
        if shared.notices.receiver_count() == 0 {
            self.reached = Reached::at(newest);
            self.confirm(shared)?;
        } else {
            let notice = self.reached.tell(self.reader.as_mut())?;
            if notice.touches(DocKind::Settings, SETTINGS_KEY) {
                self.confirm(shared)?;
            }
            if has_moved || notice != Notice::default() {
                // the subscribers may be gone
                let _ = shared.notices.send(Arc::new(notice));
            }
        }
        self.watch.looked();
        Ok(())
    }

    /// Follows the machine's clock again after an operator's confirmation, and checks that the clock agrees.
    fn confirm(&mut self, shared: &Shared) -> Result<(), Fault> {
        let confirmed = settings(self.reader.as_mut())?.clock_confirmed_at;
        if confirmed != self.confirmed {
            self.confirmed = confirmed;
            shared.clock.confirm();
            if let Some(at) = confirmed {
                shared.guard.heard(at, shared.clock.now());
            }
        }
        Ok(())
    }
}

/// Announces the start and end of an outage of the database, once each. After an outage everything is read again.
fn tell_away(shared: &Shared, since: Option<Instant>) {
    if since.is_some() == shared.away.borrow().is_some() {
        return;
    }
    if since.is_none() {
        // the subscribers may be gone
        let _ = shared.notices.send(Arc::new(Notice { everything: true, ..Notice::default() }));
    }
    shared.away.send_replace(since);
}

/// LISTEN loop: wakes the watcher when another station sends a notification, while anyone subscribes to notices.
pub(in crate::engine) fn hear(shared: &Shared, (watching, signal): (&Signal, &Signal)) {
    let mut bell: Option<Box<dyn Bell>> = None;
    while !signal.is_stopped() {
        let rest = match bell.take() {
            // where polling sees every commit at once, notifications are not needed
            _ if shared.database.tells_of_commits() => return,
            _ if shared.notices.receiver_count() == 0 => LOOK_EVERY,
            None => match shared.database.bell() {
                Ok(None) => return,
                Ok(opened) => {
                    bell = opened;
                    continue;
                }
                Err(_) => HEAR_AGAIN_AFTER,
            },
            Some(mut listening) => match listening.hear(HEAR_FOR) {
                Ok(heard) => {
                    if heard {
                        watching.raise();
                    }
                    bell = Some(listening);
                    continue;
                }
                Err(_) => HEAR_AGAIN_AFTER,
            },
        };
        if signal.wait(rest) == Woken::Stopped {
            return;
        }
    }
}

/// Least delay between a commit and a checkpoint: a frequently written page then reaches the file
/// once, and the first commit after a checkpoint costs an extra flush.
const TIDY_REST: Duration = Duration::from_millis(5);

/// Time without a commit that counts as a lull.
const LULL: Duration = Duration::from_micros(100);

/// Longest wait for a lull.
const LULL_WITHIN: Duration = Duration::from_millis(20);

/// Checkpoints the write-ahead log beside the writer, a while after a commit and in a lull: a commit during the
/// checkpoint waits for its pages.
pub(in crate::engine) fn tidy(mut reader: Box<dyn Reader>, signal: &Signal) {
    loop {
        match signal.wait(Duration::from_hours(1)) {
            Woken::Stopped => return,
            Woken::TimedOut => {}
            Woken::Raised => {
                std::thread::sleep(TIDY_REST);
                if lull(signal) == Woken::Stopped {
                    return;
                }
                // a checkpoint that fails is repeated after the next commit, or by the writer
                let _ = reader.tidy();
            }
        }
    }
}

/// Waits for a lull, at most [`LULL_WITHIN`]. Polls, because waking this thread would slow down each commit.
fn lull(signal: &Signal) -> Woken {
    let since = Moment::now();
    loop {
        std::thread::sleep(LULL);
        match signal.wait(Duration::ZERO) {
            Woken::Raised if since.elapsed() < LULL_WITHIN => {}
            woken @ (Woken::Raised | Woken::TimedOut | Woken::Stopped) => return woken,
        }
    }
}
