//! Jobs: what is due next and what it is about, what is parked, and what was run.

use crate::domain::ids::tail;
use crate::domain::job::{JobKind, ParkReason};
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::{Row, Value, job};

pub(in crate::engine) mod about;
pub mod runs;

pub use about::{CartFacts, JobSubject};

/// A job as people see it; its kind may be one that only a newer program knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobView {
    /// Its kind's word.
    pub kind: String,
    /// The id of what it watches.
    pub subject: String,
    /// When its first check was due.
    pub first_check_at: Instant,
    /// When its next is.
    pub next_check_at: Instant,
    /// How many checks have asked for another.
    pub check_count: u32,
    /// How often this check has failed.
    pub failures: u32,
    /// Why it is parked; `None` when it is not.
    pub parked: Option<ParkReason>,
    /// The subject.
    pub about: JobSubject,
}

impl JobView {
    /// Its kind; `None` when only a newer program knows it: it is left alone.
    #[must_use]
    pub fn known(&self) -> Option<JobKind> {
        JobKind::from_word(&self.kind)
    }
}

/// Which jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhichJobs {
    /// Those that run by themselves, the next first.
    #[default]
    Waiting,
    /// Those that wait for somebody, the latest first.
    Parked,
    /// First those that wait for somebody, then those that run by themselves.
    All,
}

/// Asks for jobs, at most a page.
#[derive(Clone, Debug, Default)]
pub struct ReadJobs {
    /// Which.
    pub which: WhichJobs,
    /// Only of this kind.
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
        rows.iter().map(|row| view(snapshot, row)).collect()
    }
}

/// The next of each kind, merged: the index is by kind, so a million that wait cost nothing.
fn waiting(snapshot: &mut Snapshot<'_>, kind: Option<&str>) -> Result<Vec<Row>, Failure> {
    let kinds = match kind {
        Some(kind) => vec![kind.to_owned()],
        None => kinds(snapshot)?,
    };
    let text = format!(
        "SELECT {} FROM job WHERE kind = $1 AND parked = '' ORDER BY next_check_at LIMIT {PAGE_MAX}",
        job::COLUMNS
    );
    let mut found = Vec::new();
    for kind in kinds {
        found.extend(snapshot.query(&text, &[kind.as_str().into()])?);
    }
    found.sort_by_key(|row| row.int(3));
    found.truncate(PAGE_MAX);
    Ok(found)
}

/// The kinds that wait, those of newer programs too: one look into the index for each.
fn kinds(snapshot: &mut Snapshot<'_>) -> Result<Vec<String>, Failure> {
    let text = "WITH RECURSIVE found (kind) AS (SELECT MIN(kind) FROM job UNION ALL \
                SELECT (SELECT MIN(job.kind) FROM job WHERE job.kind > found.kind) FROM found WHERE found.kind IS NOT NULL) \
                SELECT kind FROM found WHERE kind IS NOT NULL";
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

/// How many jobs are parked.
#[derive(Clone, Copy, Debug)]
pub struct CountParked;

impl Question for CountParked {
    type Answer = i64;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<i64, Failure> {
        let rows = snapshot.query("SELECT COUNT(*) FROM job WHERE parked <> ''", &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }
}

/// Asks for one job, by its kind and its subject or the end of it.
#[derive(Clone, Debug)]
pub struct ReadJob {
    /// Its kind's word.
    pub kind: String,
    /// Its subject, or the end of it.
    pub subject: String,
}

impl Question for ReadJob {
    type Answer = JobView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<JobView, Failure> {
        let wanted = self.subject.trim().trim_start_matches('.').to_lowercase();
        let select = format!("SELECT {} FROM job WHERE kind = $1 AND", job::COLUMNS);
        let exact = format!("{select} subject = $2");
        let mut rows =
            snapshot.query(&exact, &[self.kind.as_str().into(), wanted.as_str().into()])?;
        if rows.is_empty() && !wanted.is_empty() {
            let ending = format!("{select} subject LIKE $2 ESCAPE '!' ORDER BY subject LIMIT 20");
            let pattern = format!("%{}", literal(&wanted));
            rows = snapshot.query(&ending, &[self.kind.as_str().into(), pattern.into()])?;
        }
        let name = format!("{} {}", self.kind, self.subject);
        match rows.as_slice() {
            [row] => view(snapshot, row),
            [] => {
                let what = "job".into();
                Err(Refusal::NotFound { what, name }.into())
            }
            several => {
                let subjects = several.iter().map(|row| row.text(1).to_owned());
                Err(Refusal::Ambiguous {
                    what: "jobs".into(),
                    name,
                    count: u32::try_from(several.len()).unwrap_or(u32::MAX),
                    which: subjects.collect(),
                }
                .into())
            }
        }
    }
}

fn view(snapshot: &mut Snapshot<'_>, row: &Row) -> Result<JobView, Failure> {
    let count = |column| u32::try_from(row.int(column)).unwrap_or(u32::MAX);
    Ok(JobView {
        kind: row.text(0).to_owned(),
        subject: row.text(1).to_owned(),
        first_check_at: Instant::from_millis(row.int(2)),
        next_check_at: Instant::from_millis(row.int(3)),
        check_count: count(4),
        failures: count(5),
        parked: job::reason(row.text(6), count(5)),
        about: about::read(snapshot, row.text(0), row.text(1))?,
    })
}

/// A subject as people tell it from others: the end of an id, or the name it is.
#[must_use]
pub fn short(subject: &str) -> String {
    if subject.parse::<crate::domain::ids::CartId>().is_ok() {
        format!("..{}", tail(subject))
    } else {
        subject.to_owned()
    }
}
