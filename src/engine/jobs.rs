//! Jobs: due work runs as ordinary operations. Built-in kinds run in the writers' queue, a few at a time between the
//! commands of operators; own kinds run beside it.
//!
//! # How to add a kind
//! The places are listed in the [crate]'s documentation. The operation's answer is an
//! [`Outcome`](crate::domain::job::Outcome): it loads its subject, looks again whether it is still so, acts, and
//! answers `Done` (the job ends), `Gone` (the subject is no more), `Again(at)` (still so: look again; counted, and
//! bound by the kind's horizon), `Told(at)` (told, and a later stage comes; counted), or `Deadline(at)` (a time of the
//! subject's own: it moved, it recurs). A check may run late, or never.
//!
//! The operation that writes the subject writes the job in the same transaction:
//! [`UnitOfWork::put_job`](crate::engine::UnitOfWork::put_job) with the subject's time (a job that is there moves), and
//! [`UnitOfWork::end_job`](crate::engine::UnitOfWork::end_job) where the subject ends. Where a lost job would go
//! unseen, `src/engine/verify/jobs.rs` checks that each subject has its job.
//!
//! An own kind of a house needs no code: [`AddJob`](crate::engine::ops::AddJob) names a shell command, and the same
//! engine calls it.
//!
//! # Invariants
//! - Effect, next check and history are one transaction, on condition that the job is as it was seen: with any
//!   number of stations each check takes effect once.
//! - A check never starts before it is due.
//! - A failure is recorded in a transaction of its own; nothing is retried without end, and nothing is deleted
//!   silently.

use std::sync::mpsc::sync_channel;

use crate::domain::job::JobKind;
use crate::domain::refusal::Refusal;
use crate::engine::desk::Desk;
use crate::engine::jobs::check::{JobCheck, Made};
use crate::engine::jobs::due::{Due, Kinds, ReadDue, ReadOne};
use crate::engine::jobs::failure::FailCheck;
use crate::engine::machine::background::report::Worked;
use crate::engine::machine::signal::Signal;
use crate::engine::ops::{ControlJob, JobAct};
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::work::Failure;
use crate::store::Fault;

mod backup;
mod check;
pub(in crate::engine) mod due;
mod failure;
mod in_program;
pub(crate) mod kinds;
mod own;
mod runner;

pub(crate) use runner::Runner;

/// Most checks in the queue at once, so that an operator never waits behind a long sweep.
pub const BATCH_MAX: usize = 25;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// Checks found due, at most [`BATCH_MAX`].
    pub(crate) due: usize,
    pub(crate) made: usize,
}

/// Runs all due jobs, oldest first; returns the number of checks.
pub(crate) fn sweep(desk: &Desk) -> Result<usize, Failure> {
    let (mut checks, signal) = (0, Signal::default());
    loop {
        let step = step(desk, Kinds::All, &signal)?;
        if step.due == 0 {
            return Ok(checks);
        }
        checks += step.made;
    }
}

/// Runs one batch of due jobs, oldest first.
///
/// # Errors
/// A machinery fault, or a clock that may end nothing; completed checks stay done, and no job counts it as a failure.
pub(crate) fn step(desk: &Desk, kinds: Kinds, signal: &Signal) -> Result<Step, Failure> {
    let most = BATCH_MAX;
    let due = desk.read(ReadDue { most, kinds, here: desk.checked_here() })?;
    run(desk, &due, signal)
}

/// Runs some checks, and records those that failed: built-in ones through the writer's queue, then
/// own ones one after the other.
fn run(desk: &Desk, due: &[Due], signal: &Signal) -> Result<Step, Failure> {
    let mut step = queued(desk, due)?;
    if due.iter().any(|due| due.kind == JobKind::Tidying) {
        // a reader of an older state may be in the way, or a role that may not: the next tidying tries again
        let _ = desk.scrub_if_due();
    }
    for due in due.iter().filter(|due| due.kind.runs_beside()) {
        if signal.is_stopped() {
            break;
        }
        let subject = (due.kind, due.subject.clone());
        let (made, seen) = own::check(desk, subject, Some(due.seen.clone()), signal)?;
        if made != Made::Elsewhere {
            step.made += 1;
            let seen = Due { seen, ..due.clone() };
            report(desk, &seen)?;
        }
    }
    Ok(step)
}

/// Runs the built-in checks among some through the writer's queue.
fn queued(desk: &Desk, due: &[Due]) -> Result<Step, Failure> {
    let (sender, receiver) = sync_channel(due.len());
    for (place, due) in due.iter().enumerate() {
        let Some(make) = kinds::operation(due.kind) else {
            continue;
        };
        let sender = sender.clone();
        let reply = move |answer| {
            // the step waits for every answer
            let _ = sender.send((place, answer));
        };
        let by = (desk.actor().clone(), reply);
        desk.queue.wait(Box::new(JobCheck::new(due, make, by)));
    }
    drop(sender);
    let mut step = Step { due: due.len(), made: 0 };
    let mut machinery = None;
    for (place, answer) in &receiver {
        let Some(due) = due.get(place) else { continue };
        match answer {
            Ok(Made::Here(_)) => {}
            Ok(Made::Elsewhere) => continue,
            Err(failure) if is_machinery(&failure) => {
                machinery = Some(failure);
                continue;
            }
            Err(failure) => desk.run(FailCheck::new(due, &failure))?,
        }
        step.made += 1;
        report(desk, due)?;
    }
    machinery.map_or(Ok(step), Err)
}

/// Reports the run of a check to the subscriber, if any.
fn report(desk: &Desk, due: &Due) -> Result<(), Failure> {
    if desk.worked.is_none() {
        return Ok(());
    }
    let runs = desk.read(ReadRuns {
        kind: Some(due.kind.word().into()),
        subject: Some(due.subject.clone()),
        ..ReadRuns::default()
    })?;
    if let Some(run) = runs.into_iter().find(|run| run.checked == due.seen) {
        desk.tell_worked(Worked::Ran(Box::new(run)));
    }
    Ok(())
}

/// Runs one job, due or not.
pub(crate) fn run_now(desk: &Desk, kind: JobKind, subject: String) -> Result<RunView, Failure> {
    if kind.runs_beside() {
        own::check(desk, (kind, subject.clone()), None, &Signal::default())?;
    } else {
        desk.run(ControlJob { kind, subject: subject.clone(), act: JobAct::RunNow })?;
        let due = desk.read(ReadOne { kind, subject: subject.clone() })?;
        run(desk, due.as_slice(), &Signal::default())?;
    }
    let of_job = ReadRuns { kind: Some(kind.word().into()), subject: Some(subject), ..ReadRuns::default() };
    let mut runs = desk.read(of_job.clone())?.into_iter();
    let none = || Fault::Broken("its run is not in the history".into()).into();
    // the question also finds subjects that only end so
    runs.find(|run| of_job.subject.as_ref() == Some(&run.subject)).ok_or_else(none)
}

/// Returns whether a failure is the machinery's or the clock's: the check is repeated, and does not count as failed.
const fn is_machinery(failure: &Failure) -> bool {
    match failure {
        Failure::Refused(Refusal::ClockInDoubt { .. } | Refusal::ClockAlone { .. })
        | Failure::Fault(
            Fault::Contended
            | Fault::Unsure
            | Fault::Busy
            | Fault::Stuck
            | Fault::Unreachable(_)
            | Fault::Full
            | Fault::Occupied
            | Fault::NewerSchema
            | Fault::Deleted(_)
            | Fault::Replaced(_)
            | Fault::Overwritten(_),
        ) => true,
        Failure::Refused(_)
        | Failure::Fault(
            Fault::TooLong
            | Fault::Damaged(_)
            | Fault::Forbidden(_)
            | Fault::NoTable(_)
            | Fault::TableExists(_)
            | Fault::Standby
            | Fault::Pooled
            | Fault::Undistributed(_)
            | Fault::Broken(_),
        ) => false,
    }
}

#[cfg(test)]
mod tests;
