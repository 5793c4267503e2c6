//! Desk: a client's handle on the engine, acting for one operator at one station.

use std::any::Any;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use parking_lot::Mutex;
use tokio::sync::{broadcast, mpsc, watch};

use crate::domain::ids::CommandId;
use crate::domain::time::Instant;
use crate::engine::machine::background::report::Worked;
use crate::engine::machine::guard::ClockDoubt;
use crate::engine::machine::shared::Shared;
use crate::engine::notice::Notice;
use crate::engine::ops::{AnyAnswer, AnyOperation, EndScrub, Visitor};
use crate::engine::reads::customers::known::ReadScrubDue;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::{Actor, Authority, Failure, Operation};
use crate::engine::writer::{Queue, QueuedCommand};
use crate::store::{Fault, Location, Misplaced, Reader};

/// Callback for the answer of a command.
type Reply<O> = Box<dyn FnOnce(Result<<O as Operation>::Answer, Failure>) + Send>;

/// Most operations of a list that are in flight at once.
const IN_FLIGHT_MAX: usize = 16;

/// Handle on the engine for one actor; cheap to clone.
#[derive(Clone)]
pub struct Desk {
    pub(super) shared: Arc<Shared>,
    pub(super) queue: Queue,
    pub(super) actor: Actor,
    pub(super) authority: Authority,
    pub(super) worked: Option<mpsc::UnboundedSender<Worked>>,
    /// Engine of an embedded desk; `None` if the client keeps the engine.
    pub(super) engine: Option<KeptEngine>,
}

/// Engine that the clones of an embedded desk keep running; empty once closed.
pub(super) type KeptEngine = Arc<Mutex<Option<Box<dyn Any + Send>>>>;

/// The fault of a desk whose engine has stopped.
pub(super) fn stopped() -> Fault {
    Fault::Unreachable("the desk has stopped".into())
}

/// Waits for an answer.
#[expect(clippy::needless_pass_by_value, reason = "an answer comes once")]
fn answered<O: Operation>(receiver: Receiver<Result<O::Answer, Failure>>) -> Result<O::Answer, Failure> {
    receiver.recv().unwrap_or_else(|_| Err(stopped().into()))
}

impl Desk {
    /// Runs an operation and waits for its answer.
    pub fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        self.wait_for(CommandId::random(), operation, |asked| asked)
    }

    /// Runs an operation under a command id; the same id sent again returns the first answer.
    pub fn run_as<O: Operation>(&self, command: CommandId, operation: O) -> Result<O::Answer, Failure> {
        self.run_typed(command, None, operation)
    }

    /// Runs an operation typed as a command line, named by its hash. The same line under the same id
    /// returns the first answer, also where its times were relative to the present.
    pub fn run_typed<O: Operation>(
        &self,
        command: CommandId,
        line: Option<&str>,
        operation: O,
    ) -> Result<O::Answer, Failure> {
        self.wait_for(command, operation, |asked| asked.named(line))
    }

    /// Runs operations, each as a transaction of its own under its command id; returns the answers in their order. Few are
    /// in flight at once, so that the commands of others are not kept waiting.
    pub fn run_each<O: Operation>(
        &self,
        operations: impl IntoIterator<Item = (CommandId, O)>,
    ) -> Vec<Result<O::Answer, Failure>> {
        let (mut operations, mut answers) = (operations.into_iter(), Vec::new());
        loop {
            let few = operations.by_ref().take(IN_FLIGHT_MAX);
            let asked = few.map(|(command, operation)| self.ask_for(command, operation, |asked| asked));
            let asked: Vec<_> = asked.collect();
            if asked.is_empty() {
                return answers;
            }
            answers.extend(asked.into_iter().map(answered::<O>));
        }
    }

    fn wait_for<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
        named: impl FnOnce(QueuedCommand<O, Reply<O>>) -> QueuedCommand<O, Reply<O>>,
    ) -> Result<O::Answer, Failure> {
        answered::<O>(self.ask_for(command, operation, named))
    }

    /// Enqueues an operation, blocking while the queue is full.
    fn ask_for<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
        named: impl FnOnce(QueuedCommand<O, Reply<O>>) -> QueuedCommand<O, Reply<O>>,
    ) -> Receiver<Result<O::Answer, Failure>> {
        let (sender, receiver) = sync_channel(1);
        let reply: Reply<O> = Box::new(move |answer| {
            // the receiver lives until it is answered
            let _ = sender.send(answer);
        });
        let asked = QueuedCommand::new(command, self.actor.clone(), operation, reply).under(self.authority.clone());
        self.queue.wait(Box::new(named(asked)));
        receiver
    }

    /// Enqueues an operation without blocking. The writer thread calls back with the answer after the commit.
    pub fn submit<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
        answer: impl FnOnce(Result<O::Answer, Failure>) + Send + 'static,
    ) {
        let asked = QueuedCommand::new(command, self.actor.clone(), operation, answer);
        self.queue.offer(Box::new(asked.under(self.authority.clone())));
    }

    /// Enqueues an operation of any kind without blocking; the writer thread calls back with the answer.
    pub fn submit_any(&self, operation: AnyOperation, reply: impl FnOnce(Result<AnyAnswer, Failure>) + Send + 'static) {
        operation.visit(Submission { desk: self, reply });
    }

    /// Answers a question from one snapshot, and waits for it.
    #[expect(clippy::needless_pass_by_value, reason = "a question is asked once")]
    pub fn read<Q: Question>(&self, question: Q) -> Result<Q::Answer, Failure> {
        self.check_open()?;
        let kept = self.shared.readers.lock().pop();
        let mut reader = kept.map_or_else(|| self.shared.database.reader(), Ok)?;
        let (mut answer, mut is_kept) = self.ask(reader.as_mut(), &question);
        if !is_kept {
            // ask the whole question again, on a new snapshot
            (answer, is_kept) = self.ask(reader.as_mut(), &question);
        }
        self.shared.readers.lock().push(reader);
        if !is_kept && answer.is_ok() {
            return Err(Fault::Unreachable("the connection was lost".into()).into());
        }
        answer
    }

    /// Asks a question of one snapshot; returns as well whether the connection was kept meanwhile.
    fn ask<Q: Question>(&self, reader: &mut dyn Reader, question: &Q) -> (Result<Q::Answer, Failure>, bool) {
        if let Err(fault) = reader.begin() {
            return (Err(fault.into()), true);
        }
        let snapshot = Snapshot::new(reader, &self.shared.plans, (&self.actor, self.now()));
        let snapshot = snapshot.under(self.authority.clone());
        let answer = question.ask(&mut snapshot.guarded(&self.shared.guard, self.shared.clock.as_ref()));
        (answer, reader.end())
    }

    /// Finishes every queued command and stops the engine, for all clones of an embedded desk. From then on commands
    /// and questions fail with [`Fault::Unreachable`].
    pub fn close(&self) {
        let engine = self.engine.as_ref();
        drop(engine.and_then(|engine| engine.lock().take()));
    }

    /// Fails if the desk is embedded and closed.
    fn check_open(&self) -> Result<(), Fault> {
        let engine = self.engine.as_ref();
        let is_closed = engine.is_some_and(|engine| engine.lock().is_none());
        if is_closed { Err(stopped()) } else { Ok(()) }
    }

    /// Subscribes to change notices: this process's commits at once, other processes' within 250 ms.
    pub fn watch(&self) -> broadcast::Receiver<Arc<Notice>> {
        self.shared.notices.subscribe()
    }

    /// Start of the current outage of the database; `None` while it is reachable. Commands wait through an outage.
    pub fn away(&self) -> watch::Receiver<Option<Instant>> {
        self.shared.away.subscribe()
    }

    /// Present engine time.
    pub fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// Size of an ignored jump of the wall clock, in milliseconds; 0 if there is none.
    pub fn clock_doubt_millis(&self) -> i64 {
        self.shared.clock.doubt_millis()
    }

    /// Results of testing the database's capabilities, one sentence each; empty if nothing needs a choice.
    pub fn findings(&self) -> Result<Vec<String>, Fault> {
        self.shared.database.findings()
    }

    /// Spreads an empty house over the machines of its server.
    ///
    /// # Errors
    /// [`Fault::Undistributed`] where that is not possible; or a fault of the database.
    pub fn distribute(&self) -> Result<(), Fault> {
        self.shared.database.distribute()
    }

    /// Lists what is not as [`Self::distribute`] makes it.
    pub fn misplaced(&self) -> Result<Vec<Misplaced>, Fault> {
        self.shared.database.misplaced()
    }

    /// Rewrites the stored rows without what was deleted or overwritten.
    ///
    /// # Errors
    /// [`Fault::Busy`] while another process reads an older state; or a fault of the database.
    pub fn scrub(&self) -> Result<(), Fault> {
        self.check_open()?;
        self.shared.readers.lock().clear();
        self.shared.database.scrub()
    }

    /// Scrubs the database if a forgotten customer's bytes are still in it.
    ///
    /// # Errors
    /// As [`Self::scrub`].
    pub fn scrub_if_due(&self) -> Result<(), Failure> {
        if self.read(ReadScrubDue)? {
            self.scrub()?;
            self.run(EndScrub)?;
        }
        Ok(())
    }

    /// Location of the database.
    pub fn place(&self) -> &Location {
        &self.shared.place
    }

    /// Reason why this process refuses writes until its clock is confirmed; `None` if it may write.
    pub fn clock_doubt(&self) -> Option<ClockDoubt> {
        self.shared.guard.doubt()
    }

    /// Returns whether this process's clock was found to agree with the house, so that it ends what is due.
    pub(crate) fn may_end(&self) -> bool {
        let clock = &self.shared.clock;
        clock.doubt_millis() == 0 && self.shared.guard.agrees(clock.machine())
    }

    /// Operator and station this desk acts for.
    pub const fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns the same desk for another actor, who has not signed in.
    #[must_use]
    pub fn with_actor(&self, actor: Actor) -> Self {
        Self { actor, authority: Authority::Named, ..self.clone() }
    }

    /// Reports a piece of background work to the subscriber, if any.
    pub(crate) fn tell_worked(&self, worked: Worked) {
        if let Some(sender) = &self.worked {
            // the subscriber may be gone
            let _ = sender.send(worked);
        }
    }
}

/// Visitor that submits an operation of any kind.
struct Submission<'a, F> {
    desk: &'a Desk,
    reply: F,
}

impl<F: FnOnce(Result<AnyAnswer, Failure>) + Send + 'static> Visitor for Submission<'_, F> {
    fn visit<O: Operation>(self, operation: O)
    where
        AnyAnswer: From<O::Answer>,
    {
        let reply = self.reply;
        let answer = |done: Result<O::Answer, Failure>| reply(done.map(AnyAnswer::from));
        self.desk.submit(CommandId::random(), operation, answer);
    }
}
