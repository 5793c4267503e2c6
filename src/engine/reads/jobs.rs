//! Jobs: waiting, parked, and their history.

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::ids::tail;
use crate::domain::job::policy::PRIORITY_MAX;
use crate::domain::job::{JobKind, ParkReason};
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal, waitlist};
use crate::engine::work::Failure;
use crate::store::{Row, Value, job};

pub(in crate::engine) mod about;
pub mod runs;

pub use about::{CartFacts, JobSubject};

/// Job for display; its kind may be known only to a newer program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobView {
    pub kind: String,
    pub subject: String,
    pub first_check_at: Instant,
    pub next_check_at: Instant,
    pub check_count: u32,
    pub failures: u32,
    /// Reason for parking; `None` if it is not parked.
    pub parked: Option<ParkReason>,
    /// Its own, or its kind's.
    pub priority: u8,
    pub about: JobSubject,
}

impl JobView {
    /// Returns its kind; `None` if it is left alone: not built in, and without a command.
    pub fn known(&self) -> Option<JobKind> {
        let has_command = matches!(self.about, JobSubject::Own { .. });
        JobKind::from_word(&self.kind).filter(|kind| has_command || !kind.is_own())
    }
}

/// Selection of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichJobs {
    /// Waiting jobs, the next first.
    #[default]
    Waiting,
    /// Parked jobs, the latest first.
    Parked,
    /// Parked jobs, then waiting ones.
    All,
}

/// Lists jobs, at most a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadJobs {
    pub which: WhichJobs,
    pub kind: Option<String>,
}

impl Question for ReadJobs {
    type Answer = Vec<JobView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<JobView>, Failure> {
        let rows = match self.which {
            WhichJobs::Waiting => waiting(snapshot, self.kind.as_deref())?,
            WhichJobs::Parked => parked(snapshot, self.kind.as_deref())?,
            WhichJobs::All => {
                let mut all = parked(snapshot, self.kind.as_deref())?;
                all.extend(waiting(snapshot, self.kind.as_deref())?);
                all
            }
        };
        let (lines, settings) = (waitlist::lines(snapshot, None)?, snapshot.settings()?);
        snapshot.each(&rows, |snapshot, row| view(snapshot, row, (&lines, &settings)))
    }
}

/// Waiting jobs in the order in which they will run: those that are due by priority, then all others by time.
/// Merged over the kinds: the index is by kind, so the cost does not grow with their number.
fn waiting(snapshot: &mut Snapshot<'_>, kind: Option<&str>) -> Result<Vec<Row>, Failure> {
    let kinds = match kind {
        Some(kind) => vec![kind.to_owned()],
        None => kinds(snapshot)?,
    };
    let (now, settings) = (snapshot.now(), snapshot.settings()?);
    let mut found = Vec::new();
    for kind in kinds {
        // those that are due may be more than a page, and hide one of a priority of its own that comes later
        found.extend(job::first(snapshot.sql(), (&kind, Instant::from_millis(i64::MAX)), PAGE_MAX)?);
    }
    found.sort_by_cached_key(|row| {
        let is_due = row.int(3) <= now.millis();
        (if is_due { priority(row, &settings) } else { u8::MAX }, row.int(3))
    });
    found.truncate(PAGE_MAX);
    Ok(found)
}

/// Priority of a job; the last of a kind that only a newer program knows.
fn priority(row: &Row, settings: &Settings) -> u8 {
    JobKind::from_word(row.text(0)).map_or(PRIORITY_MAX, |kind| settings.priority(kind, job::priority(row)))
}

/// Kinds of the stored jobs, those of newer programs included: one index lookup each, where one server has them all.
fn kinds(snapshot: &mut Snapshot<'_>) -> Result<Vec<String>, Failure> {
    let of_all = "SELECT DISTINCT kind FROM job ORDER BY kind";
    let text = "WITH RECURSIVE found (kind) AS (SELECT MIN(kind) FROM job UNION ALL \
                SELECT (SELECT MIN(job.kind) FROM job WHERE job.kind > found.kind) FROM found WHERE found.kind IS NOT NULL) \
                SELECT kind FROM found WHERE kind IS NOT NULL";
    let text = if snapshot.sql().is_distributed() { of_all } else { text };
    let rows = snapshot.query(text, &[])?;
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}

fn parked(snapshot: &mut Snapshot<'_>, kind: Option<&str>) -> Result<Vec<Row>, Failure> {
    let (which, params): (&str, Vec<Value<'_>>) = match kind {
        Some(kind) => ("AND kind = $1", vec![kind.into()]),
        None => ("", Vec::new()),
    };
    let text = format!(
        "SELECT {} FROM job WHERE parked <> '' {which} ORDER BY recorded_at DESC LIMIT {PAGE_MAX}",
        job::COLUMNS
    );
    snapshot.query(&text, &params)
}

/// Reads one job, by kind and subject, or the end of the subject.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadJob {
    pub kind: String,
    /// Subject, or the end of it.
    pub subject: String,
}

impl Question for ReadJob {
    type Answer = JobView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<JobView, Failure> {
        let wanted = self.subject.trim().trim_start_matches('.');
        let select = format!("SELECT {} FROM job WHERE kind = $1 AND", job::COLUMNS);
        let exact = format!("{select} subject = $2");
        let mut rows = snapshot.query(&exact, &[self.kind.as_str().into(), wanted.into()])?;
        if rows.is_empty() && !wanted.is_empty() {
            let ending = format!("{select} LOWER(subject) LIKE LOWER($2) ESCAPE '!' ORDER BY subject LIMIT 20");
            let pattern = format!("%{}", literal(wanted));
            rows = snapshot.query(&ending, &[self.kind.as_str().into(), pattern.into()])?;
        }
        let name = format!("{} {}", self.kind, self.subject);
        match rows.as_slice() {
            [row] => {
                let (lines, settings) = (waitlist::lines(snapshot, None)?, snapshot.settings()?);
                view(snapshot, row, (&lines, &settings))
            }
            [] => Err(Refusal::not_found("job", name).into()),
            several => {
                let subjects = several.iter().map(|row| row.text(1).to_owned());
                Err(Refusal::ambiguous("jobs", name, subjects.collect()).into())
            }
        }
    }
}

fn view(
    snapshot: &mut Snapshot<'_>,
    row: &Row,
    (lines, settings): (&about::Lines, &Settings),
) -> Result<JobView, Failure> {
    let count = |column| u32::try_from(row.int(column)).unwrap_or(u32::MAX);
    Ok(JobView {
        kind: row.text(0).to_owned(),
        subject: row.text(1).to_owned(),
        first_check_at: Instant::from_millis(row.int(2)),
        next_check_at: Instant::from_millis(row.int(3)),
        check_count: count(4),
        failures: count(5),
        parked: job::reason(row.text(6), count(5)),
        priority: priority(row, settings),
        about: about::read(snapshot, (row.text(0), row.text(1)), lines)?,
    })
}

/// Short form of a subject: the tail of an id, or a name in full.
pub fn short(subject: &str) -> String {
    if subject.parse::<crate::domain::ids::CartId>().is_ok() {
        format!("..{}", tail(subject))
    } else {
        subject.to_owned()
    }
}
