//! What was run: the history of jobs, newest first.

use crate::domain::time::Instant;
use crate::engine::reads::jobs::{JobSubject, about};
use crate::engine::reads::{PAGE_MAX, Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::{Row, Value};

/// One run, or what somebody did by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Its number; later runs have higher ones.
    pub seq: i64,
    /// The job's kind, as its word.
    pub kind: String,
    /// The job's subject.
    pub subject: String,
    /// When it was due.
    pub due_at: Instant,
    /// When it started.
    pub started_at: Instant,
    /// How long it took.
    pub took_micros: i64,
    /// Which try of its check it was, from 1.
    pub attempt: i64,
    /// How it ended, as [`RunOutcome`](crate::domain::job::RunOutcome)'s word.
    pub outcome: String,
    /// What there is to say; may be empty.
    pub detail: String,
    /// In whose name.
    pub operator: String,
    /// At which station.
    pub station: String,
    /// Its command: the journal names the same for what it changed.
    pub command: String,
    /// The command that had written the job: a check is made once.
    pub checked: String,
    /// What it was about.
    pub about: JobSubject,
}

/// Asks for runs, newest first, at most a page.
#[derive(Clone, Debug, Default)]
pub struct ReadRuns {
    /// Only of this kind.
    pub kind: Option<String>,
    /// Only of the subject with this id, or this end of an id.
    pub subject: Option<String>,
    /// Only with this outcome.
    pub outcome: Option<String>,
    /// Whether those that went as they should are left out.
    pub which: WhichRuns,
    /// Only those before this number.
    pub before: Option<i64>,
}

/// Which runs are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhichRuns {
    /// All of them.
    #[default]
    All,
    /// What failed, was parked, or was done by hand.
    Rare,
}

/// The columns of a run, as they are read.
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
        if let Some(kind) = &self.kind {
            only("kind = ?", kind.clone().into());
        }
        if let Some(outcome) = &self.outcome {
            only("outcome = ?", outcome.clone().into());
        }
        if let Some(subject) = &self.subject {
            let ending = subject.trim().trim_start_matches('.').to_lowercase();
            let pattern = format!("%{}", literal(&ending));
            only("subject LIKE ? ESCAPE '!'", pattern.into());
        }
        let rare = ["failed", "parked", "by_hand"];
        let is_rare = |outcome: &String| rare.contains(&outcome.as_str());
        if self.outcome.as_ref().is_some_and(is_rare) || self.which == WhichRuns::Rare {
            // as the index says it, so that it is found
            wheres.push("outcome IN ('failed', 'parked', 'by_hand')".to_owned());
        }
        let text = format!(
            "SELECT {COLUMNS} FROM job_run WHERE {} ORDER BY seq DESC LIMIT {PAGE_MAX}",
            wheres.join(" AND ")
        );
        let rows = snapshot.query(&text, &params)?;
        let mut runs: Vec<RunView> = rows.iter().map(RunView::from_row).collect();
        for run in &mut runs {
            run.about = about::read(snapshot, &run.kind, &run.subject)?;
        }
        Ok(runs)
    }
}

impl RunView {
    /// A run as it is stored, without what it was about.
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
