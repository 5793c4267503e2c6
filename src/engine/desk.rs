//! The desk: what clients of the engine hold, in somebody's name.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, PoisonError};

use tokio::sync::{broadcast, mpsc, watch};

use crate::domain::ids::CommandId;
use crate::domain::job::JobKind;
use crate::domain::time::Instant;
use crate::engine::guard::ClockDoubt;
use crate::engine::notice::Notice;
use crate::engine::ops::{AnyAnswer, AnyOperation, Visitor};
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::worked::Worked;
use crate::engine::writer::{Queue, QueuedCommand, TypedCommand};
use crate::engine::{Actor, Failure, Operation, Shared, jobs, listeners};
use crate::store::{Fault, Location, Reader};

/// Takes the answer of a command that is waited for.
type Reply<O> = Box<dyn FnOnce(Result<<O as Operation>::Answer, Failure>) + Send>;

/// A cheap handle on the engine, in somebody's name.
#[derive(Clone)]
pub struct Desk {
    pub(super) shared: Arc<Shared>,
    pub(super) queue: Queue,
    pub(super) actor: Actor,
    pub(super) worked: Option<mpsc::UnboundedSender<Worked>>,
}

impl Desk {
    /// Runs an operation and waits for its answer.
    pub fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        self.wait_for(CommandId::random(), operation, |asked| asked)
    }

    /// Runs an operation under a command id; sent again, it answers again what it answered.
    pub fn run_as<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
    ) -> Result<O::Answer, Failure> {
        self.run_typed(command, &TypedCommand::default(), operation)
    }

    /// Runs an operation that was typed as a line: the same line sent again answers again what it answered, and times
    /// in another have to be read by the same present.
    pub fn run_typed<O: Operation>(
        &self,
        command: CommandId,
        typed: &TypedCommand,
        operation: O,
    ) -> Result<O::Answer, Failure> {
        self.wait_for(command, operation, |asked| asked.named(typed))
    }

    fn wait_for<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
        named: impl FnOnce(QueuedCommand<O, Reply<O>>) -> QueuedCommand<O, Reply<O>>,
    ) -> Result<O::Answer, Failure> {
        let (sender, receiver) = sync_channel(1);
        let reply: Reply<O> = Box::new(move |answer| {
            // whoever waits is there until it is answered
            let _ = sender.send(answer);
        });
        let asked = QueuedCommand::new(command, self.actor.clone(), operation, reply);
        self.queue.wait(Box::new(named(asked)));
        receiver
            .recv()
            .unwrap_or_else(|_| Err(Fault::Unreachable("the desk has stopped".into()).into()))
    }

    /// Sends an operation off; never waits. The answer is given on the writer's thread, after the commit.
    pub fn submit<O: Operation>(
        &self,
        command: CommandId,
        operation: O,
        answer: impl FnOnce(Result<O::Answer, Failure>) + Send + 'static,
    ) {
        self.queue.offer(Box::new(QueuedCommand::new(
            command,
            self.actor.clone(),
            operation,
            answer,
        )));
    }

    /// Runs an operation of any kind without waiting; the writer's thread calls back with the answer.
    pub fn submit_any(
        &self,
        operation: AnyOperation,
        reply: impl FnOnce(Result<AnyAnswer, Failure>) + Send + 'static,
    ) {
        operation.visit(Submission { desk: self, reply });
    }

    /// Asks a question of one snapshot, and waits for the answer.
    #[expect(clippy::needless_pass_by_value, reason = "a question is asked once")]
    pub fn read<Q: Question>(&self, question: Q) -> Result<Q::Answer, Failure> {
        let kept = self.readers().pop();
        let mut reader = kept.map_or_else(|| self.shared.database.reader(), Ok)?;
        let mut answer = self.ask(reader.as_mut(), &question);
        if answer.is_none() {
            // its connection was lost under it: asked again as a whole, it sees one moment
            answer = self.ask(reader.as_mut(), &question);
        }
        self.readers().push(reader);
        let lost = || Err(Fault::Unreachable("the connection was lost".into()).into());
        answer.unwrap_or_else(lost)
    }

    /// Asks a question of one snapshot; `None` when the snapshot was lost meanwhile.
    fn ask<Q: Question>(
        &self,
        reader: &mut dyn Reader,
        question: &Q,
    ) -> Option<Result<Q::Answer, Failure>> {
        if let Err(fault) = reader.begin() {
            return Some(Err(fault.into()));
        }
        let answer = question.ask(&mut Snapshot::new(reader, &self.shared.houses, self.now()));
        reader.end().then_some(answer)
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn Reader>>> {
        self.shared
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Notices of what changed: this process's commits at once, other processes' within 250 ms.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<Arc<Notice>> {
        self.shared.notices.subscribe()
    }

    /// Since when the database is away; `None` while it is there. Who waits for a command then waits on.
    #[must_use]
    pub fn away(&self) -> watch::Receiver<Option<Instant>> {
        self.shared.away.subscribe()
    }

    /// The engine's time.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// By how many milliseconds the wall clock jumped without being followed; 0 when it did not.
    #[must_use]
    pub fn clock_doubt_millis(&self) -> i64 {
        self.shared.clock.doubt_millis()
    }

    /// Where the house is.
    #[must_use]
    pub fn place(&self) -> &Location {
        &self.shared.place
    }

    /// Why this process writes nothing before its clock is confirmed; `None` when it may.
    #[must_use]
    pub fn clock_doubt(&self) -> Option<ClockDoubt> {
        self.shared.guard.doubt()
    }

    /// In whose name this works.
    #[must_use]
    pub const fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The same desk in another's name.
    #[must_use]
    pub fn with_actor(&self, actor: Actor) -> Self {
        Self {
            actor,
            ..self.clone()
        }
    }

    /// Runs one job now, whenever it was due, and gives its run.
    ///
    /// # Errors
    /// There is none, or a fault; a check that fails is a run too.
    pub fn run_job(&self, kind: JobKind, subject: String) -> Result<RunView, Failure> {
        jobs::run_now(self, kind, subject)
    }

    /// Runs everything that is due and calls every listener that waits; gives what was done, in order.
    ///
    /// # Errors
    /// A fault; what was done by then stays done.
    pub fn work_off(&self) -> Result<Vec<Worked>, Failure> {
        self.reporting(|desk| {
            jobs::sweep(desk)?;
            listeners::hear_all(desk)
        })
    }

    /// Calls every listener that waits; gives what was done, in order.
    ///
    /// # Errors
    /// A fault; what was done by then stays done.
    pub fn hear_all(&self) -> Result<Vec<Worked>, Failure> {
        self.reporting(listeners::hear_all)
    }

    fn reporting(
        &self,
        work: impl FnOnce(&Self) -> Result<(), Failure>,
    ) -> Result<Vec<Worked>, Failure> {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        work(&Self {
            worked: Some(sender),
            ..self.clone()
        })?;
        Ok(std::iter::from_fn(|| receiver.try_recv().ok()).collect())
    }

    /// Reports a piece of background work, where somebody wants to know.
    pub(crate) fn tell_worked(&self, worked: Worked) {
        if let Some(sender) = &self.worked {
            // nobody may be listening any more
            let _ = sender.send(worked);
        }
    }

    /// Ends everything that has come due, in small steps between other commands; gives how much it was.
    ///
    /// # Errors
    /// A fault; what was ended by then stays ended.
    pub fn sweep(&self) -> Result<usize, Failure> {
        jobs::sweep(self)
    }
}

/// Submits an operation of any kind.
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
