//! The journal: a page of entries, the history of one thing, or a live feed.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use tokio::sync::broadcast::error::RecvError;

use crate::cli::answers::journal;
use crate::cli::call::{Call, Done};
use crate::cli::stop::{Cannot, Stop};
use crate::cli::values;
use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::Role;
use crate::engine::gaps::Gaps;
use crate::engine::ops::{ArchiveJournal, SealJournal};
use crate::engine::reads::journal::{
    EntryView, ReadArchives, ReadEntry, ReadHistory, ReadJournal, ReadPlaces,
};
use crate::engine::verify::PrepareArchive;
use crate::store::journal::archive::ArchiveFile;
use crate::store::output::{self, Existing, no_house};
use crate::store::place::folder_of;

/// Polling interval for journal numbers that were skipped.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print the journal's newest number and hash, to be kept on paper: verify --seal looks for it
    Seal,
    /// Move the entries of past days into a file that verify --archive reads. The house keeps where they end; its file
    /// uses the space again
    Archive(Archive),
}

#[derive(Debug, Args)]
struct Archive {
    /// The first day that stays; the days before it are over since a day
    #[arg(long, value_name = "DAY")]
    before: String,
    /// The file to write; none may be there
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Journal {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Only changes of this: an id, or the end of one
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Go on as changes are made, one a line
    #[arg(long)]
    follow: bool,
    /// Only entries after this number of the journal
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

impl Journal {
    /// Only `--follow` needs the watcher.
    pub(super) const fn role(&self) -> Role {
        if self.follow {
            Role::Desk
        } else {
            Role::Command
        }
    }

    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match &self.verb {
            Some(Verb::Seal) => return seal(call),
            Some(Verb::Archive(archive)) => return archive.run(call),
            None => {}
        }
        let after = self.after(call)?;
        match &self.subject {
            _ if self.follow => self.go_on(call, after),
            Some(subject) => history(call, subject),
            None => {
                let entries = call.read(ReadJournal { after })?;
                call.answer(&journal::list(&entries, call.out.zone))?;
                call.more(entries.len(), entries.last().map(|entry| entry.seq));
                Ok(())
            }
        }
    }

    /// Number to begin behind; notes where archived entries are.
    fn after(&self, call: &mut Call<'_>) -> Result<i64, Stop> {
        let text = self.after.as_deref().unwrap_or("0");
        let wrong = |_| {
            let problem = format!(
                "{text:?} is no place in the journal; write the number that a list ended with"
            );
            values::bad("after", problem)
        };
        let after: i64 = text.trim().parse().map_err(wrong)?;
        let archives = call.read(ReadArchives)?;
        for archive in archives.iter().filter(|archive| archive.last > after) {
            call.out.note(&journal::archived(archive));
        }
        Ok(archives
            .iter()
            .map(|archive| archive.last)
            .fold(after, i64::max))
    }

    fn is_about(&self, entry: &EntryView) -> bool {
        self.subject.as_deref().is_none_or(|subject| {
            let tail = subject.trim_start_matches('.').to_lowercase();
            entry
                .changes
                .iter()
                .any(|change| change.key.ends_with(&tail))
        })
    }

    /// Writes the entries there are and then new ones, until the output closes. On a server an entry may be stored
    /// after one with a higher number: skipped numbers are polled again.
    fn go_on(&self, call: &mut Call<'_>, mut after: i64) -> Done {
        let (mut notices, mut gaps) = (call.desk.watch(), Gaps::default());
        loop {
            let late = call.read(ReadPlaces(gaps.open()))?;
            let entries = call.read(ReadJournal { after })?;
            for entry in late.iter().chain(&entries) {
                gaps.fill(entry.seq);
                if entry.seq > after {
                    gaps.pass(after + 1..entry.seq);
                }
                after = after.max(entry.seq);
            }
            for entry in late
                .iter()
                .chain(&entries)
                .filter(|entry| self.is_about(entry))
            {
                call.answer(&journal::entry(entry, call.out.zone))?;
            }
            call.out.flush()?;
            if !entries.is_empty() {
                continue;
            }
            if !gaps.open().is_empty() {
                std::thread::sleep(LOOK_EVERY);
                continue;
            }
            match notices.blocking_recv() {
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(()),
            }
        }
    }
}

impl Archive {
    /// Writes the archive beside its name, renames it, and then moves the entries. An archive that a crash left without
    /// the move is the same file when made again, and is kept.
    fn run(&self, call: &mut Call<'_>) -> Done {
        let before = values::date("before", &self.before, call.now_in(call.out.zone))?;
        no_house(&self.to, call.desk.place()).map_err(Cannot::Output)?;
        let unwritable = |error| Stop::from(Cannot::not_writable(&self.to, error));
        let aside = tempfile::tempdir_in(folder_of(&self.to)).map_err(unwritable)?;
        let file = aside.path().join("archive");
        let name = self.to.file_name().unwrap_or_default();
        let prepared = call.read(PrepareArchive {
            before,
            name: name.to_string_lossy().into_owned(),
            file: file.clone(),
        })?;
        if fs::symlink_metadata(&self.to).is_ok() {
            if !are_same(&file, &self.to).unwrap_or_default() {
                return Err(Cannot::FileExists(self.to.clone()).into());
            }
        } else {
            output::place(&file, &self.to, Existing::Keep).map_err(Cannot::Output)?;
        }
        let from = self.to.clone();
        let moved = call.run(ArchiveJournal { from, ..prepared })?;
        call.answer(&journal::moved(&moved))
    }
}

fn are_same(one: &Path, other: &Path) -> io::Result<bool> {
    let bytes =
        |path| Ok::<_, io::Error>(BufReader::new(File::open(path)?).bytes().map(Result::ok));
    Ok(bytes(one)?.eq(bytes(other)?))
}

/// Checks that a file is a whole archive of a journal.
///
/// # Errors
/// A missing or damaged file, or one that is no archive.
pub(super) fn open_archive(path: &Path) -> Result<(), Cannot> {
    let failed = |problem| Cannot::Archive {
        path: path.to_owned(),
        problem,
    };
    ArchiveFile::open(path).map(drop).map_err(failed)
}

/// Seals the journal, and prints the entry that is the seal.
fn seal(call: &mut Call<'_>) -> Done {
    let command = CommandId::random();
    call.desk.run_as(command, SealJournal)?;
    let entry = call.read(ReadEntry(command))?;
    let entry = entry.ok_or_else(|| Refusal::NotFound {
        what: "command".into(),
        name: command.to_string(),
    })?;
    call.answer(&journal::seal(&entry, call.out.zone))
}

fn history(call: &mut Call<'_>, subject: &str) -> Done {
    let changes = call.read(ReadHistory {
        subject: subject.to_owned(),
    })?;
    call.answer(&journal::history(&changes, call.out.zone))
}
