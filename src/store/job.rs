//! Jobs, their history, and events: the only SQL that writes them.
//!
//! Jobs are not part of the journal. A check names the command that wrote its job last; no row changed means that another
//! writer was faster, so that effect, next check and history are one transaction, once.

mod writes;

use crate::domain::job::{Job, JobKind, NextCheck, ParkReason, RunOutcome};
use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::store::answer::Printed;
use crate::store::stamps::BroughtBack;
use crate::store::{Fault, Row, Sql};

pub use writes::{JobWrite, job_writes, writes};

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
    /// The next state of the job.
    pub next: NextCheck,
    /// How it ended.
    pub outcome: RunOutcome,
    /// Details in words; may be empty.
    pub detail: String,
    /// When it started, in engine time.
    pub started_at: Instant,
    /// How long it took.
    pub took_micros: i64,
}

/// An event, ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedEvent {
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

/// Writes of an operation beside its documents: jobs, checks, events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// Jobs written or ended with their subjects.
    pub jobs: Vec<JobChange>,
    /// A check that was made.
    pub checked: Option<Checked>,
    /// Events that the operation emits.
    pub events: Vec<EmittedEvent>,
    /// The event that it takes for a listener.
    pub heard: Option<i64>,
    /// Before when runs, events and printed answers are forgotten, some of them.
    pub forget: Option<Instant>,
    /// The station that is on, and when it said so by the clock that all stations share.
    pub present: Option<(Present, i64)>,
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

/// Whether an event waits for a listener.
pub fn waits(sql: &mut dyn Sql, number: i64) -> Result<bool, Fault> {
    let select = "SELECT seq FROM event WHERE seq = $1 AND listener = 'waits'";
    Ok(!sql.query(select, &[number.into()])?.is_empty())
}

/// How many runs and events are forgotten at once, so that nobody waits for it.
const FORGOTTEN_MAX: i64 = 1000;

/// Whether more runs, events or printed answers are before a time than are forgotten at once.
pub fn is_long(sql: &mut dyn Sql, before: Instant) -> Result<bool, Fault> {
    let older = |select: &str, sql: &mut dyn Sql| -> Result<bool, Fault> {
        let rows = sql.query(select, &[FORGOTTEN_MAX.into()])?;
        Ok(rows.first().is_some_and(|row| row.int(0) < before.millis()))
    };
    let run = "SELECT started_at FROM job_run ORDER BY seq LIMIT 1 OFFSET $1";
    let event = "SELECT at FROM event ORDER BY seq LIMIT 1 OFFSET $1";
    let answer = "SELECT at FROM answer ORDER BY at LIMIT 1 OFFSET $1";
    Ok(older(run, sql)? || older(event, sql)? || older(answer, sql)?)
}
