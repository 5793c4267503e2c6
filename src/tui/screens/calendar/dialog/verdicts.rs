//! Verdicts on wanted time: whether slots are free, each known only for the question it answers.
//!
//! # Invariants
//! - A verdict on other slots than those that are wanted now is never given out.

use crate::engine::reads::calendar::{Check, ReadCheck};
use crate::tui::context::Context;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::time::{TimeAnswer, TimeQuery};

/// Verdicts of the house on wanted time.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    checks: Remote<Vec<Check>>,
    /// The question under way.
    asked: Vec<ReadCheck>,
    /// The question that was answered last.
    answered: Vec<ReadCheck>,
}

impl Verdicts {
    /// Asks; while a question is under way this waits for its answer, see [`Self::settle`].
    pub(super) fn ask(&mut self, wanted: Vec<ReadCheck>, context: &mut Context<'_>) {
        if wanted.is_empty() {
            *self = Self::default();
        } else if let Some(ticket) = self.checks.want(&mut context.shared.tickets) {
            self.asked.clone_from(&wanted);
            context.read_with(ticket, Query::Time(TimeQuery::Checks(wanted)));
        }
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.checks.awaits(ticket)
    }

    /// Takes the answer; says whether to ask again.
    pub(super) fn settle(&mut self, answer: Result<TimeAnswer, Trouble>) -> Again {
        let checks = answer.and_then(TimeAnswer::checks);
        if checks.is_ok() {
            self.answered = std::mem::take(&mut self.asked);
        }
        self.checks.settle(checks)
    }

    /// The verdicts on what is wanted, in its order; none before the house has answered just that.
    pub(super) fn on(&self, wanted: &[ReadCheck]) -> Option<&[Check]> {
        let checks = self.checks.value().map(Vec::as_slice);
        checks.filter(|_| self.answered == wanted)
    }
}
