//! The machine's clock, which no desk follows over a jump until somebody says that it is right.

use clap::Subcommand;
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::engine::ops::ConfirmClock;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// It is right although it jumped by more than two minutes: every open desk follows it again
    Confirm,
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
        }
    }
}

impl Answer for ClockAnswer {
    fn people(&self) -> String {
        "Every open desk follows its machine's clock again.".to_owned()
    }
}
