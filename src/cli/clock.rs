//! The machine's clock: open desks ignore a jump of it until an operator confirms the new time.

use chrono_tz::Tz;
use clap::Subcommand;
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::ops::{self, ClockRepaired, ConfirmClock, RepairClock};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Confirm the clock after a jump of more than two minutes: every open desk follows it again
    Confirm,
    /// Repair times that a clock ahead has stamped into the future
    Repair,
}

#[derive(Serialize)]
struct ClockAnswer {
    confirmed_at: String,
}

impl Verb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Confirm => {
                let at = call.run(ConfirmClock)?;
                let confirmed_at = at.rfc3339(call.out.zone);
                call.answer(&ClockAnswer { confirmed_at })
            }
            Self::Repair => {
                let done = call.run(RepairClock)?;
                let answer = Repaired::of(&done, call.out.zone);
                call.answer(&answer)
            }
        }
    }
}

/// A repaired journal entry, and its time before.
#[derive(Serialize)]
struct EntryBefore {
    seq: i64,
    at: String,
}

#[derive(Serialize)]
struct Repaired {
    entries: Vec<EntryBefore>,
    documents: usize,
    beside: usize,
    carts: Vec<CartId>,
    receipts: Vec<ReceiptId>,
}

impl Repaired {
    fn of(done: &ClockRepaired, zone: Tz) -> Self {
        let before = |entry: &ops::EntryBefore| EntryBefore {
            seq: entry.seq,
            at: entry.at.rfc3339(zone),
        };
        Self {
            entries: done.entries.iter().map(before).collect(),
            documents: done.documents,
            beside: done.beside,
            carts: done.carts.clone(),
            receipts: done.receipts.clone(),
        }
    }
}

impl Answer for Repaired {
    fn people(&self) -> String {
        let all = self.entries.len() + self.documents + self.beside;
        if all + self.carts.len() + self.receipts.len() == 0 {
            return "No time is to come. Nothing was changed.".to_owned();
        }
        format!(
            "Brought back to the present: {} entries of the journal, {} documents, {} events, runs and jobs, {} holds, {} receipts.",
            self.entries.len(),
            self.documents,
            self.beside,
            self.carts.len(),
            self.receipts.len()
        )
    }
}

impl Answer for ClockAnswer {
    fn people(&self) -> String {
        "Every open desk follows its machine's clock again.".to_owned()
    }
}
