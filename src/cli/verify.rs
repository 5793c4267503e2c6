//! `willcall verify`: checks the invariants of a live house.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use crate::cli::call::Call;
use crate::cli::journal::open_archive;
use crate::cli::out::Answer;
use crate::cli::stop::Stop;
use crate::cli::table::Table;
use crate::engine::verify::{Invariant, Remark, Report, Violation, verify_with};

#[derive(Serialize)]
struct Verified {
    ok: bool,
    checked: usize,
    violations: Vec<Violation>,
    remarks: Vec<Remark>,
}

impl Answer for Verified {
    fn people(&self) -> String {
        let remarks = self.remarks.iter().map(|remark| remark.detail.clone());
        let first = if self.ok {
            format!("All is well: {} documents and changes.", self.checked)
        } else {
            let table = Table::of(&self.violations)
                .words("INVARIANT", |one| name(one.invariant))
                .words("SUBJECT", |one| one.subject.clone())
                .words("DETAIL", |one| one.detail.clone());
            table.text()
        };
        let lines: Vec<String> = std::iter::once(first).chain(remarks).collect();
        lines.join("\n")
    }
}

fn name(invariant: Invariant) -> String {
    let word = serde_json::to_value(invariant).unwrap_or_default();
    word.as_str().unwrap_or_default().to_owned()
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Also check that the journal still has this seal, as `journal seal` printed it
    #[arg(long, value_name = "SEAL")]
    seal: Option<String>,
    /// Also read these archives of the journal, as `journal archive` wrote them, oldest first
    #[arg(long, value_name = "FILE", num_args = 1..)]
    archive: Vec<PathBuf>,
}

impl Verify {
    /// Checks the house; the exit code says if every invariant holds.
    ///
    /// # Errors
    /// A fault of the store, or a closed output.
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        for path in &self.archive {
            open_archive(path)?;
        }
        let report = verify_with(&call.desk, &self.archive, self.seal.as_deref())?;
        tell(report, call)
    }
}

fn tell(report: Report, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
    let Report {
        checked,
        violations,
        remarks,
    } = report;
    let ok = violations.is_empty();
    let code = if ok {
        ExitCode::SUCCESS
    } else {
        call.out.note(&format!(
            "{} things are not as they must be. Keep a copy of the house and ask for help.",
            violations.len()
        ));
        ExitCode::FAILURE
    };
    let verified = Verified {
        ok,
        checked,
        violations,
        remarks,
    };
    call.answer_with(&verified, code)
}
