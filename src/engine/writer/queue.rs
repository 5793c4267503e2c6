//! The way to the writers: commands, and the queue that they wait in.

use std::collections::HashMap;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::domain::ids::CommandId;
use crate::domain::time::Instant;
use crate::engine::work::{Actor, Failure, Operation, UnitOfWork};
use crate::store::Fault;

/// The present by which the times of a request were read, among its contents.
pub(crate) const ASKED_AT: &str = "asked_at";

/// The start of the hash of a typed line, at the end of a request; no string in its JSON has this in it.
const LINE: &str = r#""line":""#;

/// The origin of a command that may be sent again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedCommand {
    /// The present by which its times were read.
    pub asked_at: Option<Instant>,
    /// A hash of the line as it was typed: the same line under the same id is the same request.
    pub line: Option<String>,
}

/// Parts the hash of a line from that of a file.
const FILE: char = '.';

impl TypedCommand {
    /// The hash of a line that reads a file: the same line with other contents is another request.
    #[must_use]
    pub fn line_with_file(line: &str, contents: &str) -> String {
        format!("{line}{FILE}{contents}")
    }
}

/// Whether two requests ask the same: by the line that was typed, or else by what was read from it; always of the same
/// file.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (parts(one), parts(other));
    one.verb == other.verb
        && one.file() == other.file()
        && (one.contents == other.contents || one.line.is_some() && one.line == other.line)
}

/// A request in its parts.
struct Parts<'a> {
    verb: &'a str,
    contents: &'a str,
    line: Option<&'a str>,
}

impl Parts<'_> {
    /// The hash of the file that it read.
    fn file(&self) -> Option<&str> {
        self.line?.split_once(FILE).map(|(_, file)| file)
    }
}

fn parts(request: &str) -> Parts<'_> {
    let (contents, line) = match request.rsplit_once(LINE) {
        Some((contents, line)) => (contents.trim_end_matches(','), Some(line)),
        None => (request.strip_suffix("}}").unwrap_or(request), None),
    };
    let verb = request.split(':').next().unwrap_or_default();
    Parts {
        verb,
        contents,
        line,
    }
}

/// A command on its way: an operation with its id, its actor, and whoever waits for the answer.
pub(crate) trait Command: Send {
    fn id(&self) -> CommandId;
    fn actor(&self) -> &Actor;
    fn request(&self) -> &str;
    /// Whether it confirms this process's clock.
    fn confirms_clock(&self) -> bool {
        false
    }
    /// Whether its id was given by who sends it, and may come again.
    fn is_named(&self) -> bool {
        false
    }
    /// Runs the operation and gives its answer as JSON; the answer itself is kept for later.
    fn run(&mut self, work: &mut UnitOfWork<'_>) -> Result<String, Failure>;
    /// Takes the answer that the journal has.
    fn replay(&mut self, answer: &str) -> Result<(), Failure>;
    /// Hands the answer, or why there is none, to whoever waits.
    fn deliver(self: Box<Self>, failure: Option<Failure>);
}

/// An operation as a [`Command`]. Whoever waits is told in any case: one that is dropped on its way, as when the
/// writer has stopped, was not run.
pub(crate) struct QueuedCommand<O: Operation, F: FnOnce(Result<O::Answer, Failure>)> {
    id: CommandId,
    actor: Actor,
    request: String,
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

/// What an operation asks, as the journal keeps it.
pub(crate) fn request<O: Operation>(operation: &O) -> String {
    let contents = serde_json::to_string(operation).unwrap_or_default();
    format!(r#"{{"{}":{contents}}}"#, O::VERB)
}

impl<O: Operation, F: FnOnce(Result<O::Answer, Failure>) + Send> QueuedCommand<O, F> {
    pub(crate) fn new(id: CommandId, actor: Actor, operation: O, reply: F) -> Self {
        Self {
            id,
            actor,
            request: request(&operation),
            is_named: false,
            operation,
            answer: None,
            reply: Some(reply),
        }
    }

    /// The same under an id that may come again.
    pub(crate) fn named(mut self, typed: &TypedCommand) -> Self {
        self.is_named = true;
        let at = typed.asked_at.map(Instant::millis);
        let fields = [
            at.map(|at| format!(r#""{ASKED_AT}":{at}"#)),
            typed.line.as_ref().map(|line| format!(r#"{LINE}{line}""#)),
        ];
        for field in fields.into_iter().flatten() {
            if let Some(begun) = self.request.strip_suffix("}}") {
                let comma = if begun.ends_with('{') { "" } else { "," };
                self.request = format!("{begun}{comma}{field}}}}}");
            }
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

    fn request(&self) -> &str {
        &self.request
    }

    fn confirms_clock(&self) -> bool {
        O::CONFIRMS_CLOCK
    }

    fn is_named(&self) -> bool {
        self.is_named
    }

    fn run(&mut self, work: &mut UnitOfWork<'_>) -> Result<String, Failure> {
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

/// What goes through the queue.
pub(crate) enum QueueMessage {
    Command(Box<dyn Command>),
    Stop,
}

/// A writer's work.
pub(crate) type WriterWork = Box<dyn FnOnce() + Send>;

/// The threads of the writers: started by the first command, so a question starts none.
#[derive(Default)]
pub(crate) struct Crew {
    waiting: Mutex<Vec<WriterWork>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Crew {
    /// Starts the threads that are not there yet. Where one cannot be, its commands are told that the desk has stopped.
    pub(crate) fn start(&self) -> Result<(), Fault> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for work in waiting.drain(..) {
            let thread = std::thread::Builder::new().name("willcall-writer".into());
            let spawned = thread.spawn(work);
            let thread = spawned.map_err(|error| Fault::Broken(error.to_string()))?;
            let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            threads.push(thread);
        }
        Ok(())
    }

    /// Waits for the threads to end; those that were never started never will be.
    pub(crate) fn join(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.clear();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // a thread that panicked has told so already
            let _ = thread.join();
        }
    }
}

/// The way into the queues, one for each writer. What one station asks stays in its order, and two writers never
/// want the same station's document.
#[derive(Clone)]
pub(crate) struct Queue {
    ways: Arc<[SyncSender<QueueMessage>]>,
    stations: Arc<Mutex<HashMap<String, usize>>>,
    crew: Arc<Crew>,
}

impl Queue {
    pub(super) fn new(ways: Vec<SyncSender<QueueMessage>>) -> Self {
        Self {
            ways: ways.into(),
            stations: Arc::default(),
            crew: Arc::default(),
        }
    }

    /// The threads behind the queues.
    pub(crate) fn crew(&self) -> &Crew {
        &self.crew
    }

    /// Has some work done once the first command comes.
    pub(crate) fn hire(&self, work: WriterWork) {
        let mut waiting = self
            .crew
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        waiting.push(work);
    }

    /// The queue of a station's writer; stations take turns to be given one.
    fn way(&self, actor: &Actor) -> Option<&SyncSender<QueueMessage>> {
        // a command whose writer cannot be started is dropped, and so told
        let _ = self.crew.start();
        if self.ways.len() == 1 {
            return self.ways.first();
        }
        let mut stations = self.stations.lock().unwrap_or_else(PoisonError::into_inner);
        let next = stations.len();
        let place = *stations.entry(actor.station.clone()).or_insert(next);
        self.ways.get(place % self.ways.len())
    }

    /// Enters the queue, or hands the command its failure when it is full.
    pub(crate) fn offer(&self, command: Box<dyn Command>) {
        let Some(way) = self.way(command.actor()) else {
            return;
        };
        match way.try_send(QueueMessage::Command(command)) {
            Err(TrySendError::Full(message)) => turn_away(message, Fault::Busy),
            // what nobody receives any more is dropped, and so told
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
        }
    }

    /// Enters the queue, waiting for room.
    pub(crate) fn wait(&self, command: Box<dyn Command>) {
        if let Some(way) = self.way(command.actor()) {
            // one that comes too late is dropped, and so told
            let _ = way.send(QueueMessage::Command(command));
        }
    }

    pub(crate) fn stop(&self) {
        for way in self.ways.iter() {
            // a writer that is gone has stopped
            let _ = way.send(QueueMessage::Stop);
        }
    }
}

fn turn_away(message: QueueMessage, fault: Fault) {
    if let QueueMessage::Command(command) = message {
        command.deliver(Some(fault.into()));
    }
}
