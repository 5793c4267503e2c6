//! `cargo bench --bench load -- --against BINARY [ARG ...]`: runs `bench theater` of this build and of another in turns,
//! A B A B, so that a change of speed is a ratio within one run.
//!
//! Figures of the JSON are compared by name; a figure of only one build is left out. Arguments go to both.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;
use serde_json::Value;

/// Options of the comparison.
#[derive(Debug, Parser)]
struct Args {
    /// Another build of willcall.
    #[arg(long, value_name = "BINARY")]
    against: PathBuf,
    /// Runs of each of the two builds.
    #[arg(long, default_value_t = 3)]
    rounds: u16,
    /// Given by Cargo.
    #[arg(long, hide = true)]
    bench: bool,
    /// Arguments of `bench theater`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    load: Vec<String>,
}

/// Values of each figure, by its path in the JSON: `latency_ms.p99`.
type Figures = BTreeMap<String, Vec<f64>>;

fn main() -> Result<(), String> {
    let args = Args::parse();
    let (mut ours, mut theirs) = (Figures::new(), Figures::new());
    for round in 1..=args.rounds {
        let this = Path::new(env!("CARGO_BIN_EXE_willcall"));
        for (binary, figures) in [(this, &mut ours), (args.against.as_path(), &mut theirs)] {
            println!("run {round} of {}: {}", args.rounds, binary.display());
            collect("", &report_of(binary, &args.load)?, figures);
        }
    }
    println!("\n{:<40} {:>14} {:>14} {:>14}", "MEDIAN", "THIS", "OTHER", "THIS / OTHER");
    for (figure, values) in ours {
        if let Some(other) = theirs.remove(&figure).map(median) {
            let this = median(values);
            println!("{figure:<40} {this:>14.2} {other:>14.2} {:>14.3}", this / other);
        }
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The JSON of one run.
fn report_of(binary: &Path, load: &[String]) -> Result<Value, String> {
    let wrong = |problem: String| format!("{} {problem}; name a build of willcall", binary.display());
    let mut command = Command::new(binary);
    let command = command.args(["bench", "theater", "--json"]).args(load).stdin(Stdio::null());
    let output = command.output().map_err(|error| wrong(format!("cannot be run: {error}")))?;
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let report = report.filter(|report| report.get("carts_per_second").is_some());
    let report =
        report.ok_or_else(|| wrong(format!("gave no figures: {}", String::from_utf8_lossy(&output.stderr))))?;
    if report.get("verified") == Some(&Value::Bool(false)) {
        return Err(wrong("left a broken house".into()));
    }
    Ok(report)
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
