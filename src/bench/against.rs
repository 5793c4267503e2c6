//! `willcall bench theater --against BINARY`: runs another build's benchmark in turns with this one's, A B A B, so
//! that a change of speed is a ratio within one run.
//!
//! Figures of the JSON are compared by name; a figure of only one build is left out.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Serialize;
use serde_json::Value;

use super::theater::TheaterArgs;
use super::{BenchError, median, progress_bar};
use crate::domain::refusal::Refusal;
use crate::engine::{Failure, Location};

/// The result of `bench theater --against`.
#[derive(Clone, Debug, Serialize)]
pub struct AgainstReport {
    pub against: String,
    pub rounds: u16,
    pub figures: Vec<Figure>,
    /// True when the house of every run was whole afterwards.
    pub verified: bool,
}

/// The medians of a figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Path of the figure in the JSON: `latency_ms.p99`.
    pub figure: String,
    pub this: f64,
    pub other: f64,
    /// Ratio of this build to the other; none where the other is zero.
    pub ratio: Option<f64>,
}

type Figures = BTreeMap<String, Vec<f64>>;

/// Measures two builds in turns, this one first.
///
/// # Errors
/// See [`BenchError`]; a binary that is no willcall is refused.
pub fn run(other: &Path, args: &TheaterArgs, db: Option<&Location>) -> Result<AgainstReport, BenchError> {
    let this = std::env::current_exe()?;
    let (mut ours, mut theirs) = (Figures::new(), Figures::new());
    let mut verified = true;
    let bar = progress_bar(usize::from(args.rounds) * 2, "{bar:40} {pos}/{len} runs  {elapsed}");
    for _ in 0..args.rounds {
        for (binary, figures) in [(this.as_path(), &mut ours), (other, &mut theirs)] {
            let report = report_of(binary, args, db).map_err(|problem| {
                let problem = format!("{} {problem}", binary.display());
                Failure::from(Refusal::unread("against", &problem))
            })?;
            verified &= report.get("verified") != Some(&Value::Bool(false));
            collect("", &report, figures);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let figures = ours.into_iter().filter_map(|(figure, values)| {
        let (this, other) = (median(values), median(theirs.remove(&figure)?));
        let ratio = (other != 0.0).then(|| this / other);
        Some(Figure { figure, this, other, ratio })
    });
    Ok(AgainstReport {
        against: other.display().to_string(),
        rounds: args.rounds,
        figures: figures.collect(),
        verified,
    })
}

/// The JSON of one run, or a problem: the end of a sentence that begins with the binary.
fn report_of(binary: &Path, args: &TheaterArgs, db: Option<&Location>) -> Result<Value, String> {
    let mut command = Command::new(binary);
    command.args(["bench", "theater", "--json"]);
    command.args(args.spelled());
    if let Some(db) = db {
        command.arg("--db").arg(db.spelled());
    }
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot be run: {error}; name a build of willcall"))?;
    let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    // a refusal is JSON too
    let is_report = |answer: &Value| answer.get("carts_per_second").is_some();
    answer.filter(is_report).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("no word on standard error");
        let status = output.status;
        format!("answered without figures as JSON ({status}, {said}); name a build of willcall that has this benchmark")
    })
}

/// Adds the numbers of a report under their names.
fn collect(name: &str, value: &Value, figures: &mut Figures) {
    match value {
        Value::Number(number) => {
            let figure = figures.entry(name.to_owned()).or_default();
            figure.extend(number.as_f64());
        }
        Value::Object(fields) => {
            for (field, value) in fields {
                let dot = if name.is_empty() { "" } else { "." };
                collect(&format!("{name}{dot}{field}"), value, figures);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) => {}
    }
}
