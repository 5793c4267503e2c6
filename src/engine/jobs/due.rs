//! Which checks are due, and when the next is.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::domain::job::{Job, JobKind};
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::{Fault, Row, Sql, Value, job};

/// A check as it was seen to be due.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    pub(crate) kind: JobKind,
    pub(crate) subject: String,
    /// The command that wrote the job; the check's write is conditional on it.
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

/// The first due time of each kind, by a look into the index per kind, however many wait; kinds of a newer program
/// are left alone.
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

/// When the next check is due; `None` when nothing waits.
pub(crate) fn next_due(sql: &mut dyn Sql) -> Result<Option<Instant>, Fault> {
    Ok(next_of_kinds(sql)?.into_iter().map(|(_, at)| at).min())
}

/// Asks for checks that are due: by their kind's priority, then oldest first.
pub(crate) struct ReadDue {
    /// How many at most.
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

/// Reads the present state of one job; none when it ended.
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
