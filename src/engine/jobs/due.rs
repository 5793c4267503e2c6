//! Due checks, and the time of the next one.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::domain::job::{Job, JobKind};
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::{Fault, Row, Sql, Value, job};

/// Due check, as read.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    pub(crate) kind: JobKind,
    pub(crate) subject: String,
    /// Command that last wrote the job; the check's write is conditional on it.
    pub(crate) seen: String,
}

impl Due {
    pub(crate) fn of(job: &Job) -> Self {
        Self {
            kind: job.kind,
            subject: job.subject.clone(),
            seen: job.written_by.clone(),
        }
    }
}

/// Query for the first due time of each kind, one index lookup per kind; kinds of a newer program
/// are ignored.
static NEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    for (kind, number) in JobKind::ALL.iter().copied().zip(1..) {
        let all = if number == 1 { "" } else { " UNION ALL " };
        // writing to a String cannot fail
        let _ = write!(
            text,
            "{all}SELECT '{}' AS kind, MIN(next_check_at) AS at FROM job WHERE kind = '{0}' AND parked = ''",
            kind.word()
        );
    }
    text
});

fn next_of_kinds(sql: &mut dyn Sql) -> Result<Vec<(JobKind, Instant)>, Fault> {
    let waits = |row: &Row| {
        let Some(Value::Int(at)) = row.0.get(1) else {
            return None;
        };
        Some((JobKind::from_word(row.text(0))?, Instant::from_millis(*at)))
    };
    Ok(sql.query(&NEXT, &[])?.iter().filter_map(waits).collect())
}

/// Returns the time of the next check; `None` if no job waits.
pub(crate) fn next_due(sql: &mut dyn Sql) -> Result<Option<Instant>, Fault> {
    Ok(next_of_kinds(sql)?.into_iter().map(|(_, at)| at).min())
}

/// Finds due checks: by priority of their kind, then oldest first.
pub(crate) struct ReadDue {
    /// Most checks returned.
    pub(crate) most: usize,
}

impl Question for ReadDue {
    type Answer = Vec<Due>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let (now, settings) = (snapshot.now(), snapshot.settings()?);
        let limit = i64::try_from(self.most).unwrap_or(i64::MAX);
        let text = format!(
            "SELECT {} FROM job WHERE kind = $1 AND parked = '' AND next_check_at <= $2 ORDER BY next_check_at LIMIT $3",
            job::COLUMNS
        );
        let mut found = Vec::new();
        for (kind, next) in next_of_kinds(snapshot.sql())? {
            if next > now {
                continue;
            }
            let params = [kind.word().into(), now.millis().into(), limit.into()];
            let rows = snapshot.query(&text, &params)?;
            let priority = settings.policy(kind).priority;
            let due = rows.iter().filter_map(job::from_row);
            found.extend(due.map(|job| (priority, job.next_check_at, Due::of(&job))));
        }
        found.sort_by_key(|(priority, at, _)| (*priority, *at));
        found.truncate(self.most);
        Ok(found.into_iter().map(|(_, _, due)| due).collect())
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
