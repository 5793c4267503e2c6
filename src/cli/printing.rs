//! Paper: a file, or a command that gets the text.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::stop::{Cannot, Stop};
use crate::tui::printing::feed;

/// Where printed text goes.
pub(super) enum Target {
    /// A file, opened before anything is counted.
    File(PathBuf, File),
    /// A shell command.
    Command(String),
}

impl Target {
    /// The target that was asked for; none is the screen.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(file: Option<&Path>, command: Option<&str>) -> Result<Option<Self>, Stop> {
        if let Some(path) = file {
            let opened = File::create(path).map_err(|error| not_writable(path, &error))?;
            return Ok(Some(Self::File(path.to_owned(), opened)));
        }
        Ok(command.map(|command| Self::Command(command.to_owned())))
    }

    /// Prints a text.
    ///
    /// # Errors
    /// The file or the command does not take it.
    pub(super) fn print(self, text: &str) -> Result<(), Stop> {
        match self {
            Self::File(path, mut file) => Ok(file
                .write_all(text.as_bytes())
                .map_err(|error| not_writable(&path, &error))?),
            Self::Command(command) => Ok(feed(&command, text).map_err(Cannot::Print)?),
        }
    }
}

fn not_writable(path: &Path, error: &std::io::Error) -> Cannot {
    Cannot::NotWritable {
        path: path.to_owned(),
        problem: error.to_string(),
    }
}
