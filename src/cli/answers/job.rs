//! Jobs, their runs, and calls of listeners.

use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::job::ParkReason;
use crate::domain::text::clean;
use crate::domain::time::Local;
use crate::engine::background::{Called, Worked};
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{JobSubject, JobView, short};
use crate::words::jobs as words;

pub(in crate::cli) fn job(job: &JobView, here: Local) -> Rendered {
    let zone = here.zone;
    let facts = [
        ("about", words::about(&job.about, here.now)),
        ("runs", runs(job, here)),
        ("then", words::then(job).to_owned()),
        ("command", command(job).unwrap_or_default().to_owned()),
        ("first check", job.first_check_at.rfc3339(zone)),
        ("next check", job.next_check_at.rfc3339(zone)),
        ("checks", job.check_count.to_string()),
        ("failed tries", job.failures.to_string()),
        ("priority", job.priority.to_string()),
    ];
    let lines = facts.iter().filter(|(_, fact)| !fact.is_empty());
    let lines: Vec<String> = lines.map(|(name, fact)| format!("{name}: {fact}")).collect();
    let people = format!("{} {}\n{}", job.kind, job.subject, lines.join("\n"));
    Rendered::new(json(job, here), people)
}

fn json(job: &JobView, here: Local) -> Value {
    let zone = here.zone;
    let parked = |reason: &ParkReason| {
        let facts = serde_json::to_value(reason).unwrap_or_default();
        object!(..facts, "words": reason.to_string())
    };
    object! {
        job { kind, subject, check_count, failures, priority; in zone; first_check_at, next_check_at },
        "about": words::about(&job.about, here.now),
        "known": job.known().is_some(),
        "then": words::then(job),
        ? "parked": job.parked.as_ref().map(parked),
        ? "run": command(job),
    }
}

/// A job that somebody ended, as it was.
pub(in crate::cli) fn ended(job: &JobView, here: Local) -> Rendered {
    Rendered::new(object!(..json(job, here), "ended": true), format!("{} {}: ended", job.kind, job.subject))
}

/// Shell command of an own kind.
fn command(job: &JobView) -> Option<&str> {
    if let JobSubject::Own { command, .. } = &job.about { Some(command) } else { None }
}

/// When a job runs, or why it does not.
fn runs(job: &JobView, here: Local) -> String {
    match (&job.parked, job.known()) {
        (Some(reason), _) => format!("parked: {reason}"),
        (None, None) => "left to a newer willcall".to_owned(),
        (None, Some(_)) => words::due(job.next_check_at, here),
    }
}

pub(crate) fn list(jobs: &[JobView], here: Local) -> Rendered {
    let table = Table::of(jobs)
        .words("RUNS", |job| runs(job, here))
        .words("KIND", |job| job.kind.clone())
        .words("ABOUT", |job| words::about(&job.about, here.now))
        .words("THEN", |job| words::then(job))
        .numbers("CHECKS", |job| job.check_count)
        .numbers("FAILED", |job| job.failures)
        .numbers("PRIORITY", |job| job.priority)
        .words("SUBJECT", |job| short(&job.subject));
    Rendered::list(jobs, |job| json(job, here), table.text_or("No job waits."))
        .columns("kind subject about next_check_at first_check_at check_count failures priority then known parked run")
}

pub(in crate::cli) fn run(run: &RunView, here: Local) -> Rendered {
    Rendered::new(run_json(run, here), run_line(run))
}

fn run_json(run: &RunView, here: Local) -> Value {
    let zone = here.zone;
    object! {
        "id": run.seq,
        run { kind, subject, attempt, outcome, detail, operator, station, command; in zone; due_at, started_at },
        "about": words::about(&run.about, here.now),
        "took_ms": took_ms(run),
    }
}

fn took_ms(run: &RunView) -> f64 {
    f64::from(u32::try_from(run.took_micros).unwrap_or(u32::MAX)) / 1000.0
}

pub(in crate::cli) fn run_line(run: &RunView) -> String {
    let outcome = run.outcome.replace('_', " ");
    let text = format!("{} {}: {outcome}", run.kind, short(&run.subject));
    clean(&if run.detail.is_empty() { text } else { format!("{text} ({})", run.detail) })
}

pub(crate) fn history(runs: &[RunView], here: Local) -> Rendered {
    let table = Table::of(runs)
        .numbers("ID", |run| run.seq)
        .words("STARTED", |run| run.started_at.rfc3339(here.zone))
        .words("KIND", |run| run.kind.clone())
        .words("ABOUT", |run| words::about(&run.about, here.now))
        .words("SUBJECT", |run| short(&run.subject))
        .words("OUTCOME", |run| run.outcome.replace('_', " "))
        .numbers("TRY", |run| run.attempt)
        .numbers("MS", |run| format!("{:.1}", took_ms(run)))
        .words("STATION", |run| run.station.clone())
        .words("WHY", |run| run.detail.clone());
    let people = table.text_or("Nothing was run yet.");
    let columns = "id started_at due_at kind subject about outcome detail attempt took_ms operator station command";
    Rendered::list(runs, |run| run_json(run, here), people).columns(columns)
}

/// A run of a job, or a call of a listener.
pub(in crate::cli) fn worked(worked: &Worked, here: Local) -> Rendered {
    match worked {
        Worked::Ran(done) => Rendered::new(json!({ "run": run_json(done, here) }), run_line(done)),
        Worked::Called(called) => call(called),
    }
}

fn call(called: &Called) -> Rendered {
    let call = object! {
        called { event, command },
        "id": called.number,
        ? "problem": called.problem,
    };
    let ended = called.problem.as_deref().unwrap_or("done");
    let people = format!("listener {} {}: {ended}", called.event, called.number);
    Rendered::new(json!({ "call": call }), clean(&people))
}

/// Runs of jobs and calls of listeners by one command.
pub(in crate::cli) fn worked_list(done: &[Worked], here: Local) -> Rendered {
    let checks = done.iter().filter(|one| matches!(one, Worked::Ran(_)));
    let checks = checks.count();
    let done = done.iter().map(|one| worked(one, here));
    let (done, mut lines): (Vec<Value>, Vec<String>) = done.map(|one| (one.json, one.people)).unzip();
    lines.push(match checks {
        0 => "Nothing is due.".to_owned(),
        1 => "Ran 1 check.".to_owned(),
        checks => format!("Ran {checks} checks."),
    });
    Rendered::new(json!({ "checks": checks, "done": done }), lines.join("\n"))
}
