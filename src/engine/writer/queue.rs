//! Commands and the queue to the writers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::thread::JoinHandle;

use parking_lot::Mutex;

use crate::domain::ids::CommandId;
use crate::domain::private;
use crate::engine::work::{Actor, Authority, Failure, Operation, UnitOfWork};
use crate::engine::writer::request::Request;
use crate::store::Fault;

/// Stations of a writer, before the next one starts.
const STATIONS_AT_ONCE: usize = 8;

/// Queued command: an operation with its id, its actor, and the callback for the answer.
pub(crate) trait Command: Send {
    fn id(&self) -> CommandId;
    fn actor(&self) -> &Actor;
    fn authority(&self) -> Authority;
    fn request(&self) -> &Request;
    /// Returns whether it confirms this process's clock.
    fn confirms_clock(&self) -> bool {
        false
    }
    /// Returns whether the sender chose its id, which may be sent again.
    fn is_named(&self) -> bool {
        false
    }
    /// Runs the operation and returns its answer as JSON with its private texts apart; the typed answer is kept for `deliver`.
    fn run(&mut self, work: &mut UnitOfWork<'_>) -> Result<(String, Vec<String>), Failure>;
    /// Takes the answer stored in the journal, with the private texts as they are now.
    fn replay(&mut self, answer: &str, texts: Vec<String>) -> Result<(), Failure>;
    /// Delivers the answer or the failure.
    fn deliver(self: Box<Self>, failure: Option<Failure>);
}

/// Operation as a [`Command`]. The callback is always called: a command dropped before it ran, as
/// when the writer has stopped, reports that.
pub(crate) struct QueuedCommand<O: Operation, F: FnOnce(Result<O::Answer, Failure>)> {
    id: CommandId,
    actor: Actor,
    authority: Authority,
    request: Request,
    is_named: bool,
    operation: O,
    answer: Option<O::Answer>,
    reply: Option<F>,
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>)> Drop for QueuedCommand<O, F> {
    fn drop(&mut self) {
        if let Some(reply) = self.reply.take() {
            reply(Err(Fault::Unreachable("the desk has stopped".into()).into()));
        }
    }
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>) + Send> QueuedCommand<O, F> {
    pub(crate) fn new(id: CommandId, actor: Actor, operation: O, reply: F) -> Self {
        Self {
            id,
            actor,
            authority: Authority::Named,
            request: Request::of(&operation),
            is_named: false,
            operation,
            answer: None,
            reply: Some(reply),
        }
    }

    /// Runs it under a proof of who acts.
    pub(crate) fn under(mut self, authority: Authority) -> Self {
        self.authority = authority;
        self
    }

    /// Marks its id as chosen by the sender, and adds the hash of the typed line.
    pub(crate) fn named(mut self, line: Option<&str>) -> Self {
        self.is_named = true;
        if let Some(line) = line {
            self.request.add_line(line);
        }
        self
    }
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>) + Send> Command for QueuedCommand<O, F> {
    fn id(&self) -> CommandId {
        self.id
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn authority(&self) -> Authority {
        self.authority.clone()
    }

    fn request(&self) -> &Request {
        &self.request
    }

    fn confirms_clock(&self) -> bool {
        O::CONFIRMS_CLOCK
    }

    fn is_named(&self) -> bool {
        self.is_named
    }

    fn run(&mut self, work: &mut UnitOfWork<'_>) -> Result<(String, Vec<String>), Failure> {
        let answer = work.perform(&self.operation)?;
        let (text, texts) = private::apart(|| serde_json::to_string(&answer));
        self.answer = Some(answer);
        Ok((text.map_err(|error| Fault::Broken(error.to_string()))?, texts))
    }

    fn replay(&mut self, answer: &str, texts: Vec<String>) -> Result<(), Failure> {
        let answer = private::together(texts, || serde_json::from_str(answer));
        self.answer = Some(answer.map_err(|error| Fault::Broken(error.to_string()))?);
        Ok(())
    }

    fn deliver(mut self: Box<Self>, failure: Option<Failure>) {
        let missing = || Failure::Fault(Fault::Broken("the command was not run".into()));
        let answer = match (failure, self.answer.take()) {
            (Some(failure), _) => Err(failure),
            (None, answer) => answer.ok_or_else(missing),
        };
        if let Some(reply) = self.reply.take() {
            reply(answer);
        }
    }
}

/// Message of a queue.
pub(crate) enum QueueMessage {
    Command(Box<dyn Command>),
    Stop,
}

/// Body of a writer thread.
pub(crate) type WriterWork = Box<dyn FnOnce() + Send>;

/// Threads of the writers: each is started by its first command, so a question starts none.
#[derive(Default)]
pub(crate) struct Crew {
    waiting: Mutex<Vec<WriterWork>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Crew {
    /// Starts the first threads up to a number. If one cannot start, its commands report that the
    /// desk has stopped.
    pub(crate) fn start(&self, number: usize) -> Result<(), Fault> {
        let mut waiting = self.waiting.lock();
        let mut threads = self.threads.lock();
        let more = number.saturating_sub(threads.len()).min(waiting.len());
        for work in waiting.drain(..more) {
            let thread = std::thread::Builder::new().name("willcall-writer".into());
            let spawned = thread.spawn(work);
            threads.push(spawned.map_err(|error| Fault::Broken(error.to_string()))?);
        }
        Ok(())
    }

    /// Waits for the threads to end, and discards those never started.
    pub(crate) fn join(&self) {
        let mut waiting = self.waiting.lock();
        waiting.clear();
        let mut threads = self.threads.lock();
        for thread in threads.drain(..) {
            // a thread that panicked has already reported it
            let _ = thread.join();
        }
    }
}

/// Queues of the writers. A station always uses the same one: its commands stay in order, and two
/// writers never write the same station's document.
#[derive(Clone)]
pub(crate) struct Queue {
    ways: Arc<[SyncSender<QueueMessage>]>,
    stations: Arc<Mutex<HashMap<String, usize>>>,
    crew: Arc<Crew>,
}

impl Queue {
    pub(super) fn new(ways: Vec<SyncSender<QueueMessage>>) -> Self {
        Self { ways: ways.into(), stations: Arc::default(), crew: Arc::default() }
    }

    /// Threads of the writers.
    pub(crate) fn crew(&self) -> &Crew {
        &self.crew
    }

    /// Registers a thread body to start with the first command.
    pub(crate) fn hire(&self, work: WriterWork) {
        let mut waiting = self.crew.waiting.lock();
        waiting.push(work);
    }

    /// Returns the queue of a station's writer. A writer is filled before the next one starts: commands that share a
    /// transaction cost less than half of what they cost apart.
    fn way(&self, actor: &Actor) -> Option<&SyncSender<QueueMessage>> {
        let mut stations = self.stations.lock();
        let next = stations.len() / STATIONS_AT_ONCE % self.ways.len();
        let place = *stations.entry(actor.station.clone()).or_insert(next);
        // a command whose writer cannot start is dropped, which reports the failure
        let _ = self.crew.start(place + 1);
        self.ways.get(place)
    }

    /// Enqueues a command; a full queue delivers [`Fault::Busy`].
    pub(crate) fn offer(&self, command: Box<dyn Command>) {
        let Some(way) = self.way(command.actor()) else {
            return;
        };
        match way.try_send(QueueMessage::Command(command)) {
            Err(TrySendError::Full(QueueMessage::Command(command))) => {
                command.deliver(Some(Fault::Busy.into()));
            }
            // a command without a receiver is dropped, which reports the failure
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }

    /// Enqueues a command, blocking while the queue is full.
    pub(crate) fn wait(&self, command: Box<dyn Command>) {
        if let Some(way) = self.way(command.actor()) {
            // a command without a receiver is dropped, which reports the failure
            let _ = way.send(QueueMessage::Command(command));
        }
    }

    pub(crate) fn stop(&self) {
        for way in self.ways.iter() {
            // a closed queue means that the writer has stopped
            let _ = way.send(QueueMessage::Stop);
        }
    }
}
