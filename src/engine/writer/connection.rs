//! Connection of a writer, and the entries of its batch.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant as Moment};

use parking_lot::Mutex;

use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::machine::cache::SharedCache;
use crate::engine::transaction::{ChainName, Transaction};
use crate::engine::work::Failure;
use crate::engine::writer::request::DoneRequest;
use crate::engine::writer::{Command, QueueMessage};
use crate::store::document::{self, DocKind};
use crate::store::journal::moved::MOVED_IN;
use crate::store::journal::{AnsweredCommand, committed_commands, find_command};
use crate::store::{Database, Fault};

/// Longest wait for a command while the end of a commit is to be noticed, too.
pub(super) const POLL: Duration = Duration::from_micros(100);

/// Command of a batch with its outcome.
pub(super) struct BatchEntry {
    pub(super) command: Box<dyn Command>,
    pub(super) failure: Option<Failure>,
    pub(super) written: bool,
    /// A commit of it ended without an answer.
    pub(super) unsure: bool,
    /// The command ran and had nothing to write: its answer rests on what the batch was decided on.
    pub(super) unwritten: bool,
    /// Refusals that were not firm, newest last.
    refusals: Vec<Failure>,
}

/// Most runs of a command whose refusal each time is another one.
const REFUSALS_MAX: usize = 3;

impl BatchEntry {
    pub(super) fn new(command: Box<dyn Command>) -> Self {
        Self { command, failure: None, written: false, unsure: false, unwritten: false, refusals: Vec::new() }
    }

    /// Sets the outcome when a commit is uncertain and the database stays away. A command that wrote nothing was
    /// decided on it as well: its refusal is not firm.
    pub(super) fn give_up(&mut self) {
        let fault = match (self.written, self.unwritten) {
            (true, _) => Fault::Unsure,
            (false, true) => Fault::Unreachable("nothing of this command was stored".into()),
            (false, false) => return,
        };
        self.failure = Some(fault.into());
    }

    /// Returns whether a refusal that may rest on rows of several moments is firm: the run before was refused alike.
    pub(super) fn is_refused_again(&mut self, failure: &Failure) -> bool {
        let is_firm = !matches!(failure, Failure::Refused(_))
            || self.refusals.last() == Some(failure)
            || self.refusals.len() >= REFUSALS_MAX;
        self.refusals.push(failure.clone());
        is_firm
    }

    /// Clears the outcome before another run.
    pub(super) fn reset(&mut self) {
        (self.failure, self.written, self.unwritten) = (None, false, false);
    }

    /// Sets the answer of a completed command, or the refusal that its id was used for another request.
    fn answer_again(&mut self, done: &AnsweredCommand, transaction: &mut Transaction) -> Result<(), Fault> {
        let request = DoneRequest::read(&done.request);
        let mut words = |kind: DocKind, key: &str| -> Result<String, Fault> {
            let stored = transaction.load(kind, vec![key.to_owned()])?.pop().and_then(|(_, known)| known);
            Ok(stored.map(|stored| stored.words.clone()).unwrap_or_default())
        };
        let salt = request.sealed_by().map(|(kind, key)| words(kind, key)).transpose()?;
        let salt = salt.map(|words| document::salt(&words)).filter(|salt| !salt.is_empty());
        let mut texts = Vec::new();
        for place in &done.places {
            let text = place_of(place).map(|(kind, key, number)| {
                let (_, mut texts) = document::texts(&words(kind, key)?);
                Ok::<_, Fault>((number <= texts.len()).then(|| texts.swap_remove(number - 1)))
            });
            texts.push(text.transpose()?.flatten().unwrap_or_default());
        }
        // the answer is that of another run
        self.unwritten = false;
        self.failure = if request.is_of(MOVED_IN) {
            let command = done.command.clone();
            Some(Refusal::DoneBefore { command }.into())
        } else if self.command.request().is_same(&request, salt.as_deref()) {
            self.command.replay(&done.answer, texts).err()
        } else {
            let command = done.command.clone();
            Some(Refusal::CommandReused { command }.into())
        };
        Ok(())
    }
}

/// Document and number of a private text, as an answer in the journal names them.
fn place_of(place: &str) -> Option<(DocKind, &str, usize)> {
    let (kind, rest) = place.split_once(' ')?;
    let (key, number) = rest.rsplit_once(' ')?;
    Some((DocKind::from_word(kind)?, key, number.parse().ok().filter(|number| *number > 0)?))
}

/// Next step after a batch.
pub(super) enum Next {
    /// Wait for the next message.
    Wait,
    /// Run a command already received.
    Command(Box<dyn Command>),
    /// Stop.
    Stop,
}

impl Next {
    /// Takes the next message if one is queued.
    pub(super) fn queued(queue: &Receiver<QueueMessage>) -> Self {
        queue.try_recv().map_or(Self::Wait, Self::from)
    }

    /// Answers a batch first, then goes on with this step.
    pub(super) fn after(self, entries: Vec<BatchEntry>) -> Self {
        deliver(entries);
        self
    }
}

impl From<QueueMessage> for Next {
    fn from(message: QueueMessage) -> Self {
        match message {
            QueueMessage::Command(command) => Self::Command(command),
            QueueMessage::Stop => Self::Stop,
        }
    }
}

/// Sends the answer of each command of a batch.
pub(super) fn deliver(entries: Vec<BatchEntry>) {
    for entry in entries {
        entry.command.deliver(entry.failure);
    }
}

/// Batches whose commit or flush is in flight, oldest first; each is answered by the flush thread once it is stored,
/// otherwise by the writer.
pub(super) type InFlight = Arc<Mutex<VecDeque<Vec<BatchEntry>>>>;

/// Connection of a writer with its batch state.
pub(super) struct WriterConnection {
    pub(super) transaction: Transaction,
    /// Batches in flight, until they are answered.
    pub(super) in_flight: InFlight,
    /// Start of the current outage of the database, until a batch begins or a command is done again.
    pub(super) away: Option<Moment>,
    /// Most commands in a transaction: grows with each, and halves with a conflict.
    limit: usize,
}

impl WriterConnection {
    pub(super) fn new(
        database: &Arc<dyn Database>,
        shared: &Arc<SharedCache>,
        chain: ChainName,
    ) -> Result<Self, Fault> {
        Ok(Self {
            transaction: Transaction::new(database, shared, chain)?,
            in_flight: InFlight::default(),
            away: None,
            limit: usize::MAX,
        })
    }

    /// Most commands in the next transaction: few after a conflict, because all of them run again.
    pub(super) fn batch_limit(&mut self, batch_max: usize) -> usize {
        self.limit = self.limit.saturating_add(1).min(batch_max);
        self.limit
    }

    /// Takes the next message for an open batch; while a commit is in flight, the batch cannot be sent and waits for more.
    pub(super) fn next_for_batch(&mut self, queue: &Receiver<QueueMessage>) -> Next {
        loop {
            let next = Next::queued(queue);
            if !matches!(next, Next::Wait) || !self.transaction.is_committing() {
                return next;
            }
            if let Ok(message) = queue.recv_timeout(POLL) {
                return message.into();
            }
        }
    }

    /// Halves the next transactions after a conflict with another writer.
    pub(super) const fn note_conflict(&mut self) {
        self.transaction.note_conflict();
        self.limit /= 2;
    }

    /// Looks up a command by its id; if it was done, sets its stored answer, or the refusal that
    /// the id is used.
    pub(super) fn find_again(&mut self, entry: &mut BatchEntry) -> Result<bool, Fault> {
        let id = entry.command.id().to_string();
        let found = find_command(self.transaction.session()?, &id)?;
        if let Some(done) = &found {
            entry.answer_again(done, &mut self.transaction)?;
        }
        Ok(found.is_some())
    }

    /// Sets the stored answers of commands that wrote nothing but were done before.
    pub(super) fn answer_again(&mut self, entries: &mut [BatchEntry]) -> Result<(), Fault> {
        let written = entries.iter().filter(|entry| entry.written);
        let here: HashSet<CommandId> = written.map(|entry| entry.command.id()).collect();
        for entry in entries.iter_mut().filter(|entry| entry.unwritten) {
            // a command sent twice may have been done in this batch
            if here.contains(&entry.command.id()) {
                entry.written = self.find_again(entry)?;
            }
        }
        self.set_answers(entries, |transaction, ids| committed_commands(transaction.begun()?, ids))
    }

    /// Sets the stored answers beside a commit in flight; false if one of the commands may be in a batch that is not
    /// stored yet.
    pub(super) fn answer_again_beside(&mut self, entries: &mut [BatchEntry]) -> Result<bool, Fault> {
        let unwritten = entries.iter().filter(|entry| entry.unwritten);
        let asked: HashSet<CommandId> = unwritten.map(|entry| entry.command.id()).collect();
        let is_asked = |entry: &BatchEntry| entry.written && asked.contains(&entry.command.id());
        let in_flight = self.in_flight.lock();
        if in_flight.iter().flatten().chain(&*entries).any(is_asked) {
            return Ok(false);
        }
        drop(in_flight);
        self.set_answers(entries, Transaction::find_beside)?;
        Ok(true)
    }

    fn set_answers(
        &mut self,
        entries: &mut [BatchEntry],
        find: impl FnOnce(&mut Transaction, &[String]) -> Result<Vec<AnsweredCommand>, Fault>,
    ) -> Result<(), Fault> {
        let unwritten = entries.iter().filter(|entry| entry.unwritten);
        let ids: Vec<String> = unwritten.map(|entry| entry.command.id().to_string()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        for done in find(&mut self.transaction, &ids)? {
            let is_it = |entry: &&mut BatchEntry| entry.unwritten && entry.command.id().to_string() == done.command;
            for entry in entries.iter_mut().filter(is_it) {
                entry.answer_again(&done, &mut self.transaction)?;
            }
        }
        Ok(())
    }
}
