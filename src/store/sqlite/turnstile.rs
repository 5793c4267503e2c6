//! A fair turnstile between processes: each waits its turn before it begins to write.
//!
//! Two lock files: take the queue's, then the writer's, and let the queue's go. Whoever waits for the
//! writer's holds the queue's, so nobody overtakes; plain busy waiting let some processes starve.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use crate::store::Fault;

#[derive(Debug)]
pub(super) struct Turnstile {
    queue: File,
    writer: File,
}

/// A process's turn, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    writer: File,
}

impl Turnstile {
    pub(super) fn open(database: &Path) -> Result<Self, Fault> {
        Ok(Self {
            queue: open(database, "-queue")?,
            writer: open(database, "-turn")?,
        })
    }

    pub(super) fn enter(&self) -> Result<Turn, Fault> {
        let writer = self.writer.try_clone().map_err(|error| broken(&error))?;
        self.queue.lock().map_err(|error| broken(&error))?;
        let taken = self.writer.lock();
        self.queue.unlock().map_err(|error| broken(&error))?;
        taken.map_err(|error| broken(&error))?;
        Ok(Turn { writer })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // closing the file, or the process's end, lets it go as well
        let _ = self.writer.unlock();
    }
}

fn open(database: &Path, suffix: &str) -> Result<File, Fault> {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    let options = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .clone();
    options
        .open(PathBuf::from(name))
        .map_err(|error| broken(&error))
}

fn broken(error: &std::io::Error) -> Fault {
    Fault::Unreachable(error.to_string())
}
