//! Checks that come due: "do this, when that has not happened by then".
//!
//! A deadline holds by the clock, whether its job has run or not; the job stores the end, tells of it, offers
//! what came free, and opens days. When due, a job checks its subject and answers when to check next. Guards judge the
//! answer: a job that would run for ever, looks too far ahead, or fails again and again is parked with its reason until an
//! operator has seen it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::is_default;
use crate::domain::operator::acting;
use crate::domain::private;
use crate::domain::refusal::JobRefusal;
use crate::domain::time::{Instant, Span};

mod kind;
pub mod policy;

pub use kind::{JobKind, OwnKind};
pub use policy::{JobPolicy, PolicyChange};

/// A check due at a time; one per kind and subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub kind: JobKind,
    pub subject: String,
    /// Due time of the first check; never changes, also when the subject's time moves.
    pub first_check_at: Instant,
    pub next_check_at: Instant,
    /// Number of checks after which another came, also by hand; lasts when the subject's time moves.
    pub check_count: u32,
    /// Failed tries of this check.
    pub failures: u32,
    pub parked: Option<ParkReason>,
    pub recorded_at: Instant,
    /// The command that wrote it, or the lease of its check ([`Job::lease`]); writes of the job are conditional on it, so
    /// each check is made once.
    pub written_by: String,
    /// Priority of its own; its kind's if `None`.
    #[serde(default)]
    pub priority: Option<u8>,
}

/// The outcome of a check, which decides the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Done: it acted, or nothing is left to do; the job ends.
    Done,
    /// Gone: the subject needs no check any more; the job ends silently.
    Gone,
    /// Still so: look again then. Counts as a check, and may not be further away than the kind's horizon.
    Again(Instant),
    /// Told of it, and a later stage of the subject comes: look then. Counts as a check, and is bound by no horizon.
    Told(Instant),
    /// The subject has a time of its own (its deadline moved, it recurs): look then.
    /// Counts only when that time has passed, and is bound by no horizon.
    Deadline(Instant),
}

/// The reason why a job is parked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum ParkReason {
    /// Asked for another run after the most checks that its kind allows.
    TooManyChecks { checks: u32 },
    /// Asked for a run beyond the horizon of its kind.
    BeyondHorizon {
        /// Time that the check asked for.
        at: Instant,
        horizon: Span,
    },
    /// Failed as often as its kind allows.
    Failed {
        tries: u32,
        #[serde(with = "private")]
        problem: String,
    },
    ByHand {
        operator: String,
        /// Operator who approved it, where that one alone may not do it.
        #[serde(default, skip_serializing_if = "is_default")]
        approved: Option<String>,
        #[serde(with = "private")]
        reason: String,
    },
}

impl fmt::Display for ParkReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyChecks { checks } => {
                let plural = if *checks == 1 { "" } else { "s" };
                write!(out, "it wanted to run again after {checks} check{plural}")
            }
            Self::BeyondHorizon { horizon, .. } => {
                write!(out, "its next check is more than {horizon} away")
            }
            Self::Failed { tries: 1, problem } => write!(out, "it failed once: {problem}"),
            Self::Failed { tries, problem } => write!(out, "it failed {tries} times: {problem}"),
            Self::ByHand { operator, approved, reason } => {
                let colon = if reason.is_empty() { "" } else { ": " };
                write!(out, "{} parked it{colon}{reason}", acting(operator, approved.as_deref()))
            }
        }
    }
}

/// Result of a run, as the history records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RunOutcome {
    /// Acted; the job ended.
    Done,
    /// Its subject was gone and the job ended.
    Gone,
    Again,
    /// Told of its subject; runs again at the next stage.
    Told,
    /// Runs again at a deadline of its subject.
    Moved,
    /// Failed; is retried.
    Failed,
    /// A guard stopped it.
    Parked,
    /// Not a run: an operator ran, parked or moved it by hand.
    ByHand,
}

worded!(RunOutcome);

impl RunOutcome {
    /// All of them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;
}

/// The state of a job after a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextCheck {
    Ended,
    Waits(Job),
    /// Its command runs at the station that writes this; due again when the lease ends.
    Runs(Job),
}

impl Job {
    /// A job that waits for a time of its subject's, rounded up to a slot of its kind.
    pub fn new(kind: JobKind, subject: String, due: Instant, policy: &JobPolicy) -> Self {
        let at = due.round_up(policy.slot);
        Self {
            kind,
            subject,
            first_check_at: at,
            next_check_at: at,
            check_count: 0,
            failures: 0,
            parked: None,
            recorded_at: Instant::default(),
            written_by: String::new(),
            priority: None,
        }
    }

    /// Time that a lease outlasts the time limit of its command.
    pub const LEASE_SPARE: Span = Span::seconds(30);

    /// Lease of a check whose command a station calls, by the command that began it.
    pub fn lease(command: &str, station: &str) -> String {
        format!("{command}@{station}")
    }

    /// Station that has the lease of its check; while that lasts its command runs there, or the station died.
    pub fn leased_by(&self) -> Option<&str> {
        self.written_by.split_once('@').map(|(_, station)| station)
    }

    /// Problem of a check whose station never said how its command ended.
    pub fn died(&self) -> String {
        format!("{} died while the command ran", self.leased_by().unwrap_or("its station"))
    }

    /// Words for an act by hand; they name the last check as lost where its lease has ended.
    pub fn by_hand(&self, did: String, now: Instant) -> String {
        match self.leased_by().filter(|_| self.next_check_at <= now) {
            Some(_) => format!("{did}; {}", self.died()),
            None => did,
        }
    }

    /// True if the check that comes is the last that may ask for another.
    pub fn is_last_check(&self, policy: &JobPolicy) -> bool {
        (1..=self.check_count.saturating_add(1)).contains(&policy.checks)
    }

    /// Refuses a job whose command runs: its answer decides what comes next.
    pub fn idle(&self, now: Instant) -> Result<(), JobRefusal> {
        let until = self.next_check_at;
        let station = self.leased_by().filter(|_| until > now);
        station.map_or(Ok(()), |station| Err(JobRefusal::JobRunning { station: station.to_owned(), until }))
    }

    /// True for a job that runs when due.
    pub fn is_due(&self, now: Instant) -> bool {
        self.parked.is_none() && self.next_check_at <= now
    }

    /// Number of the next run among the tries of its check, from 1.
    pub const fn attempt(&self) -> u32 {
        self.failures + 1
    }

    /// The next state after a check. A time that has passed means the next slot: the house may have been closed over it.
    pub fn after(&self, outcome: Outcome, now: Instant, policy: &JobPolicy) -> (NextCheck, RunOutcome) {
        let checks = self.check_count.saturating_add(1);
        let counted = Self { check_count: checks, ..self.clone() };
        let soonest = now + Span::from_millis(1);
        match outcome {
            Outcome::Done => (NextCheck::Ended, RunOutcome::Done),
            Outcome::Gone => (NextCheck::Ended, RunOutcome::Gone),
            Outcome::Deadline(at) if at > now => (self.waits_until(at, policy), RunOutcome::Moved),
            Outcome::Deadline(_) | Outcome::Again(_) | Outcome::Told(_) if self.is_last_check(policy) => {
                counted.stopped(ParkReason::TooManyChecks { checks })
            }
            Outcome::Again(at) if at > now + policy.horizon => {
                let horizon = policy.horizon;
                counted.stopped(ParkReason::BeyondHorizon { at, horizon })
            }
            Outcome::Deadline(at) | Outcome::Again(at) => {
                (counted.waits_until(at.max(soonest), policy), RunOutcome::Again)
            }
            Outcome::Told(at) => (counted.waits_until(at.max(soonest), policy), RunOutcome::Told),
        }
    }

    fn waits_until(&self, at: Instant, policy: &JobPolicy) -> NextCheck {
        NextCheck::Waits(Self { next_check_at: at.round_up(policy.slot), failures: 0, ..self.clone() })
    }

    /// The next state after a failed check: a retry, or parking.
    pub fn after_failure(&self, problem: String, now: Instant, policy: &JobPolicy) -> (NextCheck, RunOutcome) {
        let tries = self.failures.saturating_add(1);
        let failed = Self { failures: tries, ..self.clone() };
        if tries >= policy.tries {
            return failed.stopped(ParkReason::Failed { tries, problem });
        }
        let job = Self { next_check_at: (now + policy.backoff(tries)).round_up(policy.slot), ..failed };
        (NextCheck::Waits(job), RunOutcome::Failed)
    }

    fn stopped(self, reason: ParkReason) -> (NextCheck, RunOutcome) {
        let job = Self { parked: Some(reason), ..self };
        (NextCheck::Waits(job), RunOutcome::Parked)
    }

    /// Due at a time chosen by an operator; its tries count from the beginning, its checks do not: they tell its command
    /// what was sent before.
    #[must_use]
    pub fn moved_to(self, at: Instant) -> Self {
        Self { next_check_at: at, failures: 0, parked: None, ..self }
    }

    /// Due now, its checks and tries counted from the beginning.
    #[must_use]
    pub fn retried(self, now: Instant) -> Self {
        Self { check_count: 0, ..self.moved_to(now) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, JobKind, JobPolicy, NextCheck, Outcome, ParkReason, RunOutcome};
    use crate::domain::time::{Instant, Span};

    const NOON: Instant = Instant::from_millis(1_795_262_400_000);

    fn policy() -> JobPolicy {
        JobPolicy {
            slot: Span::minutes(15),
            checks: 3,
            horizon: Span::minutes(600),
            tries: 3,
            retry: Span::minutes(15),
            ..JobKind::Reservation.policy()
        }
    }

    fn job() -> Job {
        Job::new(JobKind::Reservation, "cart".into(), NOON, &policy())
    }

    fn waiting(next: NextCheck) -> Job {
        let NextCheck::Waits(job) = next else { panic!("it ended") };
        job
    }

    #[test]
    fn times_round_up_to_the_slot_and_never_down() {
        let five_past_ten = NOON - Span::minutes(115);
        let due = five_past_ten + Span::minutes(180);
        let job = Job::new(JobKind::Reservation, "cart".into(), due, &policy());
        assert_eq!(job.next_check_at, NOON + Span::minutes(75), "13:15");
        let before = Instant::from_millis(job.next_check_at.millis() - 1);
        assert!(!job.is_due(before) && job.is_due(job.next_check_at));
        let border = Job::new(JobKind::Reservation, "cart".into(), NOON, &policy());
        assert_eq!(border.next_check_at, NOON, "a border is its own slot");
    }

    #[test]
    fn a_job_that_wants_to_run_for_ever_is_parked() {
        let mut job = job();
        for _ in 0..2 {
            let (next, outcome) = job.after(Outcome::Again(NOON), NOON, &policy());
            assert_eq!(outcome, RunOutcome::Again);
            job = waiting(next);
        }
        let (next, outcome) = job.after(Outcome::Again(NOON), NOON, &policy());
        let parked = waiting(next);
        assert_eq!(outcome, RunOutcome::Parked);
        assert_eq!(parked.parked, Some(ParkReason::TooManyChecks { checks: 3 }));
        assert!(!parked.is_due(NOON + Span::minutes(9999)));
        let by_hand = parked.clone().moved_to(NOON);
        assert!(by_hand.is_due(NOON) && by_hand.check_count == 3, "run by hand it asks once more, and is parked");
        assert_eq!(parked.retried(NOON).check_count, 0);
    }

    #[test]
    fn a_time_that_has_passed_means_the_next_slot_and_counts() {
        let (slot, past) = (Span::minutes(15), NOON - Span::minutes(285));
        for now in [NOON, NOON + Span::minutes(14)] {
            for outcome in [Outcome::Again(past), Outcome::Again(now), Outcome::Told(past), Outcome::Deadline(past)] {
                let (next, _) = job().after(outcome, now, &policy());
                let next = waiting(next);
                assert_eq!((next.next_check_at, next.check_count, next.failures), (NOON + slot, 1, 0), "{outcome:?}");
            }
        }
    }

    #[test]
    fn what_was_told_counts_as_a_check_and_knows_no_horizon() {
        let far = NOON + Span::minutes(60_000);
        let (next, outcome) = job().after(Outcome::Told(far), NOON, &policy());
        assert_eq!((outcome, waiting(next).check_count), (RunOutcome::Told, 1));
        let last = JobPolicy { checks: 1, ..policy() };
        let (next, outcome) = job().after(Outcome::Told(far), NOON, &last);
        assert_eq!(outcome, RunOutcome::Parked);
        assert_eq!(waiting(next).parked, Some(ParkReason::TooManyChecks { checks: 1 }));
    }

    #[test]
    fn the_subjects_own_time_counts_no_check_and_knows_no_horizon() {
        let far = NOON + Span::minutes(60_000);
        let mut job = job();
        for _ in 0..20 {
            let (next, outcome) = job.after(Outcome::Deadline(far), NOON, &policy());
            job = waiting(next);
            assert_eq!((outcome, job.check_count), (RunOutcome::Moved, 0));
        }
        let (next, _) = job.after(Outcome::Deadline(NOON), NOON, &policy());
        assert_eq!(waiting(next).check_count, 1, "one that has passed counts");
        let (next, _) = job.after(Outcome::Again(far), NOON, &policy());
        assert!(matches!(waiting(next).parked, Some(ParkReason::BeyondHorizon { .. })));
    }

    #[test]
    fn a_failing_job_waits_longer_each_time_and_is_parked_with_its_problem() {
        let (next, outcome) = job().after_failure("no".into(), NOON, &policy());
        let first = waiting(next);
        assert_eq!(outcome, RunOutcome::Failed);
        assert_eq!(first.next_check_at, NOON + Span::minutes(15));
        assert_eq!((first.attempt(), first.first_check_at), (2, NOON));
        let (next, _) = first.after_failure("no".into(), NOON, &policy());
        let second = waiting(next);
        assert_eq!(second.next_check_at, NOON + Span::minutes(30));
        let (next, _) = second.after_failure("still no".into(), NOON, &policy());
        let parked = waiting(next).parked.unwrap();
        assert_eq!(parked.to_string(), "it failed 3 times: still no");
        let once = ParkReason::Failed { tries: 1, problem: "no".into() };
        assert_eq!(once.to_string(), "it failed once: no");
    }
}
