//! A season: nights of all theaters as a list, read and written.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::answers::{customer, season};
use crate::cli::call::{Call, Done, Trial};
use crate::cli::csv::csv;
use crate::cli::out::{AsCsv, Format};
use crate::cli::printing::To;
use crate::cli::reading;
use crate::cli::stop::Cannot;
use crate::cli::times::Window;
use crate::engine::ops::ImportSeason;
use crate::engine::reads::catalog::ReadSeason;
use crate::formats::{FILE_BYTES_MAX, season as list};

#[derive(Debug, Subcommand)]
pub(super) enum SeasonVerb {
    /// Open the nights of a list, and correct those that differ: all or none
    Import(ImportSeasonArgs),
    /// Write the nights to come as a list that can be imported
    Export {
        #[command(flatten)]
        start: Window,
        #[command(flatten)]
        to: To,
        #[command(flatten)]
        csv: AsCsv,
    },
}

#[derive(Debug, Args)]
pub(super) struct ImportSeasonArgs {
    /// The list: CSV, its first line names the columns: title, theater, start, end, price, and more as export writes them
    pub(super) file: PathBuf,
    #[command(flatten)]
    trial: Trial,
}

impl SeasonVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Import(import) => import.run(call),
            Self::Export { start, to, csv } => {
                csv.choose(call.out);
                export(call, start, to)
            }
        }
    }
}

fn export(call: &mut Call<'_>, start: &Window, to: &To) -> Done {
    let (from, before) = start.bounds(call.now_in(call.settings.time_zone))?;
    let target = to.begin(call)?;
    let nights = call.read(ReadSeason { from: from.unwrap_or_else(|| call.present()), before })?;
    let list = csv(season::COLUMNS, &season::rows(&nights));
    match target {
        None if call.out.format != Format::Json => return call.out.text(&list),
        None => {}
        Some(target) => target.print(&list)?,
    }
    call.answer(&customer::exported((nights.len(), "night"), to.to.as_deref(), &list))
}

impl ImportSeasonArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let refused = |problem: &str| Cannot::List { path: self.file.clone(), problem: problem.to_owned() };
        let bytes = reading::at_most(&self.file, FILE_BYTES_MAX)?;
        let bytes = bytes.ok_or_else(|| refused("it is too large; part the list"))?;
        let list = list::read(&bytes).map_err(|error| refused(&error.to_string()))?;
        let done = self.trial.run(call, ImportSeason { lines: list.lines.clone() })?;
        self.trial.answer(call, season::imported(&done, &list))
    }
}
