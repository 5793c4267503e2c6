//! Due checks, and the time of the next one.

use std::sync::LazyLock;

use crate::domain::house::Settings;
use crate::domain::job::{Job, JobKind};
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::{Fault, Row, Sql, Value, job};

#[derive(Clone, Debug)]
pub(crate) struct Due {
    pub(crate) kind: JobKind,
    pub(crate) subject: String,
    /// Command that last wrote the job; the check's write is conditional on it.
    pub(crate) seen: String,
}

impl Due {
    pub(crate) fn of(job: &Job) -> Self {
        Self { kind: job.kind, subject: job.subject.clone(), seen: job.written_by.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// Kinds checked by the writer.
    BuiltIn,
    /// Kinds checked beside the writer.
    Beside,
    All,
}

/// Query for the first due time of each kind, one index lookup per kind; other kinds are those of a
/// newer program, and ignored.
fn next_query(kinds: impl Iterator<Item = JobKind>) -> String {
    let next = |kind: JobKind| {
        format!(
            "SELECT '{}' AS kind, MIN(next_check_at) AS at FROM job WHERE kind = '{0}' AND parked = ''",
            kind.word()
        )
    };
    kinds.map(next).collect::<Vec<_>>().join(" UNION ALL ")
}

/// Query for the first due times by one question to each machine.
fn next_query_to_all(kinds: impl Iterator<Item = JobKind>) -> String {
    let kinds: Vec<String> = kinds.map(|kind| format!("'{}'", kind.word())).collect();
    format!(
        "SELECT kind, MIN(next_check_at) AS at FROM job WHERE kind IN ({}) AND parked = '' GROUP BY kind",
        kinds.join(", ")
    )
}

/// Kinds that are checked by the writer.
fn by_writer() -> impl Iterator<Item = JobKind> {
    JobKind::built_in().filter(|kind| !kind.runs_beside())
}

static NEXT: LazyLock<String> = LazyLock::new(|| next_query(by_writer()));

/// First due times of some kinds; of those that programs check, only of those checked here.
fn next_of_kinds(
    sql: &mut dyn Sql,
    (kinds, settings): (Kinds, &Settings),
    here: &[JobKind],
) -> Result<Vec<(JobKind, Instant)>, Fault> {
    let waits = |row: &Row| {
        let Some(Value::Int(at)) = row.0.get(1) else {
            return None;
        };
        Some((JobKind::from_word(row.text(0))?, Instant::from_millis(*at)))
    };
    let mut rows = Vec::new();
    if kinds != Kinds::Beside {
        rows = if sql.is_distributed() {
            sql.query(&next_query_to_all(by_writer()), &[])?
        } else {
            sql.query(&NEXT, &[])?
        };
    }
    let backup = Some(JobKind::Backup).filter(|_| !settings.backup_folder.is_empty());
    let own = settings.own_kinds().filter(|kind| !settings.is_in_program(*kind) || here.contains(kind));
    let mut beside = own.chain(backup).peekable();
    if kinds != Kinds::BuiltIn && beside.peek().is_some() {
        rows.extend(sql.query(&next_query(beside), &[])?);
    }
    Ok(rows.iter().filter_map(waits).collect())
}

/// Returns the time of the next check of some kinds; `None` if no job waits.
pub(crate) fn next_due(
    sql: &mut dyn Sql,
    kinds: (Kinds, &Settings),
    here: &[JobKind],
) -> Result<Option<Instant>, Fault> {
    let next = next_of_kinds(sql, kinds, here)?;
    Ok(next.into_iter().map(|(_, at)| at).min())
}

/// Finds due checks: by priority, their own or their kind's, then oldest first.
pub(crate) struct ReadDue {
    /// Most checks returned.
    pub(crate) most: usize,
    pub(crate) kinds: Kinds,
    /// Kinds that functions of this program check.
    pub(crate) here: Vec<JobKind>,
}

impl Question for ReadDue {
    type Answer = Vec<Due>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let (now, settings) = (snapshot.now(), snapshot.settings()?);
        let mut found = Vec::new();
        for (kind, next) in next_of_kinds(snapshot.sql(), (self.kinds, &settings), &self.here)? {
            if next > now {
                continue;
            }
            let rows = job::first(snapshot.sql(), (kind.word(), now), self.most)?;
            let due = rows.iter().filter_map(job::from_row);
            let rank = |job: &Job| (settings.priority(kind, job.priority), job.next_check_at);
            found.extend(due.map(|job| (rank(&job), Due::of(&job))));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.truncate(self.most);
        Ok(found.into_iter().map(|(_, due)| due).collect())
    }
}

/// Reads the present state of one job, due or not; empty when it ended.
pub(crate) struct ReadOne {
    pub(crate) kind: JobKind,
    pub(crate) subject: String,
}

impl Question for ReadOne {
    type Answer = Vec<Due>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let found = job::find(snapshot.sql(), self.kind, &self.subject)?;
        Ok(found.iter().map(Due::of).collect())
    }
}
