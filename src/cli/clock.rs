//! The machine's clock: open desks ignore a jump of it until an operator confirms the new time.

use chrono_tz::Tz;
use clap::Subcommand;
use serde_json::json;

use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::engine::ops::{ClockRepaired, ConfirmClock, EntryBefore, RepairClock};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Confirm the clock after a jump of more than two minutes: every open desk follows it again
    Confirm,
    /// Repair times that a clock ahead has stamped into the future
    Repair,
}

impl Verb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let answer = match self {
            Self::Confirm => {
                let confirmed_at = call.run(ConfirmClock)?.rfc3339(call.out.zone);
                let people = "Every open desk follows its machine's clock again.";
                Rendered::new(json!({ "confirmed_at": confirmed_at }), people)
            }
            Self::Repair => repaired(&call.run(RepairClock)?, call.out.zone),
        };
        call.answer(&answer)
    }
}

fn repaired(done: &ClockRepaired, zone: Tz) -> Rendered {
    let ClockRepaired { entries, documents, beside, carts, receipts } = done;
    let before = |entry: &EntryBefore| json!({ "seq": entry.seq, "at": entry.at.rfc3339(zone) });
    let all = entries.len() + documents + beside + carts.len() + receipts.len();
    Rendered {
        json: json!({
            "entries": entries.iter().map(before).collect::<Vec<_>>(),
            "documents": documents,
            "beside": beside,
            "carts": carts,
            "receipts": receipts,
        }),
        people: if all == 0 {
            "No time is to come. Nothing was changed.".to_owned()
        } else {
            format!(
                "Brought back to the present: {} entries of the journal, {documents} documents, {beside} events, runs and jobs, {} holds, {} receipts.",
                entries.len(),
                carts.len(),
                receipts.len()
            )
        },
    }
}
