//! Paper: a file, or a command that gets the text.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::cli::stop::{Cannot, Stop};

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
            Self::Command(command) => Ok(run(&command, text).map_err(Cannot::Print)?),
        }
    }
}

fn not_writable(path: &Path, error: &std::io::Error) -> Cannot {
    Cannot::NotWritable {
        path: path.to_owned(),
        problem: error.to_string(),
    }
}

fn run(command: &str, text: &str) -> Result<(), String> {
    let child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut child: Child = child.map_err(|error| error.to_string())?;
    let fed = child
        .stdin
        .take()
        .map(|mut pipe| pipe.write_all(text.as_bytes()));
    let status = child.wait().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("{command} ended with {status}"));
    }
    fed.unwrap_or(Ok(()))
        .map_err(|error| format!("{command} did not read the text: {error}"))
}
