//! Jobs, their history, and events: the only SQL that writes them.
//!
//! They lie outside the journal. Whoever acts on a job names the command that wrote it last; no row changed
//! means that somebody else was faster, so that effect, next check and history are one transaction, once.

use crate::domain::job::{Job, JobKind, Next, ParkReason, RunOutcome};
use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::store::answer::{self, Printed};
use crate::store::stamps::BroughtBack;
use crate::store::{Fault, Row, Rows, Session, Sql, Value, presence};

/// The columns of a job, in the order that [`from_row`] reads them.
pub const COLUMNS: &str = "kind, subject, first_check_at, next_check_at, check_count, failures, parked, recorded_at, written_by";

/// A job from a row of [`COLUMNS`]; `None` when its kind is a newer program's.
#[must_use]
pub fn from_row(row: &Row) -> Option<Job> {
    let count = |column| u32::try_from(row.int(column)).unwrap_or(u32::MAX);
    Some(Job {
        kind: JobKind::from_word(row.text(0))?,
        subject: row.text(1).to_owned(),
        first_check_at: Instant::from_millis(row.int(2)),
        next_check_at: Instant::from_millis(row.int(3)),
        check_count: count(4),
        failures: count(5),
        parked: reason(row.text(6), count(5)),
        recorded_at: Instant::from_millis(row.int(7)),
        written_by: row.text(8).to_owned(),
    })
}

/// Why a job is parked, from its column; a newer program's reason stays readable as it is.
#[must_use]
pub fn reason(column: &str, tries: u32) -> Option<ParkReason> {
    if column.is_empty() {
        return None;
    }
    let unknown = |_| ParkReason::Failed {
        tries,
        problem: column.to_owned(),
    };
    Some(serde_json::from_str(column).unwrap_or_else(unknown))
}

/// A job by its name.
///
/// # Errors
/// A fault of the database.
pub fn find(sql: &mut dyn Sql, kind: JobKind, subject: &str) -> Result<Option<Job>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM job WHERE kind = $1 AND subject = $2");
    let rows = sql.query(&text, &[kind.word().into(), subject.into()])?;
    Ok(rows.first().and_then(from_row))
}

/// A change to the jobs by an operation on their subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobChange {
    /// Written with its subject, or due anew because its subject changed.
    Put(Job),
    /// Its subject ended.
    End {
        /// The kind.
        kind: JobKind,
        /// The subject.
        subject: String,
    },
}

impl JobChange {
    fn is_of(&self, other: &Job) -> bool {
        let (kind, subject) = match self {
            Self::Put(job) => (job.kind, &job.subject),
            Self::End { kind, subject } => (*kind, subject),
        };
        kind == other.kind && *subject == other.subject
    }
}

/// A run of a job, or what somebody did to it by hand: its next state and its line in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The job as it was found.
    pub job: Job,
    /// What becomes of it.
    pub next: Next,
    /// How it ended.
    pub outcome: RunOutcome,
    /// What there is to say; may be empty.
    pub detail: String,
    /// When it started, in engine time.
    pub started_at: Instant,
    /// How long it took.
    pub took_micros: i64,
}

/// An event, ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its word.
    pub word: &'static str,
    /// Itself, as JSON.
    pub body: String,
    /// Whether a listener waits for it.
    pub heard: Heard,
}

/// Whether a listener waits for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// None is set.
    Nobody,
    /// One is, and was not called yet.
    Waits,
}

/// What an operation leaves beside its documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// Jobs written or ended with their subjects.
    pub jobs: Vec<JobChange>,
    /// A check that was made.
    pub checked: Option<Checked>,
    /// What it tells.
    pub events: Vec<Told>,
    /// The event that it takes for a listener.
    pub heard: Option<i64>,
    /// Before when runs and events are forgotten, some of them.
    pub forget: Option<Instant>,
    /// Which station is on.
    pub present: Option<Present>,
    /// Stamps from the future that are brought back.
    pub back: Option<BroughtBack>,
    /// The answer that a command printed.
    pub printed: Option<Printed>,
}

impl Aside {
    /// Whether there is nothing to write.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.jobs.is_empty()
            && self.checked.is_none()
            && self.events.is_empty()
            && self.heard.is_none()
            && self.forget.is_none()
            && self.present.is_none()
            && self.back.is_none()
            && self.printed.is_none()
    }
}

/// Who writes, and when.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// The command.
    pub command: &'a str,
    /// When, in milliseconds.
    pub at: i64,
    /// Who asked for it.
    pub operator: &'a str,
    /// Where.
    pub station: &'a str,
}

/// Writes what an operation left beside its documents.
///
/// # Errors
/// [`Fault::Contended`] when the job that was checked is no longer as it was found; a fault of the database.
pub fn write(session: &mut dyn Session, aside: &Aside, by: By<'_>) -> Result<(), Fault> {
    if let Some(checked) = &aside.checked {
        write_checked(session, checked, by)?;
    }
    for change in &aside.jobs {
        // what a check answers decides of its own job
        if aside
            .checked
            .as_ref()
            .is_none_or(|checked| !change.is_of(&checked.job))
        {
            write_change(session, change, by)?;
        }
    }
    for told in &aside.events {
        write_event(session, told, by)?;
    }
    if let Some(number) = aside.heard {
        write_heard(session, number)?;
    }
    if let Some(before) = aside.forget {
        forget(session, before)?;
    }
    if let Some(present) = &aside.present {
        presence::write(session, present)?;
    }
    if let Some(printed) = &aside.printed {
        answer::write(session, printed)?;
    }
    Ok(())
}

fn write_heard(session: &mut dyn Session, number: i64) -> Result<(), Fault> {
    let update = "UPDATE event SET listener = 'called' WHERE seq = $1 AND listener = 'waits'";
    match session.execute(update, &[number.into()])? {
        0 => Err(Fault::Contended),
        _ => Ok(()),
    }
}

/// Whether an event waits for a listener.
///
/// # Errors
/// A fault of the database.
pub fn waits(sql: &mut dyn Sql, number: i64) -> Result<bool, Fault> {
    let select = "SELECT seq FROM event WHERE seq = $1 AND listener = 'waits'";
    Ok(!sql.query(select, &[number.into()])?.is_empty())
}

/// How many runs and events are forgotten at once, so that nobody waits for it.
const FORGOTTEN_MAX: i64 = 1000;

/// Whether more runs or events are before a time than are forgotten at once.
///
/// # Errors
/// A fault of the database.
pub fn is_long(sql: &mut dyn Sql, before: Instant) -> Result<bool, Fault> {
    let older = |select: &str, sql: &mut dyn Sql| -> Result<bool, Fault> {
        let rows = sql.query(select, &[FORGOTTEN_MAX.into()])?;
        Ok(rows.first().is_some_and(|row| row.int(0) < before.millis()))
    };
    let run = "SELECT started_at FROM job_run ORDER BY seq LIMIT 1 OFFSET $1";
    let event = "SELECT at FROM event ORDER BY seq LIMIT 1 OFFSET $1";
    Ok(older(run, sql)? || older(event, sql)?)
}

fn forget(session: &mut dyn Session, before: Instant) -> Result<(), Fault> {
    let params = [before.millis().into(), FORGOTTEN_MAX.into()];
    session.execute(
        "DELETE FROM job_run WHERE seq IN (SELECT seq FROM job_run WHERE started_at < $1 ORDER BY seq LIMIT $2)",
        &params,
    )?;
    session.execute(
        "DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE at < $1 ORDER BY seq LIMIT $2)",
        &params,
    )?;
    Ok(())
}

fn write_change(session: &mut dyn Session, change: &JobChange, by: By<'_>) -> Result<(), Fault> {
    match change {
        JobChange::Put(job) => session.write(
            "INSERT INTO job (kind, subject, first_check_at, next_check_at, recorded_at, written_by, check_count, failures, parked) \
             VALUES ($1, $2, $3, $4, $5, $6, 0, 0, '') ON CONFLICT (kind, subject) DO UPDATE SET next_check_at = excluded.next_check_at, \
             check_count = 0, failures = 0, parked = '', recorded_at = excluded.recorded_at, written_by = excluded.written_by",
            &[
                job.kind.word().into(),
                job.subject.as_str().into(),
                job.first_check_at.millis().into(),
                job.next_check_at.millis().into(),
                by.at.into(),
                by.command.into(),
            ],
            Rows::One,
        )?,
        JobChange::End { kind, subject } => session.write(
            "DELETE FROM job WHERE kind = $1 AND subject = $2",
            &[kind.word().into(), subject.as_str().into()],
            Rows::Any,
        )?,
    };
    Ok(())
}

fn write_checked(session: &mut dyn Session, checked: &Checked, by: By<'_>) -> Result<(), Fault> {
    let job = &checked.job;
    let changed = match &checked.next {
        Next::Ended => session.write(
            "DELETE FROM job WHERE kind = $1 AND subject = $2 AND written_by = $3",
            &[
                job.kind.word().into(),
                job.subject.as_str().into(),
                job.written_by.as_str().into(),
            ],
            Rows::One,
        )?,
        Next::Waits(next) => session.write(
            "UPDATE job SET next_check_at = $1, check_count = $2, failures = $3, parked = $4, recorded_at = $5, written_by = $6 \
             WHERE kind = $7 AND subject = $8 AND written_by = $9",
            &[
                next.next_check_at.millis().into(),
                next.check_count.into(),
                next.failures.into(),
                column(next.parked.as_ref())?.into(),
                by.at.into(),
                by.command.into(),
                job.kind.word().into(),
                job.subject.as_str().into(),
                job.written_by.as_str().into(),
            ],
            Rows::One,
        )?,
    };
    if !changed {
        return Err(Fault::Contended);
    }
    write_run(session, checked, by)
}

fn column(parked: Option<&ParkReason>) -> Result<String, Fault> {
    let text = parked.map_or_else(|| Ok(String::new()), serde_json::to_string);
    text.map_err(|error| Fault::Broken(error.to_string()))
}

fn write_run(session: &mut dyn Session, checked: &Checked, by: By<'_>) -> Result<(), Fault> {
    let job = &checked.job;
    let params: [Value<'_>; 12] = [
        job.kind.word().into(),
        job.subject.as_str().into(),
        job.next_check_at.millis().into(),
        checked.started_at.millis().into(),
        checked.took_micros.into(),
        job.attempt().into(),
        checked.outcome.word().into(),
        checked.detail.as_str().into(),
        by.operator.into(),
        by.station.into(),
        by.command.into(),
        job.written_by.as_str().into(),
    ];
    let insert = "INSERT INTO job_run (kind, subject, due_at, started_at, took_micros, attempt, outcome, detail, operator, station, command, checked) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    session.write(insert, &params, Rows::One).map(|_| ())
}

fn write_event(session: &mut dyn Session, told: &Told, by: By<'_>) -> Result<(), Fault> {
    let listener = match told.heard {
        Heard::Nobody => "none",
        Heard::Waits => "waits",
    };
    let insert = "INSERT INTO event (at, word, body, operator, station, command, listener) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let params = [
        by.at.into(),
        told.word.into(),
        told.body.as_str().into(),
        by.operator.into(),
        by.station.into(),
        by.command.into(),
        listener.into(),
    ];
    session.write(insert, &params, Rows::One).map(|_| ())
}
