//! Output of printed text: a file, or a command that reads it.

use std::path::PathBuf;

use clap::Args;

use crate::cli::call::Call;
use crate::cli::stop::{Cannot, Stop};
use crate::engine::output::{Existing, OutputFile};
use crate::engine::pipe;

/// A file that an answer goes into.
#[derive(Debug, Args)]
pub(super) struct To {
    /// Into this file
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
    /// Write over the file that is there
    #[arg(long, requires = "to")]
    force: bool,
}

/// A printer: a file, or a command.
#[derive(Debug, Args)]
pub(super) struct PrintTo {
    #[command(flatten)]
    to: To,
    /// Print by this command, which gets the text: lp
    #[arg(long, value_name = "COMMAND", conflicts_with = "to")]
    command: Option<String>,
}

pub(super) enum Target {
    /// A file, opened before the print is counted.
    File(OutputFile),
    Command(String),
}

impl To {
    /// Opens the file that was named; none stands for the terminal.
    pub(super) fn begin(&self, call: &Call<'_>) -> Result<Option<Target>, Stop> {
        let Some(path) = &self.to else {
            return Ok(None);
        };
        let existing = existing(self.force);
        let begun = OutputFile::begin(path, existing, call.desk.place());
        Ok(Some(Target::File(begun.map_err(Cannot::Output)?)))
    }
}

impl PrintTo {
    /// Opens what was named; none stands for the terminal.
    pub(super) fn begin(&self, call: &Call<'_>) -> Result<Option<Target>, Stop> {
        match &self.command {
            Some(command) => Ok(Some(Target::Command(command.clone()))),
            None => self.to.begin(call),
        }
    }
}

/// The meaning of `--force` for an existing file.
pub(super) const fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

impl Target {
    pub(super) fn print(self, text: &str) -> Result<(), Stop> {
        match self {
            Self::File(file) => Ok(file.finish(text.as_bytes()).map_err(Cannot::Output)?),
            Self::Command(command) => Ok(pipe(&command, text).map_err(Cannot::Print)?),
        }
    }
}
