//! The writers of a process, one where the database has room for one: a bounded queue, drained into one
//! transaction at a time.
//!
//! Commands that have queued up are committed as one transaction (group commit); none waits for company. They are
//! decided in memory, and the batch is written once, before its commit. Answers go out after the
//! commit. A fault takes the batch back, and each of its commands runs in a transaction of its own. After a commit of
//! unknown fate each command is first looked up by its id: one that is found was done, one that is absent runs again.
//!
//! # Invariants
//! - No answer is given before its commit.
//! - A command that was done is never run again; its answer is given again.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant as Moment};

use crate::domain::ids::CommandId;
use crate::engine::cache::SharedCache;
use crate::engine::clock::Clock;
use crate::engine::guard::Guard;
use crate::engine::houses::Houses;
use crate::engine::ops::ending::end_queued;
use crate::engine::transaction::ChainName;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::{Database, Fault};

mod connection;
mod queue;

use connection::{BatchEntry, Next, WriterConnection, deliver, take_in_flight};
pub use queue::TypedCommand;
pub(crate) use queue::{ASKED_AT, Command, Queue, QueueMessage, QueuedCommand, request};

/// How many commands may wait.
const QUEUE_MAX: usize = 1024;

/// How many commands one transaction takes at most.
pub(crate) const BATCH_MAX: usize = 256;

/// How often a command that met somebody faster is run again: about three seconds, for where many want the same
/// few seats it may well lose twenty times.
const TRIES_MAX: u32 = 100;

/// How long a database that is away is left alone before it is tried again, at first and at last.
const REST_LEAST: Duration = Duration::from_millis(50);
const REST_MOST: Duration = Duration::from_secs(1);

/// How long a command waits at most before it is run again.
const JITTER_MOST: Duration = Duration::from_millis(60);

/// What is said of an operation that panicked.
const DEFECT: &str =
    "a defect in this program stopped the command; nothing was stored, and the desk goes on";

/// What the writer works with.
pub(crate) struct Writer {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) houses: Arc<Houses>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Whether it may write by that clock.
    pub(crate) guard: Arc<Guard>,
    /// The cache that the writers share, where there are several.
    pub(crate) shared: Arc<SharedCache>,
    /// How many commands one transaction takes at most.
    pub(crate) batch_max: usize,
    /// How long a database that went away is waited for before a command is given up.
    pub(crate) patience: Duration,
    /// Whether nobody waits any more.
    pub(crate) stopping: Arc<AtomicBool>,
    /// Called after each commit that stored something, and when the database went away.
    pub(crate) committed: Arc<dyn Fn() + Send + Sync>,
}

impl Writer {
    /// The queue, and the receiving ends to run so many writers on, at least one.
    pub(crate) fn queue(writers: usize) -> (Queue, Vec<Receiver<QueueMessage>>) {
        let (senders, receivers): (Vec<_>, _) =
            (0..writers.max(1)).map(|_| sync_channel(QUEUE_MAX)).unzip();
        (Queue::new(senders), receivers)
    }

    /// Works until told to stop, or until nobody can send any more; what is queued by then is done.
    pub(crate) fn work(&self, queue: &Receiver<QueueMessage>, chain: &ChainName) {
        let mut open: Option<WriterConnection> = None;
        let mut next = Next::Wait;
        loop {
            let first = match next {
                Next::Command(command) => command,
                Next::Wait => match queue.recv() {
                    Ok(QueueMessage::Command(command)) => command,
                    Ok(QueueMessage::Stop) | Err(_) => return,
                },
                Next::Stop => return,
            };
            next = match open.take().map_or_else(|| self.connect(chain), Ok) {
                Ok(connected) => self.batch(open.insert(connected), first, queue),
                Err(fault) => {
                    first.deliver(Some(fault.into()));
                    Next::Wait
                }
            };
        }
    }

    fn connect(&self, chain: &ChainName) -> Result<WriterConnection, Fault> {
        Ok(WriterConnection::new(
            self.database.session()?,
            &self.shared,
            chain.clone(),
        ))
    }

    fn batch(
        &self,
        connection: &mut WriterConnection,
        first: Box<dyn Command>,
        queue: &Receiver<QueueMessage>,
    ) -> Next {
        let mut entries = vec![BatchEntry::new(first)];
        match connection.transaction.begin_optimistic() {
            Ok(()) => {}
            Err(Fault::Unreachable(_) | Fault::Contended) => {
                self.conclude(connection);
                self.run_each_alone(connection, &mut entries);
                return Next::Wait.after(entries);
            }
            Err(fault) => {
                for entry in &mut entries {
                    entry.failure = Some(fault.clone().into());
                }
                return Next::Wait.after(entries);
            }
        }
        let batch_max = connection.batch_limit(self.batch_max);
        let mut next = Next::Wait;
        let mut place = 0;
        while let Some(entry) = entries.get_mut(place) {
            if self.run(connection, entry).is_err() || !connection.transaction.is_open() {
                self.conclude(connection);
                self.run_each_alone(connection, &mut entries);
                return next.after(entries);
            }
            place += 1;
            if place == entries.len() && place < batch_max && matches!(next, Next::Wait) {
                match Next::queued(queue) {
                    Next::Command(command) => entries.push(BatchEntry::new(command)),
                    other @ (Next::Wait | Next::Stop) => next = other,
                }
            }
        }
        self.finish(connection, entries, (next, queue))
    }

    /// Commits a batch, and settles the outcome of its commands: on the commit thread where the next one has come.
    fn finish(
        &self,
        connection: &mut WriterConnection,
        mut entries: Vec<BatchEntry>,
        (mut next, queue): (Next, &Receiver<QueueMessage>),
    ) -> Next {
        if !self.conclude(connection) || connection.answer_again(&mut entries).is_err() {
            self.run_each_alone(connection, &mut entries);
            return next.after(entries);
        }
        if !entries.iter().any(|entry| entry.written) {
            connection.transaction.end();
            return next.after(entries);
        }
        if matches!(next, Next::Wait) {
            next = Next::queued(queue);
        }
        if matches!(next, Next::Command(_)) {
            let in_flight = Arc::clone(&connection.in_flight);
            *in_flight.lock().unwrap_or_else(PoisonError::into_inner) = entries;
            let committed = Arc::clone(&self.committed);
            let stored = move || {
                committed();
                deliver(take_in_flight(&in_flight));
            };
            if matches!(connection.transaction.commit_beside(stored), Ok(true)) {
                return next;
            }
            entries = take_in_flight(&connection.in_flight);
        }
        let committed = connection.transaction.commit();
        self.settle(connection, &mut entries, committed);
        next.after(entries)
    }

    /// Waits for the commit in flight, and settles the outcome of its commands; false when it was not stored, for then
    /// nothing stands that was decided after it.
    fn conclude(&self, connection: &mut WriterConnection) -> bool {
        let Err(fault) = connection.transaction.conclude() else {
            return true;
        };
        let mut entries = take_in_flight(&connection.in_flight);
        self.settle(connection, &mut entries, Err(fault));
        deliver(entries);
        false
    }

    /// Runs each command of a batch by itself whose commit failed.
    fn settle(
        &self,
        connection: &mut WriterConnection,
        entries: &mut [BatchEntry],
        committed: Result<(), Fault>,
    ) {
        match committed {
            Ok(()) => (self.committed)(),
            Err(Fault::Unsure) => {
                for entry in entries.iter_mut() {
                    entry.unsure = entry.written;
                }
                if self.reopen(connection) {
                    self.run_each_alone(connection, entries);
                } else {
                    entries
                        .iter_mut()
                        .filter(|entry| entry.written)
                        .for_each(|entry| entry.failure = Some(Fault::Unsure.into()));
                }
            }
            Err(fault) => {
                if self.database.writers() > 1 {
                    connection.note_conflict(&fault);
                }
                self.run_each_alone(connection, entries);
            }
        }
    }

    /// After a batch that was taken back, or of unknown fate: each command by itself, in a transaction of its own.
    /// One that was done after all is found by its id and not run again.
    fn run_each_alone(&self, connection: &mut WriterConnection, entries: &mut [BatchEntry]) {
        connection.transaction.rollback();
        for entry in entries.iter_mut() {
            self.run_with_retries(connection, entry);
        }
        (self.committed)();
    }

    /// Runs a command until what became of it is known: the one place where anything is tried again.
    fn run_with_retries(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) {
        for tries in 0..TRIES_MAX {
            match self.run_in_own_transaction(connection, entry) {
                Err(Fault::Contended) => self.pause(jitter(entry.command.id(), tries)),
                Err(Fault::Unsure) => {
                    entry.unsure = true;
                    if !self.reopen(connection) {
                        break;
                    }
                }
                Err(Fault::Unreachable(_)) if self.reopen(connection) => {
                    self.pause(jitter(entry.command.id(), tries));
                }
                Ok(()) | Err(_) => break,
            }
        }
        if matches!(entry.failure, Some(Failure::Fault(Fault::Contended))) {
            entry.failure = Some(Fault::Busy.into());
        }
        if entry.unsure && matches!(entry.failure, Some(Failure::Fault(Fault::Unreachable(_)))) {
            entry.failure = Some(Fault::Unsure.into());
        }
    }

    /// Opens the connection anew, as soon as the database is there again; false when it stays away.
    fn reopen(&self, connection: &mut WriterConnection) -> bool {
        let since = *connection.away.get_or_insert_with(Moment::now);
        let mut rest = REST_LEAST;
        loop {
            if connection.transaction.reopen().is_ok() {
                connection.away = None;
                return true;
            }
            // whoever watches sees that it is away
            (self.committed)();
            if since.elapsed() >= self.patience || self.stopping.load(Ordering::Relaxed) {
                return false;
            }
            self.pause(rest);
            rest = (rest * 2).min(REST_MOST);
        }
    }

    fn pause(&self, rest: Duration) {
        if !self.stopping.load(Ordering::Relaxed) {
            std::thread::sleep(rest);
        }
    }

    fn run_in_own_transaction(
        &self,
        connection: &mut WriterConnection,
        entry: &mut BatchEntry,
    ) -> Result<(), Fault> {
        entry.reset();
        connection.transaction.rollback();
        let done = self.run_again(connection, entry);
        match &done {
            Ok(()) => connection.transaction.end(),
            Err(fault) => {
                connection.transaction.rollback();
                entry.failure = Some(fault.clone().into());
            }
        }
        done
    }

    fn run_again(
        &self,
        connection: &mut WriterConnection,
        entry: &mut BatchEntry,
    ) -> Result<(), Fault> {
        connection.transaction.begin()?;
        if !connection.find_again(entry)? {
            self.run(connection, entry)?;
        }
        if entry.written {
            connection.transaction.commit()?;
        }
        Ok(())
    }

    /// Runs one command in the open transaction. A fault while it hands over its changes ends the batch.
    fn run(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) -> Result<(), Fault> {
        match self.decide(connection, entry.command.as_mut())? {
            Ok(true) => entry.written = true,
            Ok(false) => entry.unwritten = true,
            Err(failure) => {
                entry.unwritten = true;
                entry.failure = Some(failure);
            }
        }
        Ok(())
    }

    /// Lets an operation decide at the present time, and adds what it put to the batch; whether that is anything.
    fn decide(
        &self,
        connection: &mut WriterConnection,
        command: &mut dyn Command,
    ) -> Result<Result<bool, Failure>, Fault> {
        let (actor, id) = (command.actor().clone(), command.id());
        if command.confirms_clock() {
            self.clock.confirm();
            self.guard.confirm();
        }
        let now = self.clock.now();
        let admitted = self.guard.admit(|| connection.transaction.committed(), now);
        let mut work =
            UnitOfWork::new(&mut connection.transaction, &self.houses, (&actor, id), now);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            admitted?;
            let answer = command.run(&mut work)?;
            end_queued(&mut work)?;
            Ok(answer)
        }));
        let defect = |_| Err(Fault::Broken(DEFECT.into()).into());
        match ran.unwrap_or_else(defect) {
            Ok(answer) => {
                if command.is_named() {
                    work.keep_answer();
                }
                Ok(Ok(work.finish(command.request(), &answer)?))
            }
            // a fault of a read is no decision
            Err(Failure::Fault(fault @ (Fault::Contended | Fault::Unreachable(_)))) => Err(fault),
            Err(failure) => {
                work.expect_loaded();
                Ok(Err(failure))
            }
        }
    }
}

/// How long a command that met somebody faster steps aside: longer each time, and each command otherwise.
fn jitter(command: CommandId, tries: u32) -> Duration {
    let mut hasher = DefaultHasher::new();
    (command, tries).hash(&mut hasher);
    let most = JITTER_MOST.min(Duration::from_millis(2_u64 << tries.min(6)));
    let part = u32::try_from(hasher.finish() % 1000).unwrap_or_default();
    most * part / 1000
}

#[cfg(test)]
mod tests;
