//! The machine's clock: open desks ignore a jump of it until an operator confirms the new time.

use clap::Subcommand;
use serde_json::json;

use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::engine::ops::ConfirmClock;

#[derive(Debug, Subcommand)]
pub(super) enum ClockVerb {
    /// Confirm the clock after a jump of more than two minutes: every open desk follows it again
    Confirm,
}

impl ClockVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let Self::Confirm = self;
        let confirmed_at = call.run(ConfirmClock)?.rfc3339(call.out.zone);
        let people = "Every open desk follows its machine's clock again.";
        call.answer(&Rendered::new(json!({ "confirmed_at": confirmed_at }), people))
    }
}
