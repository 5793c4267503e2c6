//! Control of a job by hand, recorded in the history like a run.

use serde::{Deserialize, Serialize};

use crate::domain::job::{Job, JobKind, NextCheck, ParkReason, RunOutcome};
use crate::domain::operator::acting;
use crate::domain::private;
use crate::domain::refusal::{JobRefusal, Refusal};
use crate::domain::settings::prioritized;
use crate::domain::time::{Instant, Span};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::job::Checked;

/// Controls a job; its subject's deadlines are not affected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlJob {
    pub kind: JobKind,
    pub subject: String,
    pub act: JobAct,
}

/// Act on a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobAct {
    /// Make it due now, even if it is parked.
    RunNow,
    /// Unpark it; it runs in its turn among the due jobs.
    Retry,
    /// Park it, with a reason that may be empty.
    Park(#[serde(with = "private")] String),
    /// End it; only a job of an own kind, since the others end with their subjects.
    End,
    /// Make it due at another time, rounded up to a slot of its kind, within its kind's horizon.
    Later(Instant),
    /// Give it a priority of its own, or its kind's; its time stays.
    Prioritize(Option<u8>),
}

impl Operation for ControlJob {
    const VERB: &'static str = "control_job";
    /// Time it is due next.
    type Answer = Instant;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Instant, Failure> {
        let job = work.job(self.kind, &self.subject)?;
        let job = job.ok_or_else(|| JobRefusal::not_found(self.kind, &self.subject))?;
        let (operator, approved) = (work.actor().operator.clone(), work.approved().map(str::to_owned));
        let hands = acting(&operator, approved.as_deref());
        let (next, did) = match &self.act {
            JobAct::RunNow => {
                work.may_end()?;
                job.idle(work.now()).map_err(Refusal::from)?;
                (job.clone().moved_to(work.now()), "ran it now".to_owned())
            }
            JobAct::Retry if job.parked.is_none() => {
                let at = job.next_check_at;
                return Err(Refusal::from(JobRefusal::JobNotParked { at }).into());
            }
            JobAct::Retry => {
                let next = job.clone().retried(work.now());
                (next, "let it try again".to_owned())
            }
            JobAct::Park(reason) => {
                let parked = Some(ParkReason::ByHand { operator, approved, reason: reason.clone() });
                let colon = if reason.is_empty() { "" } else { ": " };
                (Job { parked, ..job.clone() }, format!("parked it{colon}{reason}"))
            }
            JobAct::End if !self.kind.is_own() => {
                return Err(Refusal::unread("kind", &"this kind ends with its subject").into());
            }
            JobAct::End => (job.clone(), "ended it".to_owned()),
            JobAct::Later(at) => {
                job.idle(work.now()).map_err(Refusal::from)?;
                let at = self.slot(work, *at)?;
                (job.clone().moved_to(at), "put it off".to_owned())
            }
            JobAct::Prioritize(priority) => {
                prioritized(*priority)?;
                job.idle(work.now()).map_err(Refusal::from)?;
                let which = priority.map_or_else(|| "its kind's priority".to_owned(), |own| format!("priority {own}"));
                (Job { priority: *priority, ..job.clone() }, format!("gave it {which}"))
            }
        };
        let (due, now) = (next.next_check_at, work.now());
        work.checked(Checked {
            detail: job.by_hand(format!("{hands} {did}"), now),
            job,
            next: if self.act == JobAct::End { NextCheck::Ended } else { NextCheck::Waits(next) },
            outcome: Some(RunOutcome::ByHand),
            started_at: now,
            took_micros: 0,
        });
        Ok(due)
    }
}

impl ControlJob {
    /// Slot of a time, within the horizon.
    fn slot(&self, work: &mut UnitOfWork<'_>, at: Instant) -> Result<Instant, Failure> {
        let (now, policy) = (work.now(), work.settings()?.policy(self.kind));
        if at <= now {
            return Err(Refusal::InThePast { at }.into());
        }
        if at > now + policy.horizon {
            let (least, most) = (Span::seconds(1), policy.horizon);
            let field = "later".into();
            return Err(Refusal::OutOfRange { field, least, most }.into());
        }
        Ok(at.round_up(policy.slot))
    }
}
