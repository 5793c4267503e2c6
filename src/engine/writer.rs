//! Writers of a process: one on a file, several on a server. Each drains a bounded queue into one
//! transaction at a time.
//!
//! Queued commands are committed as one transaction (group commit). A batch waits for more of them only
//! while the batch before is being committed. Commands are decided in memory; the batch is written once,
//! before its commit, and answered after it. After a conflict with another writer of a server the batch
//! runs again on what is stored now. Any other fault rolls the batch back, and each of its commands runs
//! again in a transaction of its own. After a commit of unknown outcome each command is first looked up
//! by its id: found means done, absent means run again. Where machines answer at moments of their own, a refusal that
//! rests on more than loaded documents is told once it comes twice.
//!
//! # Invariants
//! - No answer is given before its commit is flushed.
//! - A completed command never runs again; its stored answer is returned.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvError, sync_channel};
use std::time::Duration;

use crate::engine::clock::Clock;
use crate::engine::machine::cache::SharedCache;
use crate::engine::machine::guard::Guard;
use crate::engine::ops::ending::end_late_owners;
use crate::engine::plans::PlanCache;
use crate::engine::transaction::ChainName;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::{Database, Fault};

mod connection;
mod queue;
mod request;
mod retry;

use connection::{BatchEntry, Next, POLL, WriterConnection, deliver};
pub(crate) use queue::{Command, Queue, QueueMessage, QueuedCommand};
pub(crate) use request::Request;
pub use request::line_with_file;

/// Queue capacity, in commands.
const QUEUE_MAX: usize = 1024;

/// Most commands per transaction.
pub(crate) const BATCH_MAX: usize = 192;

/// Least commands of a batch that is committed beside later decisions though no further command is queued.
const BESIDE_LEAST: usize = 16;

/// Failure text of an operation that panicked.
const DEFECT: &str = "a defect in this program stopped the command; nothing was stored, and the desk goes on";

/// Dependencies and limits of a writer thread.
pub(crate) struct Writer {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) plans: Arc<PlanCache>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Admits writes if the clock agrees with the house.
    pub(crate) guard: Arc<Guard>,
    /// Cache shared with the other writers of the process.
    pub(crate) shared: Arc<SharedCache>,
    /// Most commands per transaction.
    pub(crate) batch_max: usize,
    /// Time limit of an outage, after which commands fail.
    pub(crate) patience: Duration,
    /// Ends waits and retries, because the engine is stopping.
    pub(crate) stopping: Arc<AtomicBool>,
    /// Called after each commit that stored something, and when the database becomes unreachable.
    pub(crate) committed: Arc<dyn Fn() + Send + Sync>,
}

impl Writer {
    /// Creates the queue, and one receiver per writer, at least one.
    pub(crate) fn queue(writers: usize) -> (Queue, Vec<Receiver<QueueMessage>>) {
        let (senders, receivers): (Vec<_>, _) = (0..writers.max(1)).map(|_| sync_channel(QUEUE_MAX)).unzip();
        (Queue::new(senders), receivers)
    }

    /// Works until told to stop, or until all senders are gone; commands already queued are
    /// completed.
    pub(crate) fn work(&self, queue: &Receiver<QueueMessage>, chain: &ChainName) {
        let mut open: Option<WriterConnection> = None;
        let mut next = Next::Wait;
        loop {
            let first = match next {
                Next::Command(command) => command,
                Next::Wait => match self.wait(open.as_mut(), queue) {
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

    /// Waits for the next message; before it stops, and before it waits for long, the commits in flight are concluded.
    fn wait(
        &self,
        open: Option<&mut WriterConnection>,
        queue: &Receiver<QueueMessage>,
    ) -> Result<QueueMessage, RecvError> {
        let mut message = None;
        if let Some(connection) = open {
            while message.is_none() && connection.transaction.is_in_flight() {
                message = queue.recv_timeout(POLL).ok();
            }
            if !matches!(message, Some(QueueMessage::Command(_))) {
                self.conclude(connection);
            }
        }
        message.map_or_else(|| queue.recv(), Ok)
    }

    fn connect(&self, chain: &ChainName) -> Result<WriterConnection, Fault> {
        WriterConnection::new(&self.database, &self.shared, chain.clone())
    }

    fn batch(
        &self,
        connection: &mut WriterConnection,
        first: Box<dyn Command>,
        queue: &Receiver<QueueMessage>,
    ) -> Next {
        let mut entries = vec![BatchEntry::new(first)];
        match connection.transaction.begin_optimistic() {
            Ok(()) => connection.away = None,
            Err(Fault::Unreachable(_) | Fault::Contended) => {
                self.conclude(connection);
                self.run_each_alone(connection, &mut entries);
                return Next::Wait.after(entries);
            }
            Err(fault) => {
                self.conclude(connection);
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
            let ran = self.run(connection, entry);
            if ran.is_err() || !connection.transaction.is_open() {
                self.conclude(connection);
                // a full disk ends a transaction by itself
                self.settle(connection, &mut entries, ran.and(Err(Fault::Full)));
                return next.after(entries);
            }
            place += 1;
            if place == entries.len() && place < batch_max && matches!(next, Next::Wait) {
                match connection.next_for_batch(queue) {
                    Next::Command(command) => entries.push(BatchEntry::new(command)),
                    other @ (Next::Wait | Next::Stop) => next = other,
                }
            }
        }
        self.finish(connection, entries, (next, queue))
    }

    /// Commits a batch and settles the outcome of its commands: on the commit thread if the desk is busy.
    fn finish(
        &self,
        connection: &mut WriterConnection,
        mut entries: Vec<BatchEntry>,
        (mut next, queue): (Next, &Receiver<QueueMessage>),
    ) -> Next {
        let is_written = |entries: &[BatchEntry]| entries.iter().any(|entry| entry.written);
        if is_written(&entries) {
            if matches!(next, Next::Wait) {
                next = Next::queued(queue);
            }
            let is_busy = matches!(next, Next::Command(_)) || entries.len() >= BESIDE_LEAST;
            if is_busy && !matches!(next, Next::Stop) {
                match self.commit_beside(connection, entries) {
                    None => return next,
                    Some(uncommitted) => entries = uncommitted,
                }
            }
        }
        if !self.conclude(connection) {
            self.run_each_alone(connection, &mut entries);
            return next.after(entries);
        }
        if let Err(fault) = connection.answer_again(&mut entries) {
            self.settle(connection, &mut entries, Err(fault));
            return next.after(entries);
        }
        if !is_written(&entries) {
            connection.transaction.end();
            return next.after(entries);
        }
        let committed = connection.transaction.commit();
        self.settle(connection, &mut entries, committed);
        next.after(entries)
    }

    /// Gives a batch to the commit thread; returns it if that is not possible.
    fn commit_beside(
        &self,
        connection: &mut WriterConnection,
        mut entries: Vec<BatchEntry>,
    ) -> Option<Vec<BatchEntry>> {
        if !connection.transaction.decides_ahead() || connection.answer_again_beside(&mut entries) != Ok(true) {
            return Some(entries);
        }
        let in_flight = Arc::clone(&connection.in_flight);
        in_flight.lock().push_back(entries);
        let committed = Arc::clone(&self.committed);
        let stored = move || {
            committed();
            let oldest = in_flight.lock().pop_front();
            deliver(oldest.unwrap_or_default());
        };
        if connection.transaction.commit_beside(stored).is_ok() {
            return None;
        }
        connection.in_flight.lock().pop_back()
    }

    /// Waits for the commits in flight and settles the outcome of their commands; false if one was not
    /// stored, because then everything decided after it is void.
    fn conclude(&self, connection: &mut WriterConnection) -> bool {
        let Err(fault) = connection.transaction.conclude() else {
            return true;
        };
        let in_flight = std::mem::take(&mut *connection.in_flight.lock());
        let mut entries: Vec<BatchEntry> = in_flight.into_iter().flatten().collect();
        self.settle(connection, &mut entries, Err(fault));
        deliver(entries);
        false
    }

    /// Runs one command in the open transaction. A fault while its changes join the batch ends the
    /// batch.
    fn run(&self, connection: &mut WriterConnection, entry: &mut BatchEntry) -> Result<(), Fault> {
        match self.decide(connection, entry.command.as_mut())? {
            Ok(true) => entry.written = true,
            Ok(false) => entry.unwritten = true,
            Err(failure) if connection.transaction.is_of_one_moment() || entry.is_refused_again(&failure) => {
                entry.unwritten = true;
                entry.failure = Some(failure);
            }
            Err(_) => return Err(Fault::Contended),
        }
        Ok(())
    }

    /// Runs an operation at the present time and adds its changes to the batch; returns whether
    /// there are any.
    fn decide(
        &self,
        connection: &mut WriterConnection,
        command: &mut dyn Command,
    ) -> Result<Result<bool, Failure>, Fault> {
        let (actor, authority, id) = (command.actor().clone(), command.authority(), command.id());
        if command.confirms_clock() {
            self.clock.confirm();
            self.guard.confirm();
        }
        let (now, machine) = (self.clock.now(), self.clock.machine());
        let admitted = self.guard.admit(|| Ok(connection.transaction.begun()?), now, machine);
        let mut work = UnitOfWork::new(&mut connection.transaction, &self.plans, (&actor, id), now);
        work.act_under(authority);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            work.end_nothing_until(admitted?);
            let answer = command.run(&mut work)?;
            end_late_owners(&mut work)?;
            work.tell_changes()?;
            Ok(answer)
        }));
        let defect = |_| Err(Fault::Broken(DEFECT.into()).into());
        match ran.unwrap_or_else(defect) {
            Ok(answer) => {
                if command.is_named() {
                    work.keep_answer();
                }
                let request = command.request().text(work.salt().as_ref());
                let written = work.finish(request, answer)?;
                let stamp = written.then(|| self.guard.stamp(now, machine, &actor.station));
                if let Some(stamp) = stamp.flatten() {
                    connection.transaction.add_beside(stamp.write()?);
                }
                Ok(Ok(written))
            }
            // a failed read decides nothing
            Err(Failure::Fault(fault @ (Fault::Contended | Fault::Unreachable(_)))) => Err(fault),
            Err(failure) => {
                work.expect_loaded();
                Ok(Err(failure))
            }
        }
    }
}

#[cfg(test)]
mod tests;
