//! Second tries of commands, after a conflict with another writer, an outage, or a commit of unknown outcome.
//!
//! # Invariants
//! - A command runs again only where nothing of it is stored; after an unsure commit it is looked up by its id first.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant as Moment};

use crate::domain::ids::CommandId;
use crate::engine::work::Failure;
use crate::engine::writer::Writer;
use crate::engine::writer::connection::{BatchEntry, WriterConnection};
use crate::store::Fault;

/// Most further runs of a batch as a whole after a conflict with another writer.
const TOGETHER_MAX: usize = 2;
/// Most retries of a command that conflicts with another writer: about three seconds. Where many
/// want the same few seats, a command may well lose twenty times.
const TRIES_MAX: u32 = 100;
/// Delay between attempts to reach an unreachable database, first and longest.
const REST_LEAST: Duration = Duration::from_millis(50);
const REST_MOST: Duration = Duration::from_secs(1);
/// Longest delay of a retry after a conflict.
const JITTER_MOST: Duration = Duration::from_millis(60);

impl Writer {
    /// Handles the result of a batch: after a conflict its commands run again together, on what is stored now, and on
    /// any other failure each by itself.
    pub(super) fn settle(
        &self,
        connection: &mut WriterConnection,
        entries: &mut [BatchEntry],
        mut committed: Result<(), Fault>,
    ) {
        for _ in 0..TOGETHER_MAX {
            if committed == Err(Fault::Contended) && self.database.writers() > 1 {
                connection.note_conflict();
                committed = self.run_together(connection, entries);
            }
        }
        match committed {
            Ok(()) => (self.committed)(),
            Err(Fault::Unsure) => {
                for entry in entries.iter_mut() {
                    entry.unsure = entry.written;
                }
                if self.reopen(connection) {
                    self.run_each_alone(connection, entries);
                } else {
                    entries.iter_mut().for_each(BatchEntry::give_up);
                }
            }
            Err(_) => self.run_each_alone(connection, entries),
        }
    }

    /// Runs a batch again after a conflict.
    fn run_together(&self, connection: &mut WriterConnection, entries: &mut [BatchEntry]) -> Result<(), Fault> {
        connection.transaction.begin_anew()?;
        for entry in entries.iter_mut() {
            entry.reset();
            self.run(connection, entry)?;
        }
        connection.answer_again(entries)?;
        if entries.iter().any(|entry| entry.written) {
            return connection.transaction.commit();
        }
        connection.transaction.end();
        Ok(())
    }

    /// Runs each command in a transaction of its own, after a batch was rolled back or its outcome
    /// is unknown. A command found by its id was done and does not run again.
    pub(super) fn run_each_alone(&self, connection: &mut WriterConnection, entries: &mut [BatchEntry]) {
        connection.transaction.rollback();
        self.guard.unstamp();
        for entry in entries.iter_mut() {
            self.run_with_retries(connection, entry);
        }
        (self.committed)();
    }

    /// Runs a command until its outcome is known, with retries.
    fn run_with_retries(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) {
        for tries in 0..TRIES_MAX {
            match self.run_in_own_transaction(connection, entry) {
                Err(Fault::Contended) => {
                    connection.transaction.note_conflict();
                    self.pause(jitter(entry.command.id(), tries));
                }
                Err(Fault::Unsure) => {
                    entry.unsure = true;
                    if !self.reopen(connection) {
                        break;
                    }
                }
                // the server may answer, and a machine behind it not
                Err(Fault::Unreachable(_)) if self.reopen(connection) && self.waits(connection) => {
                    self.pause(REST_LEAST * (1 << tries.min(3)));
                }
                Ok(()) | Err(_) => break,
            }
        }
        if matches!(entry.failure, Some(Failure::Fault(Fault::Contended))) {
            entry.failure = Some(Fault::Busy.into());
        }
        if entry.unsure && matches!(entry.failure, Some(Failure::Fault(_))) {
            entry.failure = Some(Fault::Unsure.into());
        }
    }

    /// Reconnects as soon as the database is reachable; false if it stays away too long.
    fn reopen(&self, connection: &mut WriterConnection) -> bool {
        let since = *connection.away.get_or_insert_with(Moment::now);
        let mut rest = REST_LEAST;
        loop {
            if connection.transaction.reopen().is_ok() {
                return true;
            }
            // tells watchers about the outage
            (self.committed)();
            if since.elapsed() >= self.patience || self.stopping.load(Ordering::Relaxed) {
                return false;
            }
            self.pause(rest);
            rest = (rest * 2).min(REST_MOST);
        }
    }

    /// Returns whether the outage is shorter than patience lasts; where there is none, each command has its tries.
    fn waits(&self, connection: &WriterConnection) -> bool {
        self.patience.is_zero() || connection.away.is_none_or(|since| since.elapsed() < self.patience)
    }

    fn pause(&self, rest: Duration) {
        if !self.stopping.load(Ordering::Relaxed) {
            std::thread::sleep(rest);
        }
    }

    fn run_in_own_transaction(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) -> Result<(), Fault> {
        entry.reset();
        connection.transaction.rollback();
        let done = self.run_again(connection, entry);
        match &done {
            Ok(()) => {
                connection.away = None;
                connection.transaction.end();
            }
            Err(fault) => {
                connection.transaction.rollback();
                entry.failure = Some(fault.clone().into());
            }
        }
        done
    }

    fn run_again(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) -> Result<(), Fault> {
        connection.transaction.begin()?;
        let is_done = connection.find_again(entry)?;
        entry.unsure = false;
        if !is_done {
            self.run(connection, entry)?;
        }
        if entry.written {
            connection.transaction.commit()?;
        }
        Ok(())
    }
}

/// Delay of a retry: longer with each try, and pseudo-random per command.
fn jitter(command: CommandId, tries: u32) -> Duration {
    let mut hasher = DefaultHasher::new();
    (command, tries).hash(&mut hasher);
    let most = JITTER_MOST.min(Duration::from_millis(2_u64 << tries.min(6)));
    let part = u32::try_from(hasher.finish() % 1000).unwrap_or_default();
    most * part / 1000
}
