//! Checks beside the writer: a shell command of an own kind decides, or a backup is made.
//!
//! # Invariants
//! - A check, due or by hand, begins in a transaction of its own, before its command is called: no two stations call it
//!   at once, nor does a command that runs its own job.
//! - A check that has begun holds a lease: if its station dies, the job is due again when the lease
//!   ends, and the lost check counts as a failed try.
//! - The answer is recorded on condition that nobody changed the job meanwhile.

use std::time::{Duration, Instant as Moment};

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::domain::house::IN_PROGRAM;
use crate::domain::ids::CommandId;
use crate::domain::job::{Job, JobKind, NextCheck, Outcome, ParkReason, RunOutcome};
use crate::domain::operator::acting;
use crate::domain::private;
use crate::domain::refusal::{JobRefusal, Refusal};
use crate::domain::time::{Instant, Local, Span, typed};
use crate::engine::Desk;
use crate::engine::jobs::check::{Made, tell_parked};
use crate::engine::jobs::{backup, in_program};
use crate::engine::listeners::call::{Ended, call};
use crate::engine::machine::signal::Signal;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::job::Checked;

/// Exit code of a command that asks for another check: `EX_TEMPFAIL` of `sysexits.h`.
const AGAIN: i32 = 75;

/// Runs the check of a job, due if it was `seen` at a version, or by hand: takes the lease, calls the command, and
/// records its answer. Returns the version of the job that it checked as well.
pub(super) fn check(
    desk: &Desk,
    (kind, subject): (JobKind, String),
    seen: Option<String>,
    signal: &Signal,
) -> Result<(Made, String), Failure> {
    let id = CommandId::random();
    let lease = Job::lease(&id.to_string(), &desk.actor().station);
    let is_here = desk.checked_here().contains(&kind);
    let taking = BeginCheck { kind, subject, seen, is_here };
    let Some(begun) = desk.run_as(id, taking)? else {
        return Ok((Made::Elsewhere, lease));
    };
    let started = Moment::now();
    let limit = Duration::from_millis(begun.limit.millis().unsigned_abs());
    let answer = if begun.job.kind == JobKind::Backup {
        backup::into(desk, &begun.command).map_or_else(CommandAnswer::Failed, CommandAnswer::BackedUp)
    } else if begun.command == IN_PROGRAM {
        in_program::checked(desk, &begun.job, limit).map_or_else(CommandAnswer::Failed, CommandAnswer::Answered)
    } else {
        match call(&begun.command, &begun.told, (signal, limit)) {
            Err(_) if signal.is_stopped() => CommandAnswer::Stopped,
            ended => CommandAnswer::of(ended),
        }
    };
    let outcome = desk.run(EndCheck {
        job: begun.job,
        lease: lease.clone(),
        answer,
        started_at: begun.at,
        took_micros: i64::try_from(started.elapsed().as_micros()).unwrap_or(i64::MAX),
    })?;
    Ok((outcome.map_or(Made::Elsewhere, Made::Here), lease))
}

/// Begins a check and takes its lease.
#[derive(Clone, Debug, Serialize)]
struct BeginCheck {
    kind: JobKind,
    subject: String,
    /// Version of a job that is due; `None` runs it by hand.
    seen: Option<String>,
    /// A function of this program checks its kind.
    is_here: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Begun {
    /// Job as it was found.
    job: Job,
    at: Instant,
    /// Command, or the folder of a backup.
    command: String,
    /// Job as JSON, for the command.
    told: String,
    limit: Span,
}

impl Operation for BeginCheck {
    const VERB: &'static str = "begin_check";
    type Answer = Option<Begun>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Option<Begun>, Failure> {
        let (now, settings) = (work.now(), work.settings()?);
        let command = if self.kind == JobKind::Backup {
            Some(settings.backup_folder.clone()).filter(|folder| !folder.is_empty())
        } else {
            settings.own_jobs.get(self.kind.word()).cloned()
        };
        if !self.is_here && command.as_deref() == Some(IN_PROGRAM) {
            let problem = "a program of its own checks it; start that program, and it runs when it is due";
            return Err(Refusal::unread("kind", &problem).into());
        }
        let found = work.job(self.kind, &self.subject)?;
        let (found, job) = match &self.seen {
            None => {
                let found = found.ok_or_else(|| JobRefusal::not_found(self.kind, &self.subject))?;
                found.idle(now).map_err(Refusal::from)?;
                let job = found.clone().moved_to(now);
                (found, job)
            }
            Some(seen) => {
                work.may_end()?;
                let is_due = |job: &Job| job.written_by == *seen && job.is_due(now);
                let Some(job) = found.filter(is_due) else {
                    return Ok(None);
                };
                (job.clone(), job)
            }
        };
        let Some(command) = command else {
            return Ok(None);
        };
        let policy = settings.policy(self.kind);
        if job.failures >= policy.tries {
            park_lost(work, job)?;
            return Ok(None);
        }
        let leased =
            Job { next_check_at: now + policy.limit.plus(Job::LEASE_SPARE), failures: job.attempt(), ..job.clone() };
        let begins = Checked {
            next: NextCheck::Runs(leased),
            outcome: None,
            detail: String::new(),
            started_at: now,
            took_micros: 0,
            job: found,
        };
        work.checked(if self.seen.is_none() {
            let detail =
                begins.job.by_hand(format!("{} ran it now", acting(&work.actor().operator, work.approved())), now);
            Checked { outcome: Some(RunOutcome::ByHand), detail, ..begins }
        } else if begins.job.leased_by().is_some() {
            let (detail, failures) = (begins.job.died(), begins.job.failures.saturating_sub(1));
            // the row of the lost check has the number of its try
            Checked { job: Job { failures, ..begins.job }, outcome: Some(RunOutcome::Failed), detail, ..begins }
        } else {
            begins
        });
        Ok(Some(Begun { told: told(&job, settings.time_zone), at: now, command, limit: policy.limit, job }))
    }
}

/// Parks a job whose last checks never ended.
fn park_lost(work: &mut UnitOfWork<'_>, job: Job) -> Result<(), Failure> {
    let tries = job.failures;
    let problem = job.died();
    let next = NextCheck::Waits(Job { parked: Some(ParkReason::Failed { tries, problem }), ..job.clone() });
    let (detail, started_at) = (tell_parked(work, &next)?, work.now());
    work.checked(Checked { job, next, outcome: Some(RunOutcome::Parked), detail, started_at, took_micros: 0 });
    Ok(())
}

/// Formats a job for its command, with local times.
fn told(job: &Job, zone: Tz) -> String {
    let told = json!({
        "kind": job.kind.word(),
        "subject": job.subject,
        "first_check_at": job.first_check_at.rfc3339(zone),
        "next_check_at": job.next_check_at.rfc3339(zone),
        "check_count": job.check_count,
        "attempt": job.attempt(),
    });
    format!("{told}\n")
}

#[derive(Clone, Debug, Serialize)]
enum CommandAnswer {
    /// Exit code 0, with the last line of the output.
    Done(#[serde(with = "private")] String),
    /// File of a backup that was made.
    BackedUp(#[serde(with = "private")] String),
    /// Exit code 75, with the last line of the output.
    Again(#[serde(with = "private")] String),
    /// Answer of a function of this program.
    Answered(Outcome),
    /// Another exit code, too long, or not started.
    Failed(#[serde(with = "private")] String),
    /// Killed because the desk stops; the check is made again.
    Stopped,
}

impl CommandAnswer {
    fn of(ended: Result<Ended, String>) -> Self {
        let done = |ended: &Ended| ended.success().map(|()| ended.last_line.clone());
        match ended {
            Ok(ended) if ended.status.code() == Some(AGAIN) => Self::Again(ended.last_line),
            ended => ended.and_then(|ended| done(&ended)).map_or_else(Self::Failed, Self::Done),
        }
    }
}

/// Ends a check: records its answer, and gives the lease back.
#[derive(Clone, Debug, Serialize)]
struct EndCheck {
    job: Job,
    lease: String,
    answer: CommandAnswer,
    started_at: Instant,
    took_micros: i64,
}

impl Operation for EndCheck {
    const VERB: &'static str = "end_check";
    /// Outcome; `None` if the job was changed meanwhile, or the desk stops.
    type Answer = Option<RunOutcome>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Option<RunOutcome>, Failure> {
        let leased = work.job(self.job.kind, &self.job.subject)?;
        if leased.is_none_or(|job| job.written_by != self.lease) {
            return Ok(None);
        }
        let (now, settings) = (work.now(), work.settings()?);
        let policy = settings.policy(self.job.kind);
        let (job, here) = (&self.job, Local { now, zone: settings.time_zone });
        let after = |outcome| job.after(outcome, now, &policy);
        let failed = |problem: String| {
            let (next, outcome) = job.after_failure(problem.clone(), now, &policy);
            (next, Some(outcome), problem)
        };
        let (next, outcome, detail) = match &self.answer {
            CommandAnswer::Stopped => (NextCheck::Waits(job.clone()), None, String::new()),
            CommandAnswer::Failed(problem) => failed(problem.clone()),
            CommandAnswer::Done(said) => {
                let (next, outcome) = after(Outcome::Done);
                (next, Some(outcome), said.clone())
            }
            CommandAnswer::Answered(outcome) => {
                let (next, outcome) = after(*outcome);
                let detail = looks_again(&next, here);
                (next, Some(outcome), detail)
            }
            CommandAnswer::BackedUp(said) => {
                let next = Job { next_check_at: settings.next_backup(now), failures: 0, ..job.clone() };
                (NextCheck::Waits(next), Some(RunOutcome::Done), said.clone())
            }
            CommandAnswer::Again(line) => match typed::deadline(line, here) {
                Ok(at) => {
                    let (next, outcome) = after(Outcome::Again(at));
                    let detail = looks_again(&next, here);
                    (next, Some(outcome), detail)
                }
                Err(_) => failed(format!("it asks to look again, and its last line is no time: {line:?}")),
            },
        };
        let parked = tell_parked(work, &next)?;
        work.checked(Checked {
            job: Job { written_by: self.lease.clone(), ..job.clone() },
            next,
            outcome,
            detail: if parked.is_empty() { detail } else { parked },
            started_at: self.started_at,
            took_micros: self.took_micros,
        });
        Ok(outcome)
    }
}

/// Words for the history: the time of the next check.
fn looks_again(next: &NextCheck, here: Local) -> String {
    let NextCheck::Waits(job) = next else { return String::new() };
    here.format(job.next_check_at, "looks again %a %-d %b %H:%M:%S")
}
