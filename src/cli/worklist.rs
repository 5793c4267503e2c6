//! The worklist: items that an operator has to deal with.

use clap::{Args, Subcommand};

use crate::cli::answers::worklist;
use crate::cli::call::{Call, Done, page};
use crate::cli::stop::Stop;
use crate::cli::values;
use crate::domain::house::WorklistItem;
use crate::domain::ids::WorkId;
use crate::engine::ops::{ReopenWork, ResolveWork};
use crate::engine::reads::worklist::{ReadWorkItem, ReadWorklist, WorkView};

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
        /// A note on what was done
        #[arg(long)]
        note: String,
    },
    /// Put an item back onto the list as not dealt with
    Reopen {
        /// Id or end of an id
        item: String,
    },
}

impl Worklist {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let changed = match &self.verb {
            None => return self.list(call),
            Some(Verb::Resolve { item, note }) => call.run(ResolveWork {
                item: call.named(item)?,
                note: note.clone(),
            })?,
            Some(Verb::Reopen { item }) => call.run(ReopenWork {
                item: call.named(item)?,
            })?,
        };
        let item = item_view(call, changed)?;
        call.answer(&worklist::item(&item, call.out.zone))
    }

    fn list(&self, call: &mut Call<'_>) -> Done {
        let after = values::some(self.after.as_ref(), |text| call.named::<WorkId>(text))?;
        let after = after.map(|id| id.to_string());
        let items = call.read(ReadWorklist)?;
        let items = page(items, after.as_deref(), |view, after| {
            view.item.id.to_string() == after
        })?;
        call.answer(&worklist::list(&items, call.out.zone))?;
        call.more(items.len(), items.last().map(|last| last.item.id));
        Ok(())
    }
}

/// An item with the names shown to people.
pub(super) fn item_view(call: &Call<'_>, item: WorklistItem) -> Result<WorkView, Stop> {
    call.read(ReadWorkItem(item))
}

/// The items of displaced orders, with the names shown to people.
pub(super) fn displaced(call: &Call<'_>, items: &[WorklistItem]) -> Result<Vec<WorkView>, Stop> {
    let items = items.iter().cloned();
    items.map(|item| item_view(call, item)).collect()
}
