//! Background work on request: jobs, and the listeners of events.

use tokio::sync::mpsc;

use crate::domain::job::JobKind;
use crate::engine::desk::Desk;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::work::Failure;
use crate::engine::{jobs, listeners};
use crate::store::Location;

pub(in crate::engine) mod report;

pub use report::{Called, Worked};

impl Desk {
    /// Runs one job now, due or not, and returns its run.
    ///
    /// # Errors
    /// No such job, or a fault; a failed check is returned as a run.
    pub fn run_job(&self, kind: JobKind, subject: String) -> Result<RunView, Failure> {
        jobs::run_now(self, kind, subject)
    }

    /// Checks that this machine's shell can run a command: its syntax, and that its first word names
    /// a program. Nothing of it is run.
    ///
    /// # Errors
    /// The problem, in the shell's words.
    pub fn check_command(&self, command: &str) -> Result<(), String> {
        listeners::check_command(command)
    }

    /// Checks that nightly backups can be written into a folder of this machine.
    ///
    /// # Errors
    /// The problem, in words: the house is on a server, or the folder can't be written.
    pub fn check_backup_folder(&self, folder: &str) -> Result<(), String> {
        if let Location::Server(_) = self.place() {
            return Err("this house is on a server, whose desks are on many machines; let one of them run \
                        \"willcall backup FILE\" each night by its own timer"
                .to_owned());
        }
        let there = tempfile::tempfile_in(folder).map(drop);
        there.map_err(|problem| format!("no backup can be written into {folder}: {problem}"))
    }

    /// Runs all due jobs and calls all waiting listeners; returns what was done, in order.
    ///
    /// # Errors
    /// A fault; completed work stays done.
    pub fn work_off(&self) -> Result<Vec<Worked>, Failure> {
        self.reporting(|desk| {
            jobs::sweep(desk)?;
            listeners::hear_all(desk)
        })
    }

    /// Calls all waiting listeners; returns what was done, in order.
    ///
    /// # Errors
    /// A fault; completed work stays done.
    pub fn hear_all(&self) -> Result<Vec<Worked>, Failure> {
        self.reporting(listeners::hear_all)
    }

    fn reporting(&self, work: impl FnOnce(&Self) -> Result<(), Failure>) -> Result<Vec<Worked>, Failure> {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        work(&Self { worked: Some(sender), ..self.clone() })?;
        Ok(std::iter::from_fn(|| receiver.try_recv().ok()).collect())
    }

    /// Runs all due jobs in small batches between other commands; returns the number of checks.
    ///
    /// # Errors
    /// A fault; completed checks stay done.
    pub fn sweep(&self) -> Result<usize, Failure> {
        jobs::sweep(self)
    }
}
