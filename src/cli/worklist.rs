//! The worklist: what waits until somebody has dealt with it.

use clap::{Args, Subcommand};

use crate::cli::answers::worklist::{WorkAnswer, WorkList};
use crate::cli::call::{Call, Done, page};
use crate::cli::stop::Stop;
use crate::domain::house::WorkItem;
use crate::domain::ids::WorkId;
use crate::engine::ops::{ReopenWork, ResolveWork};
use crate::engine::reads::worklist::{ReadWorkItem, ReadWorklist};

#[derive(Debug, Args)]
pub(super) struct Worklist {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Only those after this one
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Take an item off the list: it has been dealt with
    Resolve {
        /// Id or end of an id
        item: String,
        /// How it was dealt with
        #[arg(long)]
        note: String,
    },
    /// Put an item back onto the list: it has not been dealt with
    Reopen {
        /// Id or end of an id
        item: String,
    },
}

impl Worklist {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match &self.verb {
            Some(Verb::Resolve { item, note }) => resolve(call, item, note),
            Some(Verb::Reopen { item }) => {
                let item = call.named(item)?;
                let open = call.run(ReopenWork { item })?;
                let answer = worked(call, open)?;
                call.answer(&answer)
            }
            None => self.list(call),
        }
    }

    fn list(&self, call: &mut Call<'_>) -> Done {
        let after = self.after.as_deref();
        let after = after.map(|text| call.named::<WorkId>(text)).transpose()?;
        let after = after.map(|id| id.to_string());
        let items = call.read(ReadWorklist)?;
        let items = page(items, after.as_deref(), |view, after| {
            view.item.id.to_string() == after
        })?;
        let zone = call.out.zone;
        let list = items.iter().map(|view| WorkAnswer::new(view, zone));
        let list = WorkList(list.collect());
        call.answer(&list)?;
        call.more(list.0.len(), list.0.last().map(|last| last.id.as_str()));
        Ok(())
    }
}

fn resolve(call: &mut Call<'_>, item: &str, note: &str) -> Done {
    let item: WorkId = call.named(item)?;
    let done = call.run(ResolveWork {
        item,
        note: note.to_owned(),
    })?;
    let answer = worked(call, done)?;
    call.answer(&answer)
}

/// An item as programs and people read it.
///
/// # Errors
/// A fault of the store.
pub(super) fn worked(call: &Call<'_>, item: WorkItem) -> Result<WorkAnswer, Stop> {
    let view = call.read(ReadWorkItem(item))?;
    Ok(WorkAnswer::new(&view, call.out.zone))
}
