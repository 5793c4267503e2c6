//! The writers of a process, one where the database has room for one: a bounded queue, drained into one
//! transaction at a time.
//!
//! Commands that have queued up are committed as one transaction (group commit); none waits for company. They are
//! decided in memory, and the batch is written once, before its commit ([`Transaction`]). Answers go out after the
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
use crate::engine::work::{Failure, Work};
use crate::store::{Database, Fault};

mod open;
mod queue;

use open::{Entry, Next, Open, deliver, take_in_flight};
pub use queue::Typed;
pub(crate) use queue::{ASKED_AT, Asked, Command, Message, Queue, request};

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
    pub(crate) fn queue(writers: usize) -> (Queue, Vec<Receiver<Message>>) {
        let (senders, receivers): (Vec<_>, _) =
            (0..writers.max(1)).map(|_| sync_channel(QUEUE_MAX)).unzip();
        (Queue::new(senders), receivers)
    }

    /// Works until told to stop, or until nobody can send any more; what is queued by then is done.
    pub(crate) fn work(&self, queue: &Receiver<Message>) {
        let mut open: Option<Open> = None;
        let mut next = Next::Wait;
        loop {
            let first = match next {
                Next::Command(command) => command,
                Next::Wait => match queue.recv() {
                    Ok(Message::Command(command)) => command,
                    Ok(Message::Stop) | Err(_) => return,
                },
                Next::Stop => return,
            };
            next = match open.take().map_or_else(|| self.connect(), Ok) {
                Ok(connected) => self.batch(open.insert(connected), first, queue),
                Err(fault) => {
                    first.deliver(Some(fault.into()));
                    Next::Wait
                }
            };
        }
    }

    fn connect(&self) -> Result<Open, Fault> {
        Ok(Open::new(self.database.session()?, &self.shared))
    }

    fn batch(&self, open: &mut Open, first: Box<dyn Command>, queue: &Receiver<Message>) -> Next {
        let mut entries = vec![Entry::new(first)];
        match open.transaction.begin_optimistic() {
            Ok(()) => {}
            Err(Fault::Unreachable(_) | Fault::Contended) => {
                self.conclude(open);
                self.one_by_one(open, &mut entries);
                return Next::Wait.after(entries);
            }
            Err(fault) => {
                for entry in &mut entries {
                    entry.failure = Some(fault.clone().into());
                }
                return Next::Wait.after(entries);
            }
        }
        let batch_max = open.batch_limit(self.batch_max);
        let mut next = Next::Wait;
        let mut place = 0;
        while let Some(entry) = entries.get_mut(place) {
            if self.run(open, entry).is_err() || !open.transaction.is_open() {
                self.conclude(open);
                self.one_by_one(open, &mut entries);
                return next.after(entries);
            }
            place += 1;
            if place == entries.len() && place < batch_max && matches!(next, Next::Wait) {
                match Next::come(queue) {
                    Next::Command(command) => entries.push(Entry::new(command)),
                    other @ (Next::Wait | Next::Stop) => next = other,
                }
            }
        }
        self.finish(open, entries, (next, queue))
    }

    /// Commits a batch, and settles the outcome of its commands: on the commit thread where the next one has come.
    fn finish(
        &self,
        open: &mut Open,
        mut entries: Vec<Entry>,
        (mut next, queue): (Next, &Receiver<Message>),
    ) -> Next {
        if !self.conclude(open) || open.answer_again(&mut entries).is_err() {
            self.one_by_one(open, &mut entries);
            return next.after(entries);
        }
        if !entries.iter().any(|entry| entry.written) {
            open.transaction.end();
            return next.after(entries);
        }
        if matches!(next, Next::Wait) {
            next = Next::come(queue);
        }
        if matches!(next, Next::Command(_)) {
            let in_flight = Arc::clone(&open.in_flight);
            *in_flight.lock().unwrap_or_else(PoisonError::into_inner) = entries;
            let committed = Arc::clone(&self.committed);
            let stored = move || {
                committed();
                deliver(take_in_flight(&in_flight));
            };
            if matches!(open.transaction.commit_beside(stored), Ok(true)) {
                return next;
            }
            entries = take_in_flight(&open.in_flight);
        }
        let committed = open.transaction.commit();
        self.settle(open, &mut entries, committed);
        next.after(entries)
    }

    /// Waits for the commit in flight, and settles the outcome of its commands; false when it was not stored, for then
    /// nothing stands that was decided after it.
    fn conclude(&self, open: &mut Open) -> bool {
        let Err(fault) = open.transaction.conclude() else {
            return true;
        };
        let mut entries = take_in_flight(&open.in_flight);
        self.settle(open, &mut entries, Err(fault));
        deliver(entries);
        false
    }

    /// Runs each command of a batch by itself whose commit failed.
    fn settle(&self, open: &mut Open, entries: &mut [Entry], committed: Result<(), Fault>) {
        match committed {
            Ok(()) => (self.committed)(),
            Err(Fault::Unsure) => {
                for entry in entries.iter_mut() {
                    entry.unsure = entry.written;
                }
                if self.reopen(open) {
                    self.one_by_one(open, entries);
                } else {
                    entries
                        .iter_mut()
                        .filter(|entry| entry.written)
                        .for_each(|entry| entry.failure = Some(Fault::Unsure.into()));
                }
            }
            Err(fault) => {
                if self.database.writers() > 1 {
                    open.note_conflict(&fault);
                }
                self.one_by_one(open, entries);
            }
        }
    }

    /// After a batch that was taken back, or of unknown fate: each command by itself, in a transaction of its own.
    /// One that was done after all is found by its id and not run again.
    fn one_by_one(&self, open: &mut Open, entries: &mut [Entry]) {
        open.transaction.rollback();
        for entry in entries.iter_mut() {
            self.insist(open, entry);
        }
        (self.committed)();
    }

    /// Runs a command until what became of it is known: the one place where anything is tried again.
    fn insist(&self, open: &mut Open, entry: &mut Entry) {
        for tries in 0..TRIES_MAX {
            match self.alone(open, entry) {
                Err(Fault::Contended) => self.pause(jitter(entry.command.id(), tries)),
                Err(Fault::Unsure) => {
                    entry.unsure = true;
                    if !self.reopen(open) {
                        break;
                    }
                }
                Err(Fault::Unreachable(_)) if self.reopen(open) => {
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
    fn reopen(&self, open: &mut Open) -> bool {
        let since = *open.away.get_or_insert_with(Moment::now);
        let mut rest = REST_LEAST;
        loop {
            if open.transaction.reopen().is_ok() {
                open.away = None;
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

    fn alone(&self, open: &mut Open, entry: &mut Entry) -> Result<(), Fault> {
        entry.reset();
        open.transaction.rollback();
        let done = self.try_alone(open, entry);
        match &done {
            Ok(()) => open.transaction.end(),
            Err(fault) => {
                open.transaction.rollback();
                entry.failure = Some(fault.clone().into());
            }
        }
        done
    }

    fn try_alone(&self, open: &mut Open, entry: &mut Entry) -> Result<(), Fault> {
        open.transaction.begin()?;
        if !open.find_again(entry)? {
            self.run(open, entry)?;
        }
        if entry.written {
            open.transaction.commit()?;
        }
        Ok(())
    }

    /// Runs one command in the open transaction. A fault while it hands over its changes ends the batch.
    fn run(&self, open: &mut Open, entry: &mut Entry) -> Result<(), Fault> {
        match self.decide(open, entry.command.as_mut())? {
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
        open: &mut Open,
        command: &mut dyn Command,
    ) -> Result<Result<bool, Failure>, Fault> {
        let (actor, id) = (command.actor().clone(), command.id());
        if command.confirms_clock() {
            self.clock.confirm();
            self.guard.confirm();
        }
        let now = self.clock.now();
        let admitted = self.guard.admit(|| open.transaction.committed(), now);
        let mut work = Work::new(&mut open.transaction, &self.houses, (&actor, id), now);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            admitted.and_then(|()| command.run(&mut work))
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
