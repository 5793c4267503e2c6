//! `willcall verify`: checks the invariants of a live house.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::cli::call::Call;
use crate::cli::out::Rendered;
use crate::cli::stop::Stop;
use crate::cli::table::Table;
use crate::engine::verify::{self, Invariant, Report};

fn name(invariant: Invariant) -> String {
    let word = serde_json::to_value(invariant).unwrap_or_default();
    word.as_str().unwrap_or_default().to_owned()
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Also check that the journal still has this seal, as `journal seal` printed it
    #[arg(long, value_name = "SEAL")]
    seal: Option<String>,
}

impl Verify {
    /// Checks the house; the exit code says if every invariant holds.
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        let report = call.read(verify::Verify { seal: self.seal.clone() })?;
        let code = if report.violations.is_empty() {
            ExitCode::SUCCESS
        } else {
            call.out.note(&format!(
                "{} things are not as they must be. Keep a copy of the house and ask for help.",
                report.violations.len()
            ));
            ExitCode::FAILURE
        };
        call.answer(&rendered(&report))?;
        Ok(code)
    }
}

fn rendered(report: &Report) -> Rendered {
    let Report { checked, violations, remarks } = report;
    let ok = violations.is_empty();
    let first = if ok {
        format!("All is well: {checked} documents and changes.")
    } else {
        Table::of(violations)
            .words("INVARIANT", |one| name(one.invariant))
            .words("SUBJECT", |one| one.subject.clone())
            .words("DETAIL", |one| one.detail.clone())
            .text()
    };
    let details = remarks.iter().map(|remark| remark.detail.clone());
    let lines: Vec<String> = std::iter::once(first).chain(details).collect();
    let json = json!({ "ok": ok, "checked": checked, "violations": violations, "remarks": remarks });
    Rendered::new(json, lines.join("\n"))
}
