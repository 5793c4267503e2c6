//! Jobs and their runs.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::job::ParkReason;
use crate::domain::time::Instant;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{JobView, short};
use crate::engine::worked::Worked;
use crate::tui::wording::jobs as wording;

/// A job.
#[derive(Serialize)]
pub(in crate::cli) struct JobAnswer {
    kind: String,
    subject: String,
    about: String,
    first_check_at: String,
    next_check_at: String,
    check_count: u32,
    failures: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    parked: Option<ParkedAnswer>,
    /// Whether this program runs the kind.
    known: bool,
    #[serde(skip)]
    when: String,
    /// What it does then.
    then: &'static str,
}

#[derive(Serialize)]
struct ParkedAnswer {
    #[serde(flatten)]
    reason: ParkReason,
    words: String,
}

impl JobAnswer {
    pub(in crate::cli) fn new(job: &JobView, now: Instant, zone: Tz) -> Self {
        let parked = job.parked.as_ref().map(|reason| ParkedAnswer {
            reason: reason.clone(),
            words: reason.to_string(),
        });
        let when = match (&parked, job.known()) {
            (Some(parked), _) => format!("parked: {}", parked.words),
            (None, None) => "left to a newer willcall".to_owned(),
            (None, Some(_)) => wording::due(job.next_check_at, now, zone),
        };
        Self {
            kind: job.kind.clone(),
            subject: job.subject.clone(),
            about: wording::about(&job.about),
            first_check_at: job.first_check_at.rfc3339(zone),
            next_check_at: job.next_check_at.rfc3339(zone),
            check_count: job.check_count,
            failures: job.failures,
            parked,
            known: job.known().is_some(),
            when,
            then: wording::then(job),
        }
    }
}

impl Answer for JobAnswer {
    fn people(&self) -> String {
        let facts = [
            ("about", self.about.clone()),
            ("runs", self.when.clone()),
            ("then", self.then.to_owned()),
            ("first check", self.first_check_at.clone()),
            ("next check", self.next_check_at.clone()),
            ("checks", self.check_count.to_string()),
            ("failed tries", self.failures.to_string()),
        ];
        let lines = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
        let lines: Vec<String> = lines
            .map(|(name, fact)| format!("{name}: {fact}"))
            .collect();
        format!("{} {}\n{}", self.kind, self.subject, lines.join("\n"))
    }
}

/// Jobs, the next first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct JobList(pub(in crate::cli) Vec<JobAnswer>);

impl Answer for JobList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("RUNS"),
            words("KIND"),
            words("ABOUT"),
            words("THEN"),
            numbers("CHECKS"),
            numbers("FAILED"),
            words("SUBJECT"),
        ]);
        for job in &self.0 {
            table.row([
                job.when.clone(),
                job.kind.clone(),
                job.about.clone(),
                job.then.to_owned(),
                job.check_count.to_string(),
                job.failures.to_string(),
                short(&job.subject),
            ]);
        }
        table.text_or("No job waits.")
    }
}

/// A run of a job.
#[derive(Serialize)]
pub(in crate::cli) struct RunAnswer {
    pub(in crate::cli) id: i64,
    kind: String,
    subject: String,
    about: String,
    due_at: String,
    started_at: String,
    took_ms: f64,
    attempt: i64,
    outcome: String,
    detail: String,
    operator: String,
    station: String,
    command: String,
}

impl RunAnswer {
    pub(in crate::cli) fn new(run: &RunView, zone: Tz) -> Self {
        let micros = u32::try_from(run.took_micros).unwrap_or(u32::MAX);
        Self {
            id: run.seq,
            kind: run.kind.clone(),
            subject: run.subject.clone(),
            about: wording::about(&run.about),
            due_at: run.due_at.rfc3339(zone),
            started_at: run.started_at.rfc3339(zone),
            took_ms: f64::from(micros) / 1000.0,
            attempt: run.attempt,
            outcome: run.outcome.clone(),
            detail: run.detail.clone(),
            operator: run.operator.clone(),
            station: run.station.clone(),
            command: run.command.clone(),
        }
    }
}

impl Answer for RunAnswer {
    fn people(&self) -> String {
        let outcome = self.outcome.replace('_', " ");
        let text = format!("{} {}: {outcome}", self.kind, short(&self.subject));
        crate::domain::text::clean(&if self.detail.is_empty() {
            text
        } else {
            format!("{text} ({})", self.detail)
        })
    }
}

/// Runs, newest first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct RunList(pub(in crate::cli) Vec<RunAnswer>);

impl Answer for RunList {
    fn people(&self) -> String {
        let mut table = Table::new([
            numbers("ID"),
            words("STARTED"),
            words("KIND"),
            words("ABOUT"),
            words("SUBJECT"),
            words("OUTCOME"),
            numbers("TRY"),
            numbers("MS"),
            words("STATION"),
            words("WHY"),
        ]);
        for run in &self.0 {
            table.row([
                run.id.to_string(),
                run.started_at.clone(),
                run.kind.clone(),
                run.about.clone(),
                short(&run.subject),
                run.outcome.replace('_', " "),
                run.attempt.to_string(),
                format!("{:.1}", run.took_ms),
                run.station.clone(),
                run.detail.clone(),
            ]);
        }
        table.text_or("Nothing was run yet.")
    }
}

/// A listener's call.
#[derive(Serialize)]
pub(in crate::cli) struct CallAnswer {
    event: String,
    id: i64,
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// A piece of background work that is done.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::cli) enum WorkedAnswer {
    Run(RunAnswer),
    Call(CallAnswer),
}

impl WorkedAnswer {
    pub(in crate::cli) fn new(worked: &Worked, zone: Tz) -> Self {
        match worked {
            Worked::Ran(run) => Self::Run(RunAnswer::new(run, zone)),
            Worked::Called(called) => Self::Call(CallAnswer {
                event: called.event.clone(),
                id: called.number,
                command: called.command.clone(),
                problem: called.problem.clone(),
            }),
        }
    }
}

impl Answer for WorkedAnswer {
    fn people(&self) -> String {
        match self {
            Self::Run(run) => run.people(),
            Self::Call(call) => {
                let ended = call.problem.as_deref().unwrap_or("done");
                crate::domain::text::clean(&format!("listener {} {}: {ended}", call.event, call.id))
            }
        }
    }
}

/// The work of one command: checks of jobs, and calls of listeners.
#[derive(Serialize)]
pub(in crate::cli) struct WorkedList {
    checks: usize,
    done: Vec<WorkedAnswer>,
}

impl WorkedList {
    pub(in crate::cli) fn new(done: &[Worked], zone: Tz) -> Self {
        let answers = done.iter().map(|done| WorkedAnswer::new(done, zone));
        let checks = done.iter().filter(|done| matches!(done, Worked::Ran(_)));
        Self {
            checks: checks.count(),
            done: answers.collect(),
        }
    }
}

impl Answer for WorkedList {
    fn people(&self) -> String {
        let mut lines: Vec<String> = self.done.iter().map(Answer::people).collect();
        lines.push(match self.checks {
            0 => "Nothing is due.".to_owned(),
            1 => "Ran 1 check.".to_owned(),
            checks => format!("Ran {checks} checks."),
        });
        lines.join("\n")
    }
}
