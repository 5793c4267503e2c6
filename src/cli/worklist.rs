//! The worklist: items that an operator has to deal with.

use clap::{Args, Subcommand};

use crate::cli::answers::{receipt, worklist};
use crate::cli::call::{Call, Done, page};
use crate::cli::stop::Stop;
use crate::cli::values;
use crate::domain::house::WorklistItem;
use crate::domain::ids::WorkId;
use crate::engine::ops::{ItemAct, SettleItem};
use crate::engine::reads::receipts::ReadAnsweredReceipt;
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
    /// Give back the price of what was lost, or a payment that bought nothing
    Refund {
        #[command(flatten)]
        one: One,
        /// How: cash, card=REF or owed
        #[arg(long, value_name = "MEANS")]
        back: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// The customer gives up what was lost, without money
    Waive {
        #[command(flatten)]
        one: One,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

#[derive(Debug, Args)]
struct One {
    /// Id or end of an id
    item: String,
}

impl Worklist {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let (one, act, reason) = match &self.verb {
            None => return self.list(call),
            Some(Verb::Refund { one, back, reason }) => {
                (one, ItemAct::Refund(values::back(back)?), reason)
            }
            Some(Verb::Waive { one, reason }) => (one, ItemAct::Waive, reason),
        };
        let settled = call.run(SettleItem {
            item: call.named(&one.item)?,
            act,
            reason: reason.clone(),
        })?;
        let item = item_view(call, settled.item)?;
        let mut receipts = Vec::with_capacity(settled.receipts.len());
        for receipt in settled.receipts {
            receipts.push(call.read(ReadAnsweredReceipt(receipt))?);
        }
        let answer = receipt::settled(&item, &receipts, call.out.zone);
        call.answer(&answer)
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
