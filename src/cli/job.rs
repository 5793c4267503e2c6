//! Job commands: due and parked jobs, the history of runs, and runs by hand.

mod add;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::cli::answers::job;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::times::Window;
use crate::cli::work::{self, RunFormat};
use crate::cli::{times, values};
use crate::domain::job::{JobKind, RunOutcome};
use crate::domain::refusal::Refusal;
use crate::domain::settings::priority;
use crate::domain::time::Instant;
use crate::engine::background::Worked;
use crate::engine::ops::{ControlJob, JobAct};
use crate::engine::reads::jobs::runs::ReadRuns;
use crate::engine::reads::jobs::{JobView, ReadJob, ReadJobs, WhichJobs};

#[derive(Debug, Subcommand)]
pub(super) enum JobVerb {
    /// Check something of your own at a time, by a shell command
    Add(add::AddJobArgs),
    /// All kinds, built in and own, with their settings
    Kinds(AsCsv),
    /// Jobs that are due next, or parked
    List {
        /// Only parked ones, with their reasons
        #[arg(long)]
        parked: bool,
        /// Only of this kind
        #[arg(long)]
        kind: Option<String>,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One job
    Show(Which),
    /// Finished runs, newest first
    History(History),
    /// Run a job now; without a job, everything that is due
    Run {
        /// The kind: cart-expiry, reservation, ...
        #[arg(requires = "subject")]
        kind: Option<String>,
        /// The id of the watched thing, or the end of it
        subject: Option<String>,
    },
    /// Put a parked job back on schedule
    Retry(Which),
    /// Park a job until somebody runs it again
    Park {
        #[command(flatten)]
        which: Which,
        /// The reason
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// End a job of an own kind: nothing is left to check
    End(Which),
    /// Let a job go before others of its kind that are due, or behind them
    Change {
        #[command(flatten)]
        which: Which,
        /// Its own: 0 before 9
        #[arg(long, value_name = "NUMBER", required_unless_present = "no_priority")]
        priority: Option<String>,
        /// Its kind's
        #[arg(long, conflicts_with = "priority")]
        no_priority: bool,
    },
    /// Run a job later
    Later {
        #[command(flatten)]
        which: Which,
        /// At a time: 2026-12-01T19:30
        #[arg(long, value_name = "TIME", required_unless_present = "by")]
        at: Option<String>,
        /// From now: 15m, 2h
        #[arg(long, value_name = "SPAN", conflicts_with = "at")]
        by: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(super) struct Which {
    /// The kind: cart-expiry, reservation, ...
    kind: String,
    /// The id of the watched thing, or the end of it
    subject: String,
}

#[derive(Debug, Args)]
pub(super) struct History {
    /// Only of this kind
    #[arg(long)]
    kind: Option<String>,
    /// Only of this watched thing: an id, or the end of one
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Only those with this result: done, gone, again, told, moved, failed, parked, by-hand
    #[arg(long)]
    outcome: Option<String>,
    #[command(flatten)]
    started: Window,
    /// Only older runs than this one
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

impl JobVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        let done = match self {
            Self::Add(add) => add.run(call),
            Self::Kinds(csv) => add::kinds(call, csv),
            Self::End(which) => which.end(call),
            Self::List { parked, kind, csv } => {
                csv.choose(call.out);
                list(call, *parked, kind.as_deref())
            }
            Self::Show(which) => {
                let view = which.view(call)?;
                answer(call, &view)
            }
            Self::History(history) => history.list(call),
            Self::Run { kind, subject } => {
                return match kind.clone().zip(subject.clone()) {
                    Some((kind, subject)) => Which { kind, subject }.run_now(call),
                    None => work::once(call, RunFormat::Listed),
                };
            }
            Self::Retry(which) => which.control(call, JobAct::Retry),
            Self::Park { which, reason } => which.control(call, JobAct::Park(reason.clone())),
            Self::Change { which, priority: own, .. } => {
                let own = values::some(own.as_ref(), |text| priority("priority", text))?;
                which.control(call, JobAct::Prioritize(own))
            }
            Self::Later { which, at, by } => {
                let at = later(call, at.as_deref(), by.as_deref())?;
                which.control(call, JobAct::Later(at))
            }
        };
        done.map(|()| ExitCode::SUCCESS)
    }
}

fn later(call: &Call<'_>, at: Option<&str>, by: Option<&str>) -> Result<Instant, Refusal> {
    match (at, by) {
        (Some(at), _) => times::deadline("at", at, call.now_in(call.out.zone)),
        (None, by) => Ok(call.present() + values::span("by", by.unwrap_or_default())?),
    }
}

fn list(call: &mut Call<'_>, parked: bool, kind: Option<&str>) -> Done {
    let which = if parked { WhichJobs::Parked } else { WhichJobs::Waiting };
    let kind = kind.map(JobKind::typed);
    let jobs = call.read(ReadJobs { which, kind: kind.clone() })?;
    if jobs.is_empty() {
        known_kind(call, kind.as_deref())?;
    }
    call.answer(&job::list(&jobs, call.out.here()))
}

fn answer(call: &mut Call<'_>, view: &JobView) -> Done {
    call.answer(&job::job(view, call.out.here()))
}

impl Which {
    fn view(&self, call: &Call<'_>) -> Result<JobView, Stop> {
        let (kind, subject) = (JobKind::typed(&self.kind), self.subject.clone());
        call.read(ReadJob { kind, subject })
    }

    /// The job's name, when this program knows its kind.
    fn known(&self, call: &Call<'_>) -> Result<(JobKind, String), Stop> {
        let view = self.view(call)?;
        let unknown = || {
            let problem = format!("{:?} is a kind of a newer willcall and is left alone; update this one", view.kind);
            values::bad("kind", problem)
        };
        let kind = view.known().ok_or_else(unknown)?;
        Ok((kind, view.subject))
    }

    /// Runs the job, and calls the listeners that wait, those of the run included.
    fn run_now(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        let (kind, subject) = self.known(call)?;
        let run = call.desk.run_job(kind, subject)?;
        call.answer(&job::run(&run, call.out.here()))?;
        call.desk.hear_all()?;
        Ok(work::failed(call, &[Worked::Ran(Box::new(run))]))
    }

    fn end(&self, call: &mut Call<'_>) -> Done {
        let (kind, subject) = self.known(call)?;
        let before = self.view(call)?;
        let act = JobAct::End;
        call.run(ControlJob { kind, subject, act })?;
        call.answer(&job::ended(&before, call.out.here()))
    }

    fn control(&self, call: &mut Call<'_>, act: JobAct) -> Done {
        let (kind, subject) = self.known(call)?;
        call.run(ControlJob { kind, subject, act })?;
        let view = self.view(call)?;
        answer(call, &view)
    }
}

impl History {
    fn list(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let before = |text: &str| {
            let wrong = |_| values::bad("after", format!("{text:?} is no run's id"));
            text.trim().parse::<i64>().map_err(wrong)
        };
        let outcome = self.outcome.as_deref().map(JobKind::typed);
        if let Some(outcome) = &outcome {
            let words: Vec<&str> = RunOutcome::ALL.iter().map(RunOutcome::word).collect();
            known("outcome", outcome, &words)?;
        }
        let kind = self.kind.as_deref().map(JobKind::typed);
        let (from, until) = self.started.bounds(call.now_in(call.out.zone))?;
        let (operator, station) = call.named.clone();
        let (kind_only, subject) = (kind.clone(), self.subject.clone());
        let only =
            ReadRuns { kind: kind_only, subject, outcome, from, until, operator, station, ..ReadRuns::default() };
        let after = values::some(self.after.as_ref(), before)?;
        let runs = call.pages(after, |before| ReadRuns { before, ..only.clone() }, |run| run.seq)?;
        if runs.is_empty() {
            known_kind(call, kind.as_deref())?;
        }
        call.answer(&job::history(&runs, call.out.here()))
    }
}

/// Refuses a kind unknown to this house; called only where no stored job has it.
fn known_kind(call: &Call<'_>, kind: Option<&str>) -> Result<(), Refusal> {
    let kinds: Vec<JobKind> = call.settings.job_kinds().collect();
    let words: Vec<&str> = kinds.iter().map(JobKind::word).collect();
    kind.map_or(Ok(()), |kind| known("kind", kind, &words))
}

fn known(field: &str, word: &str, words: &[&str]) -> Result<(), Refusal> {
    if words.contains(&word) {
        return Ok(());
    }
    let problem = format!("there is no {word:?}; there are {}", words.join(", "));
    Err(values::bad(field, problem))
}
