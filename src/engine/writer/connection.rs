//! A writer's connection, and the commands of a batch.

use std::collections::HashSet;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant as Moment;

use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::cache::SharedCache;
use crate::engine::transaction::{ChainName, Transaction};
use crate::engine::work::Failure;
use crate::engine::writer::queue::is_same;
use crate::engine::writer::{Command, QueueMessage};
use crate::store::journal::{AnsweredCommand, committed_commands, find_command};
use crate::store::{Fault, Session};

/// How many transactions take one command each after another writer was met.
const CAREFUL_FOR: u32 = 64;

/// A command of a batch with what became of it.
pub(super) struct BatchEntry {
    pub(super) command: Box<dyn Command>,
    pub(super) failure: Option<Failure>,
    pub(super) written: bool,
    /// Whether a commit of it went without an answer.
    pub(super) unsure: bool,
    /// Whether it ran and had nothing to write.
    pub(super) unwritten: bool,
}

impl BatchEntry {
    pub(super) fn new(command: Box<dyn Command>) -> Self {
        Self {
            command,
            failure: None,
            written: false,
            unsure: false,
            unwritten: false,
        }
    }

    /// As before it was run.
    pub(super) fn reset(&mut self) {
        (self.failure, self.written, self.unwritten) = (None, false, false);
    }

    fn answer_again(&mut self, done: &AnsweredCommand) {
        self.failure = if is_same(&done.request, self.command.request()) {
            self.command.replay(&done.answer).err()
        } else {
            let command = done.command.clone();
            Some(Refusal::CommandReused { command }.into())
        };
    }
}

/// What comes after a batch.
pub(super) enum Next {
    /// Whatever is sent.
    Wait,
    /// A command that has come already.
    Command(Box<dyn Command>),
    /// Nothing any more.
    Stop,
}

impl Next {
    /// What has come already.
    pub(super) fn queued(queue: &Receiver<QueueMessage>) -> Self {
        match queue.try_recv() {
            Ok(QueueMessage::Command(command)) => Self::Command(command),
            Ok(QueueMessage::Stop) => Self::Stop,
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => Self::Wait,
        }
    }

    /// This, once a batch is answered.
    pub(super) fn after(self, entries: Vec<BatchEntry>) -> Self {
        deliver(entries);
        self
    }
}

/// Answers each command of a batch.
pub(super) fn deliver(entries: Vec<BatchEntry>) {
    for entry in entries {
        entry.command.deliver(entry.failure);
    }
}

/// Commands that two threads may answer: the commit thread when they are stored, the writer when they are not.
pub(super) type InFlight = Arc<Mutex<Vec<BatchEntry>>>;

/// Takes the commands in flight.
pub(super) fn take_in_flight(in_flight: &InFlight) -> Vec<BatchEntry> {
    std::mem::take(&mut in_flight.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A writer's connection.
pub(super) struct WriterConnection {
    pub(super) transaction: Transaction,
    /// The commands of the commit in flight, until they are answered.
    pub(super) in_flight: InFlight,
    /// Since when the database is away.
    pub(super) away: Option<Moment>,
    /// How many more transactions take one command each, since another writer was met.
    careful: u32,
}

impl WriterConnection {
    pub(super) fn new(
        session: Box<dyn Session>,
        shared: &Arc<SharedCache>,
        chain: ChainName,
    ) -> Self {
        Self {
            transaction: Transaction::new(session, shared, chain),
            in_flight: InFlight::default(),
            away: None,
            careful: 0,
        }
    }

    /// How many commands the next transaction takes: one while others write the same, for all of them run again.
    pub(super) const fn batch_limit(&mut self, batch_max: usize) -> usize {
        if self.careful == 0 {
            return batch_max;
        }
        self.careful -= 1;
        1
    }

    /// Notes a commit that met another writer.
    pub(super) fn note_conflict(&mut self, fault: &Fault) {
        if *fault == Fault::Contended {
            self.careful = CAREFUL_FOR;
        }
    }

    /// Whether the command was done before; then it has its answer again, or the refusal that its id is taken.
    pub(super) fn find_again(&mut self, entry: &mut BatchEntry) -> Result<bool, Fault> {
        let id = entry.command.id().to_string();
        let found = find_command(self.transaction.session()?, &id)?;
        if let Some(done) = &found {
            entry.answer_again(done);
        }
        Ok(found.is_some())
    }

    /// Answers commands that wrote nothing as before, where they were done before.
    pub(super) fn answer_again(&mut self, entries: &mut [BatchEntry]) -> Result<(), Fault> {
        let ids = |entries: &[BatchEntry], of: fn(&BatchEntry) -> bool| -> Vec<CommandId> {
            let of = entries.iter().filter(|entry| of(entry));
            of.map(|entry| entry.command.id()).collect()
        };
        let asked: Vec<String> = ids(entries, |entry| entry.unwritten)
            .iter()
            .map(CommandId::to_string)
            .collect();
        if asked.is_empty() {
            return Ok(());
        }
        let here: HashSet<CommandId> = ids(entries, |entry| entry.written).into_iter().collect();
        let before = committed_commands(self.transaction.committed()?, &asked)?;
        for entry in entries.iter_mut().filter(|entry| entry.unwritten) {
            // one that was sent twice may have been done in this very batch
            if here.contains(&entry.command.id()) {
                self.find_again(entry)?;
                continue;
            }
            let id = entry.command.id().to_string();
            if let Some(done) = before.iter().find(|done| done.command == id) {
                entry.answer_again(done);
            }
        }
        Ok(())
    }
}
