//! Command that runs one check of a job through the writer's queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant as Moment;

use crate::domain::event::Event;
use crate::domain::ids::CommandId;
use crate::domain::job::{Job, NextCheck, RunOutcome};
use crate::engine::jobs::due::Due;
use crate::engine::jobs::kinds::{CheckOperation, Make};
use crate::engine::work::{Actor, Authority, Failure, UnitOfWork};
use crate::engine::writer::{Command, Request};
use crate::store::Fault;
use crate::store::job::Checked;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// Check run by this station.
    Here(RunOutcome),
    /// No longer due: another station made the check, or the subject ended.
    Elsewhere,
}

/// Failure text of a check that panicked.
const DEFECT: &str = "a defect in this program stopped it";

/// Check of a job: the operation of its kind, and the callback for the answer.
pub(crate) struct JobCheck<F> {
    id: CommandId,
    actor: Actor,
    due: Due,
    act: Result<Box<dyn CheckOperation>, Fault>,
    request: Request,
    made: Made,
    reply: F,
}

impl<F: FnOnce(Result<Made, Failure>) + Send> JobCheck<F> {
    pub(crate) fn new(due: &Due, make: Make, (actor, reply): (Actor, F)) -> Self {
        let act = make(&due.subject);
        Self {
            id: CommandId::random(),
            actor,
            due: due.clone(),
            request: act.as_ref().map_or_else(|_| Request::default(), |act| act.request()),
            act,
            made: Made::Elsewhere,
            reply,
        }
    }

    /// Loads the job if it is unchanged since it was found due, and still due.
    fn job(&self, work: &mut UnitOfWork<'_>) -> Result<Option<Job>, Failure> {
        let job = work.job(self.due.kind, &self.due.subject)?;
        let now = work.now();
        Ok(job.filter(|job| job.written_by == self.due.seen && job.is_due(now)))
    }

    fn check(&self, job: Job, work: &mut UnitOfWork<'_>) -> Result<RunOutcome, Failure> {
        let (started, started_at) = (Moment::now(), work.now());
        let policy = work.settings()?.policy(job.kind);
        let act = self.act.as_ref().map_err(Clone::clone)?;
        work.limit(policy.limit)?;
        let ran = catch_unwind(AssertUnwindSafe(|| act.act(work)));
        // where the operation failed, its fault is the reason, not one of the transaction that it ended
        let lifted = work.unlimited();
        let outcome = ran.unwrap_or_else(|_| Err(Fault::Broken(DEFECT.into()).into()))?;
        lifted?;
        let (next, ended) = job.after(outcome, work.now(), &policy);
        let detail = tell_parked(work, &next)?;
        work.checked(Checked {
            job,
            next,
            outcome: Some(ended),
            detail,
            started_at,
            took_micros: i64::try_from(started.elapsed().as_micros()).unwrap_or(i64::MAX),
        });
        Ok(ended)
    }
}

/// Sends the event of a parked job, and returns the reason for the history.
pub(super) fn tell_parked(work: &mut UnitOfWork<'_>, next: &NextCheck) -> Result<String, Failure> {
    let NextCheck::Waits(Job { kind, subject, parked: Some(reason), .. }) = next else {
        return Ok(String::new());
    };
    work.tell(&Event::JobParked { kind: kind.word().into(), subject: subject.clone(), reason: reason.clone() })?;
    Ok(reason.to_string())
}

impl<F: FnOnce(Result<Made, Failure>) + Send> Command for JobCheck<F> {
    fn id(&self) -> CommandId {
        self.id
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn authority(&self) -> Authority {
        Authority::House
    }

    fn request(&self) -> &Request {
        &self.request
    }

    fn run(&mut self, work: &mut UnitOfWork<'_>) -> Result<(String, Vec<String>), Failure> {
        work.may_end()?;
        self.made = match self.job(work)? {
            None => Made::Elsewhere,
            Some(job) => Made::Here(self.check(job, work)?),
        };
        Ok(("null".into(), Vec::new()))
    }

    /// Handles a retry after a commit of unknown outcome: the journal has the command, so the check is done.
    fn replay(&mut self, _answer: &str, _texts: Vec<String>) -> Result<(), Failure> {
        self.made = Made::Here(RunOutcome::Done);
        Ok(())
    }

    fn deliver(self: Box<Self>, failure: Option<Failure>) {
        (self.reply)(failure.map_or(Ok(self.made), Err));
    }
}
