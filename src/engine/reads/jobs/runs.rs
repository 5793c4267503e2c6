//! History of job runs, newest first.

use serde::{Deserialize, Serialize};

use crate::domain::time::Instant;
use crate::engine::reads::jobs::{JobSubject, about};
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal, waitlist};
use crate::engine::work::Failure;
use crate::store::{Row, Value};

/// Run of a job, or an intervention by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunView {
    pub seq: i64,
    pub kind: String,
    pub subject: String,
    pub due_at: Instant,
    pub started_at: Instant,
    pub took_micros: i64,
    /// Number of the try, from 1.
    pub attempt: i64,
    /// Outcome, as [`RunOutcome`](crate::domain::job::RunOutcome)'s word.
    pub outcome: String,
    /// Details; may be empty.
    pub detail: String,
    pub operator: String,
    pub station: String,
    /// Command of the run, the same as in the journal.
    pub command: String,
    /// Command that had last written the job: makes each check run once.
    pub checked: String,
    pub about: JobSubject,
}

/// Lists runs, newest first, at most a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadRuns {
    pub kind: Option<String>,
    /// Only of the subject with this id, or this end of an id.
    pub subject: Option<String>,
    pub outcome: Option<String>,
    /// Started at or after this.
    pub from: Option<Instant>,
    /// Started before this.
    pub until: Option<Instant>,
    pub operator: Option<String>,
    pub station: Option<String>,
    pub which: WhichRuns,
    pub before: Option<i64>,
}

/// Selection of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichRuns {
    #[default]
    All,
    /// Failed and parked runs, and interventions by hand.
    Rare,
}

pub(crate) const COLUMNS: &str = "seq, kind, subject, due_at, started_at, took_micros, attempt, outcome, detail, operator, station, command, checked";

impl Question for ReadRuns {
    type Answer = Vec<RunView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<RunView>, Failure> {
        let (mut wheres, mut params) = (Vec::new(), Vec::new());
        let mut only = |condition: &str, value: Value<'static>| {
            params.push(value);
            wheres.push(condition.replace('?', &format!("${}", params.len())));
        };
        only("seq < ?", self.before.unwrap_or(i64::MAX).into());
        let words = [
            ("kind = ?", &self.kind),
            ("outcome = ?", &self.outcome),
            ("operator = ?", &self.operator),
            ("station = ?", &self.station),
        ];
        for (condition, word) in words {
            if let Some(word) = word {
                only(condition, word.clone().into());
            }
        }
        for (condition, at) in [("started_at >= ?", self.from), ("started_at < ?", self.until)] {
            if let Some(at) = at {
                only(condition, at.millis().into());
            }
        }
        if let Some(subject) = &self.subject {
            let pattern = format!("%{}", literal(subject.trim().trim_start_matches('.')));
            // lowered by the database, as its own letters are
            only("LOWER(subject) LIKE LOWER(?) ESCAPE '!'", pattern.into());
        }
        let rare = ["failed", "parked", "by_hand"];
        let is_rare = |outcome: &String| rare.contains(&outcome.as_str());
        if self.outcome.as_ref().is_some_and(is_rare) || self.which == WhichRuns::Rare {
            // same condition as the partial index, so that it is used
            wheres.push("outcome IN ('failed', 'parked', 'by_hand')".to_owned());
        }
        let text =
            format!("SELECT {COLUMNS} FROM job_run WHERE {} ORDER BY seq DESC LIMIT {PAGE_MAX}", wheres.join(" AND "));
        let rows = snapshot.query(&text, &params)?;
        let lines = waitlist::lines(snapshot, None)?;
        snapshot.each(&rows, |snapshot, row| {
            let run = RunView::from_row(row);
            let about = about::read(snapshot, (&run.kind, &run.subject), &lines)?;
            Ok(RunView { about, ..run })
        })
    }
}

impl RunView {
    pub(crate) fn from_row(row: &Row) -> Self {
        Self {
            seq: row.int(0),
            kind: row.text(1).to_owned(),
            subject: row.text(2).to_owned(),
            due_at: Instant::from_millis(row.int(3)),
            started_at: Instant::from_millis(row.int(4)),
            took_micros: row.int(5),
            attempt: row.int(6),
            outcome: row.text(7).to_owned(),
            detail: row.text(8).to_owned(),
            operator: row.text(9).to_owned(),
            station: row.text(10).to_owned(),
            command: row.text(11).to_owned(),
            checked: row.text(12).to_owned(),
            about: JobSubject::Unknown,
        }
    }
}
