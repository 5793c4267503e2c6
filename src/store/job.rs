//! Jobs, their history, and events: all SQL that writes them.
//!
//! Jobs are not in the journal. The write of a check is conditional on the command that last wrote the job: no changed
//! row means a conflict. So effect, next check and history happen once, in one transaction.

mod writes;

use crate::domain::customer::FORGOTTEN;
use crate::domain::job::{Job, JobKind, NextCheck, ParkReason, RunOutcome};
use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::store::fault::Fault;
use crate::store::port::Sql;
use crate::store::value::Row;

pub use writes::{JobWrite, job_writes, writes};

/// Columns of a job, in the order read by [`from_row`].
pub const COLUMNS: &str =
    "kind, subject, first_check_at, next_check_at, check_count, failures, parked, recorded_at, written_by, priority";

/// Parses a job from a row of [`COLUMNS`]; `None` if only a newer program knows its kind.
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
        priority: priority(row),
    })
}

/// Priority of its own, from a row of [`COLUMNS`].
pub fn priority(row: &Row) -> Option<u8> {
    u8::try_from(row.int(9)).ok()
}

/// Parses the reason for parking; an unknown one of a newer program is kept as text.
pub fn reason(column: &str, tries: u32) -> Option<ParkReason> {
    if column.is_empty() {
        return None;
    }
    let unknown = |_| ParkReason::Failed { tries, problem: column.to_owned() };
    Some(serde_json::from_str(column).unwrap_or_else(unknown))
}

/// Waiting jobs of a kind that are due until a time, the first of each sort: without a priority of their own by time, and
/// with one by it.
pub fn first(sql: &mut dyn Sql, (kind, until): (&str, Instant), most: usize) -> Result<Vec<Row>, Fault> {
    let of = |sort: &str, order: &str| {
        let due = "kind = $1 AND parked = '' AND next_check_at <= $2";
        format!(
            "SELECT {COLUMNS} FROM (SELECT {COLUMNS} FROM job WHERE {due} AND {sort} ORDER BY {order} LIMIT $3) AS due"
        )
    };
    let (usual, own) = (of("priority < 0", "next_check_at"), of("priority >= 0", "priority, next_check_at"));
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    sql.query(&format!("{usual} UNION ALL {own}"), &[kind.into(), until.millis().into(), most.into()])
}

/// Finds a job by kind and subject.
pub fn find(sql: &mut dyn Sql, kind: JobKind, subject: &str) -> Result<Option<Job>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM job WHERE kind = $1 AND subject = $2");
    let rows = sql.query(&text, &[kind.word().into(), subject.into()])?;
    Ok(rows.first().and_then(from_row))
}

/// Change to a job by an operation on its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobChange {
    /// Create the job, or move it because its subject changed.
    Put(Job),
    /// Put by the station that does now what the job checks later.
    Lease(Job),
    /// End the job with its subject.
    End { kind: JobKind, subject: String },
}

impl JobChange {
    fn is_of(&self, other: &Job) -> bool {
        let (kind, subject) = match self {
            Self::Put(job) | Self::Lease(job) => (job.kind, &job.subject),
            Self::End { kind, subject } => (*kind, subject),
        };
        kind == other.kind && *subject == other.subject
    }
}

/// Run of a job, or an intervention by hand: the next state and the entry in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub job: Job,
    /// Next state of the job.
    pub next: NextCheck,
    /// Outcome; `None` for a check that begins, which the history does not keep.
    pub outcome: Option<RunOutcome>,
    /// Details; may be empty.
    pub detail: String,
    /// Start, in engine time.
    pub started_at: Instant,
    /// Duration in microseconds.
    pub took_micros: i64,
}

/// Event ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedEvent {
    /// Event's word.
    pub word: &'static str,
    /// Event as JSON.
    pub body: String,
    /// Event as the journal has it: without output of commands.
    pub told: String,
    pub heard: Heard,
}

impl EmittedEvent {
    /// Word and event, as the journal has them.
    pub fn told(self) -> (String, String) {
        (self.word.to_owned(), self.told)
    }
}

/// Output of a command, with what takes its place: details of a run by number, why a job is parked by kind and subject, and an
/// event by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    Run(i64),
    Parked(String, String, String),
    Event(i64, String),
}

/// Reason for parking, as stored, without its text.
///
/// # Errors
/// The reason cannot be serialized.
pub fn parked_without(column: &str) -> Result<String, Fault> {
    let without = match reason(column, 0) {
        Some(ParkReason::Failed { tries, .. }) => ParkReason::Failed { tries, problem: FORGOTTEN.to_owned() },
        Some(ParkReason::ByHand { operator, approved, .. }) => {
            ParkReason::ByHand { operator, approved, reason: FORGOTTEN.to_owned() }
        }
        Some(ParkReason::TooManyChecks { .. } | ParkReason::BeyondHorizon { .. }) | None => {
            return Ok(column.to_owned());
        }
    };
    writes::column(Some(&without))
}

/// State of an event's listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Heard {
    /// No listener is set.
    #[strum(serialize = "none")]
    Nobody,
    /// The listener was not called yet, or has to be called again.
    Waits,
    Called,
}

/// Write of an operation other than of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideEffect {
    /// A job written or ended with its subject.
    Job(JobChange),
    Checked(Box<Checked>),
    Event(EmittedEvent),
    /// An event taken for its listener, or given back to it.
    Heard(i64, Heard),
    /// Old runs and events from before a time are deleted, up to a limit.
    Forget(Instant),
    /// Presence of a station, with its time by the clock that all stations share.
    Present(Present, i64),
    /// Output that names a forgotten customer.
    Erased(Output),
}

/// Word of an event, and the state of its listener; `None` if the event is forgotten.
pub fn listener(sql: &mut dyn Sql, number: i64) -> Result<Option<(String, Heard)>, Fault> {
    let rows = sql.query("SELECT word, listener FROM event WHERE seq = $1", &[number.into()])?;
    let state = |row: &Row| (row.text(0).to_owned(), row.text(1).parse().unwrap_or(Heard::Nobody));
    Ok(rows.first().map(state))
}

/// Most rows deleted at once, so that no command waits for long.
const FORGOTTEN_MAX: i64 = 1000;

/// Returns whether more old runs or events exist than one step deletes.
pub fn is_long(sql: &mut dyn Sql, before: Instant) -> Result<bool, Fault> {
    let older = |select: &str, sql: &mut dyn Sql| -> Result<bool, Fault> {
        let rows = sql.query(select, &[FORGOTTEN_MAX.into()])?;
        Ok(rows.first().is_some_and(|row| row.int(0) < before.millis()))
    };
    let run = "SELECT started_at FROM job_run ORDER BY seq LIMIT 1 OFFSET $1";
    let event = "SELECT at FROM event ORDER BY seq LIMIT 1 OFFSET $1";
    Ok(older(run, sql)? || older(event, sql)?)
}
