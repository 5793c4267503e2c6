//! Writes of jobs, runs and events.

use std::sync::LazyLock;

use crate::domain::customer::FORGOTTEN;
use crate::domain::job::{Job, JobKind, NextCheck, ParkReason, RunOutcome};
use crate::store::dialect::{RowWrite, Write};
use crate::store::document::By;
use crate::store::fault::Fault;
use crate::store::job::{Checked, EmittedEvent, FORGOTTEN_MAX, Heard, JobChange, Output, SideEffect};
use crate::store::presence;
use crate::store::value::Value;

/// Write of a job with its subject.
pub struct JobWrite {
    pub job: (JobKind, String),
    pub write: Write,
    /// False if it ends the job.
    pub puts: bool,
}

impl JobWrite {
    fn new(change: JobChange, by: By<'_>) -> Self {
        let leases = matches!(change, JobChange::Lease(_));
        let written_by = if leases { Job::lease(by.command, by.station) } else { by.command.to_owned() };
        match change {
            JobChange::Put(job) | JobChange::Lease(job) => Self {
                puts: true,
                write: Write {
                    row: &PUT,
                    params: vec![
                        job.kind.word().to_owned().into(),
                        job.subject.clone().into(),
                        job.first_check_at.millis().into(),
                        job.next_check_at.millis().into(),
                        by.at.into(),
                        written_by.into(),
                        0_i64.into(),
                        0_i64.into(),
                        "".into(),
                        priority(&job),
                    ],
                },
                job: (job.kind, job.subject),
            },
            JobChange::End { kind, subject } => Self {
                puts: false,
                write: Write { row: &END, params: vec![kind.word().to_owned().into(), subject.clone().into()] },
                job: (kind, subject),
            },
        }
    }

    /// Appends to the pending writes of the same job: an end replaces all of them, and a put
    /// replaces another put but keeps what stays of it, as in the table.
    pub fn append_to(mut self, pending: &mut Vec<Self>) {
        if !self.puts {
            pending.clear();
        } else if let Some(before) = pending.pop_if(|before| before.puts) {
            for stays in STAYS {
                let both = (self.write.params.get_mut(stays), before.write.params.get(stays));
                if let (Some(put), Some(before)) = both {
                    put.clone_from(before);
                }
            }
        }
        pending.push(self);
    }
}

/// Indexes of the first check and the priority among the parameters of a put.
const STAYS: [usize; 2] = [2, 9];

/// Priority of a job's own; below 0 without one.
fn priority(job: &Job) -> Value<'static> {
    job.priority.map_or(-1, i64::from).into()
}

/// Builds the job writes of an operation.
pub fn job_writes(effects: &[SideEffect], by: By<'_>) -> Vec<JobWrite> {
    // a check decides about its own job
    let is_checked = |change: &JobChange| {
        effects.iter().any(|one| matches!(one, SideEffect::Checked(checked) if change.is_of(&checked.job)))
    };
    let changes = effects.iter().filter_map(|one| if let SideEffect::Job(change) = one { Some(change) } else { None });
    changes.filter(|change| !is_checked(change)).map(|change| JobWrite::new(change.clone(), by)).collect()
}

/// Builds the other writes of an operation beside its documents. The write of a check fails if its
/// job has changed since.
///
/// # Errors
/// The reason for parking cannot be serialized.
pub fn writes(effects: &[SideEffect], by: By<'_>) -> Result<Vec<Write>, Fault> {
    let mut writes = Vec::new();
    for effect in effects {
        match effect {
            SideEffect::Job(_) => {}
            SideEffect::Checked(checked) => {
                writes.push(checked_write(checked, by)?);
                writes.extend(checked.outcome.map(|outcome| run_write(checked, outcome, by)));
            }
            SideEffect::Event(told) => writes.push(event_write(told, by)),
            SideEffect::Heard(number, heard) => {
                let row = if *heard == Heard::Waits { &CALL_AGAIN } else { &CALLED };
                writes.push(Write { row, params: vec![(*number).into()] });
            }
            SideEffect::Forget(before) => {
                let params: Vec<Value<'_>> = vec![before.millis().into(), FORGOTTEN_MAX.into()];
                writes.push(Write { row: &FORGET_RUNS, params: params.clone() });
                writes.push(Write { row: &FORGET_EVENTS, params });
            }
            SideEffect::Present(present, said_at) => writes.push(presence::write(present, *said_at)),
            SideEffect::Erased(output) => writes.push(erase_write(output)),
        }
    }
    Ok(writes)
}

static CALLED: LazyLock<RowWrite> =
    LazyLock::new(|| RowWrite::one("UPDATE event SET listener = 'called' WHERE seq = $1 AND listener = 'waits'"));

static CALL_AGAIN: LazyLock<RowWrite> =
    LazyLock::new(|| RowWrite::one("UPDATE event SET listener = 'waits' WHERE seq = $1 AND listener = 'called'"));

static FORGET_RUNS: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::any(
        "DELETE FROM job_run WHERE seq IN (SELECT seq FROM job_run WHERE started_at < $1 ORDER BY seq LIMIT $2)",
    )
});

static FORGET_EVENTS: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::any("DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE at < $1 ORDER BY seq LIMIT $2)")
});

static PUT: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = [
        "kind",
        "subject",
        "first_check_at",
        "next_check_at",
        "recorded_at",
        "written_by",
        "check_count",
        "failures",
        "parked",
        "priority",
    ];
    RowWrite::put(
        "job",
        &columns,
        "(kind, subject) DO UPDATE SET next_check_at = excluded.next_check_at, failures = 0, parked = '', \
         recorded_at = excluded.recorded_at, written_by = excluded.written_by",
    )
});

static END: LazyLock<RowWrite> = LazyLock::new(|| RowWrite::delete("job", &["kind", "subject"]));

static END_CHECKED: LazyLock<RowWrite> =
    LazyLock::new(|| RowWrite::one("DELETE FROM job WHERE kind = $1 AND subject = $2 AND written_by = $3"));

static PUT_CHECKED: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::one(
        "UPDATE job SET next_check_at = $1, check_count = $2, failures = $3, parked = $4, recorded_at = $5, written_by = $6, \
         priority = $7 WHERE kind = $8 AND subject = $9 AND written_by = $10",
    )
});

fn checked_write(checked: &Checked, by: By<'_>) -> Result<Write, Fault> {
    let job = &checked.job;
    let found = [job.kind.word().to_owned().into(), job.subject.clone().into(), job.written_by.clone().into()];
    Ok(match &checked.next {
        NextCheck::Ended => Write { row: &END_CHECKED, params: found.into() },
        NextCheck::Waits(next) | NextCheck::Runs(next) => {
            let runs = matches!(checked.next, NextCheck::Runs(_));
            let written_by = if runs { Job::lease(by.command, by.station) } else { by.command.to_owned() };
            let mut params: Vec<Value<'static>> = vec![
                next.next_check_at.millis().into(),
                next.check_count.into(),
                next.failures.into(),
                column(next.parked.as_ref())?.into(),
                by.at.into(),
                written_by.into(),
                priority(next),
            ];
            params.extend(found);
            Write { row: &PUT_CHECKED, params }
        }
    })
}

static ERASE_RUN: LazyLock<RowWrite> = LazyLock::new(|| RowWrite::any("UPDATE job_run SET detail = $1 WHERE seq = $2"));

static ERASE_PARKED: LazyLock<RowWrite> =
    LazyLock::new(|| RowWrite::any("UPDATE job SET parked = $1 WHERE kind = $2 AND subject = $3"));

static ERASE_EVENT: LazyLock<RowWrite> = LazyLock::new(|| RowWrite::any("UPDATE event SET body = $1 WHERE seq = $2"));

fn erase_write(output: &Output) -> Write {
    match output.clone() {
        Output::Run(seq) => Write { row: &ERASE_RUN, params: vec![FORGOTTEN.into(), seq.into()] },
        Output::Parked(kind, subject, parked) => {
            Write { row: &ERASE_PARKED, params: vec![parked.into(), kind.into(), subject.into()] }
        }
        Output::Event(seq, body) => Write { row: &ERASE_EVENT, params: vec![body.into(), seq.into()] },
    }
}

pub(super) fn column(parked: Option<&ParkReason>) -> Result<String, Fault> {
    let text = parked.map_or_else(|| Ok(String::new()), serde_json::to_string);
    text.map_err(|error| Fault::Broken(error.to_string()))
}

static RUN: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = [
        "kind",
        "subject",
        "due_at",
        "started_at",
        "took_micros",
        "attempt",
        "outcome",
        "detail",
        "operator",
        "station",
        "command",
        "checked",
    ];
    RowWrite::insert("job_run", &columns)
});

fn run_write(checked: &Checked, outcome: RunOutcome, by: By<'_>) -> Write {
    let job = &checked.job;
    Write {
        row: &RUN,
        params: vec![
            job.kind.word().to_owned().into(),
            job.subject.clone().into(),
            job.next_check_at.millis().into(),
            checked.started_at.millis().into(),
            checked.took_micros.into(),
            job.attempt().into(),
            outcome.word().into(),
            checked.detail.clone().into(),
            by.operator.to_owned().into(),
            by.station.to_owned().into(),
            by.command.to_owned().into(),
            job.written_by.clone().into(),
        ],
    }
}

static EVENT: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = ["at", "word", "body", "operator", "station", "command", "listener"];
    RowWrite::insert("event", &columns)
});

fn event_write(told: &EmittedEvent, by: By<'_>) -> Write {
    let listener: &str = told.heard.into();
    Write {
        row: &EVENT,
        params: vec![
            by.at.into(),
            told.word.into(),
            told.body.clone().into(),
            by.operator.to_owned().into(),
            by.station.to_owned().into(),
            by.command.to_owned().into(),
            listener.into(),
        ],
    }
}
