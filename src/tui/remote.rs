//! Values that live in the engine and are on their way, here, or here and being read again.
//!
//! Every question carries a ticket. An answer whose ticket nobody waits for is dropped, so a slow answer can
//! never overwrite a newer one. While one question is under way no second is asked: it is asked again after.

use std::collections::HashMap;

use crate::domain::time::Instant;
use crate::tui::msg::Trouble;

/// Names one question or command, so that its answer finds who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

/// Hands out tickets, each once, and knows which of them wait for their answer.
#[derive(Debug, Default)]
pub struct TicketCounter {
    last: u64,
    waiting: HashMap<Ticket, Instant>,
}

impl TicketCounter {
    /// A ticket that nobody has.
    pub fn draw(&mut self) -> Ticket {
        self.last += 1;
        Ticket(self.last)
    }

    /// The house was asked with a ticket.
    pub fn asked(&mut self, ticket: Ticket, now: Instant) {
        self.waiting.insert(ticket, now);
    }

    /// The house has answered a ticket.
    pub fn answered(&mut self, ticket: Ticket) {
        self.waiting.remove(&ticket);
    }

    /// Since when the oldest question waits for its answer; none while nothing is asked.
    #[must_use]
    pub fn waiting_since(&self) -> Option<Instant> {
        self.waiting.values().min().copied()
    }
}

/// Whether a question has to be asked again once its answer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The answer will do.
    No,
    /// Something changed after it was asked.
    Yes,
}

/// A value of the engine as the screen has it.
#[derive(Clone, Debug, Default)]
pub enum Remote<T> {
    /// Nobody has asked for it.
    #[default]
    Unasked,
    /// It was asked for and has never been here.
    Waiting(Ticket, Again),
    /// It is here.
    Here(T),
    /// It is here, and is being read again.
    Stale(T, Ticket, Again),
    /// It could not be read; why, in a sentence.
    Failed(String),
}

impl<T> Remote<T> {
    /// What is here, whether or not it is being read again.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Here(value) | Self::Stale(value, ..) => Some(value),
            Self::Unasked | Self::Waiting(..) | Self::Failed(_) => None,
        }
    }

    /// What is here, to be changed.
    pub const fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Here(value) | Self::Stale(value, ..) => Some(value),
            Self::Unasked | Self::Waiting(..) | Self::Failed(_) => None,
        }
    }

    /// Whether the answer to this ticket belongs here.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        matches!(self, Self::Waiting(mine, _) | Self::Stale(_, mine, _) if *mine == ticket)
    }

    /// Wants it read (again): a ticket to ask with, or `None` when that is to wait for the answer under way.
    pub fn want(&mut self, tickets: &mut TicketCounter) -> Option<Ticket> {
        if let Self::Waiting(_, again) | Self::Stale(_, _, again) = self {
            *again = Again::Yes;
            return None;
        }
        let ticket = tickets.draw();
        *self = match std::mem::take(self) {
            Self::Here(value) | Self::Stale(value, ..) => Self::Stale(value, ticket, Again::No),
            Self::Unasked | Self::Waiting(..) | Self::Failed(_) => Self::Waiting(ticket, Again::No),
        };
        Some(ticket)
    }

    /// Takes the answer; says whether it is to be asked again. A fault leaves what was here.
    pub fn settle(&mut self, answer: Result<T, Trouble>) -> Again {
        let (before, again) = match std::mem::take(self) {
            Self::Stale(value, _, again) => (Some(value), again),
            Self::Waiting(_, again) => (None, again),
            Self::Here(value) => (Some(value), Again::No),
            Self::Unasked | Self::Failed(_) => (None, Again::No),
        };
        *self = match (answer, before) {
            (Ok(value), _) | (Err(_), Some(value)) => Self::Here(value),
            (Err(trouble), None) => Self::Failed(trouble.sentence()),
        };
        again
    }

    /// Forgets it; an answer under way will be dropped.
    pub fn forget(&mut self) {
        *self = Self::Unasked;
    }
}

#[cfg(test)]
mod tests {
    use super::{Again, Remote, TicketCounter};

    #[test]
    fn while_a_question_is_under_way_a_second_waits_for_its_answer() {
        let mut tickets = TicketCounter::default();
        let mut remote: Remote<u8> = Remote::default();
        let first = remote.want(&mut tickets).unwrap();
        assert!(remote.want(&mut tickets).is_none());
        assert!(remote.awaits(first) && !remote.awaits(tickets.draw()));
        assert_eq!(remote.settle(Ok(7)), Again::Yes);
        assert_eq!(remote.value(), Some(&7));
        assert!(remote.want(&mut tickets).is_some());
        assert_eq!(remote.value(), Some(&7), "it stays while it is read again");
        assert_eq!(remote.settle(Ok(8)), Again::No);
    }
}
