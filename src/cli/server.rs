//! `willcall server`: a house on several servers.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use crate::cli::options::Options;
use crate::cli::out::{Out, Rendered};
use crate::cli::stop::Stop;
use crate::engine::house_files::distribution;
use crate::engine::{Config, Desk, Role};
use crate::words::servers as words;

#[derive(Debug, Subcommand)]
pub(super) enum ServerVerb {
    /// The statements that spread an empty house over the machines of a Citus
    Distribute {
        /// Run them
        #[arg(long)]
        apply: bool,
    },
    /// Check that the tables lie as they should; changes nothing
    Check,
}

impl ServerVerb {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
        if let Self::Distribute { apply: false } = self {
            let recipe = distribution();
            out.answer(&Rendered::new(json!({ "recipe": recipe }), recipe.trim_end().to_owned()))?;
            return Ok(ExitCode::SUCCESS);
        }
        let place = options.place()?.house();
        let desk = Desk::open_with(Config { role: Role::Command, ..Config::new(place.clone()) })?;
        if let Self::Distribute { apply: true } = self {
            desk.distribute()?;
        }
        let problems: Vec<String> = desk.misplaced()?.iter().map(words::misplaced).collect();
        let is_well = problems.is_empty();
        let people = if is_well { format!("{place} lies as it should.") } else { problems.join("\n") };
        out.answer(&Rendered::new(json!({ "ok": is_well, "problems": problems }), people))?;
        Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
