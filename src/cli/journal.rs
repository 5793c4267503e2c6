//! The journal: a page of entries, the history of one thing, or a live feed.

use clap::{Args, Subcommand};

use crate::cli::answers::journal;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::times::Window;
use crate::cli::values;
use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::Role;
use crate::engine::ops::SealJournal;
use crate::engine::reads::journal::{EntryView, ReadEntry, ReadHistory, ReadJournal};

#[derive(Debug, Subcommand)]
enum JournalVerb {
    /// Print the journal's newest number and hash, to be kept on paper: verify --seal looks for it
    Seal,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Journal {
    #[command(subcommand)]
    verb: Option<JournalVerb>,
    /// Only changes of this: an id, or the end of one
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Go on as changes are made, one a line
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    window: Window,
    /// Only entries after this number of the journal
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

impl Journal {
    /// Only `--follow` needs the watcher.
    pub(super) const fn role(&self) -> Role {
        if self.follow { Role::Desk } else { Role::Command }
    }

    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        if let Some(JournalVerb::Seal) = self.verb {
            return seal(call);
        }
        self.csv.choose(call.out);
        let after = self.after()?;
        match &self.subject {
            _ if self.follow => self.follow(call, after),
            Some(subject) => history(call, subject),
            None => {
                let (from, until) = self.window.bounds(call.now_in(call.out.zone))?;
                let (operator, station) = call.named.clone();
                let only = ReadJournal { after, from, until, operator, station };
                let page = |after: Option<i64>| ReadJournal { after: after.unwrap_or_default(), ..only.clone() };
                let entries = call.pages(Some(after), page, |entry| entry.seq)?;
                call.answer(&journal::list(&entries, call.out.zone))
            }
        }
    }

    /// Number to begin behind.
    fn after(&self) -> Result<i64, Stop> {
        let text = self.after.as_deref().unwrap_or("0");
        let wrong = |_| {
            let problem = format!("{text:?} is no place in the journal; write the number that a list ended with");
            values::bad("after", problem)
        };
        Ok(text.trim().parse().map_err(wrong)?)
    }

    fn is_about(&self, entry: &EntryView) -> bool {
        self.subject.as_deref().is_none_or(|subject| {
            let tail = subject.trim_start_matches('.').to_lowercase();
            entry.changes.iter().any(|change| change.key.ends_with(&tail))
        })
    }

    /// Writes the entries there are and then new ones, until the output closes.
    fn follow(&self, call: &mut Call<'_>, after: i64) -> Done {
        let mut feed = call.desk.follow(after);
        while let Some(entries) = feed.wait()? {
            for entry in entries.iter().filter(|entry| self.is_about(entry)) {
                call.answer(&journal::entry(entry, call.out.zone))?;
            }
            call.out.flush()?;
        }
        Ok(())
    }
}

/// Seals the journal, and prints the entry that is the seal.
fn seal(call: &mut Call<'_>) -> Done {
    let command = CommandId::random();
    call.desk.run_as(command, SealJournal)?;
    let entry = call.read(ReadEntry(command))?;
    let entry = entry.ok_or_else(|| Refusal::not_found("command", command.to_string()))?;
    call.answer(&journal::seal(&entry, call.out.zone))
}

fn history(call: &mut Call<'_>, subject: &str) -> Done {
    let changes = call.read(ReadHistory { subject: subject.to_owned() })?;
    call.answer(&journal::history(&changes, call.out.zone))
}
