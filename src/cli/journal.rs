//! The journal: a page of entries, the history of one thing, or a live feed.

use std::time::Duration;

use clap::{Args, Subcommand};
use tokio::sync::broadcast::error::RecvError;

use crate::cli::answers::journal;
use crate::cli::call::{Call, Done};
use crate::cli::values;
use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::Role;
use crate::engine::gaps::Gaps;
use crate::engine::ops::SealJournal;
use crate::engine::reads::journal::{EntryView, ReadEntry, ReadHistory, ReadJournal, ReadPlaces};

/// Polling interval for journal numbers that were skipped.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print the journal's newest number and hash, to be kept on paper: verify --seal looks for it
    Seal,
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
        if let Some(Verb::Seal) = &self.verb {
            return seal(call);
        }
        let after = self.after()?;
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

    fn after(&self) -> Result<i64, Refusal> {
        let Some(text) = &self.after else {
            return Ok(0);
        };
        let wrong = || {
            let problem = format!(
                "{text:?} is no place in the journal; write the number that a list ended with"
            );
            values::bad("after", problem)
        };
        text.trim().parse().map_err(|_| wrong())
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
