//! The one writer of a process: a bounded queue, drained into one transaction at a time.
//!
//! Whatever has queued up is committed as one transaction (group commit), and nobody waits for company.
//! Answers go out after the commit. A fault undoes one command, or, when it ended the transaction, sends
//! every command of the batch to be looked up by its id: found means done, absent means run again.
//!
//! # Invariants
//! - No answer is given before its commit.
//! - A command that was done is never run again; its answer is given again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};

use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::clock::Clock;
use crate::engine::houses::Houses;
use crate::engine::work::{Actor, Failure, Operation, Work};
use crate::store::document::find_command;
use crate::store::{Database, Fault, Session};

/// How many commands may wait.
const QUEUE_MAX: usize = 1024;

/// How many commands one transaction takes at most.
const BATCH_MAX: usize = 256;

/// How often a command that met somebody faster is run again.
const TRIES_MAX: u32 = 20;

/// A command on its way: an operation with its id, its actor, and whoever waits for the answer.
pub(crate) trait Command: Send {
    fn id(&self) -> CommandId;
    fn actor(&self) -> &Actor;
    fn request(&self) -> &str;
    /// Runs the operation and gives its answer as JSON; the answer itself is kept for later.
    fn run(&mut self, work: &mut Work<'_>) -> Result<String, Failure>;
    /// Takes the answer that the journal has.
    fn replay(&mut self, answer: &str) -> Result<(), Failure>;
    /// Hands the answer, or why there is none, to whoever waits.
    fn deliver(self: Box<Self>, failure: Option<Failure>);
}

/// An operation as a [`Command`].
pub(crate) struct Asked<O: Operation, F> {
    id: CommandId,
    actor: Actor,
    request: String,
    operation: O,
    answer: Option<O::Answer>,
    reply: F,
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>) + Send> Asked<O, F> {
    pub(crate) fn new(id: CommandId, actor: Actor, operation: O, reply: F) -> Self {
        let contents = serde_json::to_string(&operation).unwrap_or_default();
        let request = format!(r#"{{"{}":{contents}}}"#, O::VERB);
        Self {
            id,
            actor,
            request,
            operation,
            answer: None,
            reply,
        }
    }
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>) + Send> Command for Asked<O, F> {
    fn id(&self) -> CommandId {
        self.id
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn request(&self) -> &str {
        &self.request
    }

    fn run(&mut self, work: &mut Work<'_>) -> Result<String, Failure> {
        let answer = self.operation.run(work)?;
        let text =
            serde_json::to_string(&answer).map_err(|error| Fault::Broken(error.to_string()))?;
        self.answer = Some(answer);
        Ok(text)
    }

    fn replay(&mut self, answer: &str) -> Result<(), Failure> {
        self.answer =
            Some(serde_json::from_str(answer).map_err(|error| Fault::Broken(error.to_string()))?);
        Ok(())
    }

    fn deliver(self: Box<Self>, failure: Option<Failure>) {
        let missing = || Failure::Fault(Fault::Broken("the command was not run".into()));
        (self.reply)(match (failure, self.answer) {
            (Some(failure), _) => Err(failure),
            (None, answer) => answer.ok_or_else(missing),
        });
    }
}

/// What goes through the queue.
pub(crate) enum Message {
    Command(Box<dyn Command>),
    Stop,
}

/// The way into the queue.
#[derive(Clone)]
pub(crate) struct Queue(SyncSender<Message>);

impl Queue {
    /// Enters the queue, or hands the command its failure when it is full.
    pub(crate) fn offer(&self, command: Box<dyn Command>) {
        match self.0.try_send(Message::Command(command)) {
            Ok(()) => {}
            Err(TrySendError::Full(message)) => turn_away(message, Fault::Busy),
            Err(TrySendError::Disconnected(message)) => {
                turn_away(message, Fault::Unreachable("the desk has stopped".into()))
            }
        }
    }

    /// Enters the queue, waiting for room.
    pub(crate) fn wait(&self, command: Box<dyn Command>) {
        if let Err(error) = self.0.send(Message::Command(command)) {
            turn_away(error.0, Fault::Unreachable("the desk has stopped".into()));
        }
    }

    pub(crate) fn stop(&self) {
        // a writer that is gone has stopped
        let _ = self.0.send(Message::Stop);
    }
}

fn turn_away(message: Message, fault: Fault) {
    if let Message::Command(command) = message {
        command.deliver(Some(fault.into()));
    }
}

/// What the writer works with.
pub(crate) struct Writer {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) houses: Arc<Houses>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Called after each commit that stored something.
    pub(crate) committed: Box<dyn Fn() + Send>,
}

/// A command of a batch with what became of it.
struct Entry {
    command: Box<dyn Command>,
    failure: Option<Failure>,
    written: bool,
}

impl Writer {
    /// The queue, and the receiving end to run the writer on.
    pub(crate) fn queue() -> (Queue, Receiver<Message>) {
        let (sender, receiver) = sync_channel(QUEUE_MAX);
        (Queue(sender), receiver)
    }

    /// Works until told to stop, or until nobody can send any more; what is queued by then is done.
    pub(crate) fn work(&self, queue: &Receiver<Message>) {
        let mut session: Option<Box<dyn Session>> = None;
        while let Ok(Message::Command(first)) = queue.recv() {
            if session.is_none() {
                match self.database.session() {
                    Ok(opened) => session = Some(opened),
                    Err(fault) => {
                        first.deliver(Some(fault.into()));
                        continue;
                    }
                }
            }
            let Some(open) = session.as_mut() else {
                continue;
            };
            let (entries, stopped) = self.batch(open.as_mut(), first, queue);
            for entry in entries {
                entry.command.deliver(entry.failure);
            }
            if stopped {
                return;
            }
        }
    }

    fn batch(
        &self,
        session: &mut dyn Session,
        first: Box<dyn Command>,
        queue: &Receiver<Message>,
    ) -> (Vec<Entry>, bool) {
        let mut entries = vec![Entry {
            command: first,
            failure: None,
            written: false,
        }];
        let mut stopped = false;
        if let Err(fault) = session.begin() {
            entries
                .iter_mut()
                .for_each(|entry| entry.failure = Some(fault.clone().into()));
            return (entries, false);
        }
        let mut place = 0;
        while let Some(entry) = entries.get_mut(place) {
            self.settle(session, entry);
            if !session.is_open() {
                break;
            }
            place += 1;
            if place == entries.len() && place < BATCH_MAX && !stopped {
                match queue.try_recv() {
                    Ok(Message::Command(command)) => entries.push(Entry {
                        command,
                        failure: None,
                        written: false,
                    }),
                    Ok(Message::Stop) => stopped = true,
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
                }
            }
        }
        self.finish(session, &mut entries);
        (entries, stopped)
    }

    fn finish(&self, session: &mut dyn Session, entries: &mut [Entry]) {
        let lost = if session.is_open() {
            if entries.iter().any(|entry| entry.written) {
                session.commit().err()
            } else {
                session.rollback();
                None
            }
        } else {
            session.rollback();
            Some(Fault::Full)
        };
        match lost {
            None => {
                if entries.iter().any(|entry| entry.written) {
                    (self.committed)();
                }
            }
            Some(Fault::Unsure) => self.resolve_unsure(session, entries),
            Some(fault) => {
                // the whole batch was taken back: what each wrote is gone with it
                for entry in entries.iter_mut().filter(|entry| entry.written) {
                    entry.failure = Some(fault.clone().into());
                }
            }
        }
    }

    /// Runs one command in the open transaction until nobody is faster.
    fn settle(&self, session: &mut dyn Session, entry: &mut Entry) {
        for _ in 0..TRIES_MAX {
            let ran = self.run_once(session, entry.command.as_mut());
            match ran {
                Ok(written) => {
                    entry.written = written;
                    entry.failure = None;
                    return;
                }
                Err(Failure::Fault(Fault::Contended)) if session.is_open() => {
                    entry.failure = Some(Fault::Contended.into());
                }
                Err(failure) => {
                    entry.failure = Some(failure);
                    return;
                }
            }
        }
    }

    fn run_once(
        &self,
        session: &mut dyn Session,
        command: &mut dyn Command,
    ) -> Result<bool, Failure> {
        if replayed(session, command)? {
            return Ok(false);
        }
        let (id, actor, request) = (
            command.id(),
            command.actor().clone(),
            command.request().to_owned(),
        );
        let mut work = Work::new(session, &self.houses, &actor, self.clock.now());
        let answer =
            catch_unwind(AssertUnwindSafe(|| command.run(&mut work))).unwrap_or_else(|_| {
                Err(Fault::Broken("the operation failed inside; nothing was stored".into()).into())
            })?;
        Ok(work.write(id, &request, &answer)?)
    }

    /// After a commit of unknown fate: each command is looked up by its id; found is done, absent runs again.
    fn resolve_unsure(&self, session: &mut dyn Session, entries: &mut [Entry]) {
        let reopened = session.reopen();
        for entry in entries.iter_mut().filter(|entry| entry.written) {
            let again = match &reopened {
                Ok(()) => self.once_more(session, entry),
                Err(fault) => Err(fault.clone()),
            };
            entry.failure = match again {
                Ok(()) => entry.failure.take(),
                Err(_) => Some(Fault::Unsure.into()),
            };
        }
        (self.committed)();
    }

    fn once_more(&self, session: &mut dyn Session, entry: &mut Entry) -> Result<(), Fault> {
        session.begin()?;
        self.settle(session, entry);
        session.commit()
    }
}

/// Whether the command was done before; then it has its answer again.
fn replayed(session: &mut dyn Session, command: &mut dyn Command) -> Result<bool, Failure> {
    let id = command.id().to_string();
    let Some((request, answer)) = find_command(session, &id)? else {
        return Ok(false);
    };
    if request != command.request() {
        return Err(Refusal::CommandReused { command: id }.into());
    }
    command.replay(&answer)?;
    Ok(true)
}
