//! Values read from the engine: unread, pending, loaded, or being read again.
//!
//! Every request has a ticket. An answer with an unknown ticket is dropped, so that a slow answer never overwrites a
//! newer one. Only one request for a value is pending at a time; a change meanwhile makes it read again afterwards.

use std::collections::HashMap;

use crate::domain::time::Instant;
use crate::tui::msg::trouble::Trouble;

/// Id of a request, by which its answer is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ticket(u64);

/// Issues tickets, and tracks those waiting for an answer.
#[derive(Debug, Default)]
pub(crate) struct TicketCounter {
    last: u64,
    waiting: HashMap<Ticket, Instant>,
}

impl TicketCounter {
    /// Issues a new ticket.
    pub(crate) fn draw(&mut self) -> Ticket {
        self.last += 1;
        Ticket(self.last)
    }

    /// Notes that a request was sent.
    pub(crate) fn asked(&mut self, ticket: Ticket, now: Instant) {
        self.waiting.insert(ticket, now);
    }

    /// Notes that a request was answered.
    pub(crate) fn answered(&mut self, ticket: Ticket) {
        self.waiting.remove(&ticket);
    }

    /// Time of the oldest pending request; none when none is pending.
    #[must_use]
    pub(crate) fn waiting_since(&self) -> Option<Instant> {
        self.waiting.values().min().copied()
    }
}

/// Tells whether a value has to be read again after the pending answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// The answer is current.
    No,
    /// The value changed after the request was sent.
    Yes,
}

/// Value of the engine, with the state of its loading.
#[derive(Clone, Debug, Default)]
pub(crate) enum Remote<T> {
    /// Never requested.
    #[default]
    Unasked,
    /// Requested for the first time.
    Waiting(Ticket, Again),
    /// Loaded.
    Here(T),
    /// Loaded, and requested again.
    Stale(T, Ticket, Again),
    /// Failed to load.
    Failed(Trouble),
}

impl<T> Remote<T> {
    /// Loaded value, even if requested again.
    pub(crate) const fn value(&self) -> Option<&T> {
        match self {
            Self::Here(value) | Self::Stale(value, ..) => Some(value),
            Self::Unasked | Self::Waiting(..) | Self::Failed(_) => None,
        }
    }

    /// Loaded value, to be changed.
    pub(crate) const fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Here(value) | Self::Stale(value, ..) => Some(value),
            Self::Unasked | Self::Waiting(..) | Self::Failed(_) => None,
        }
    }

    /// True if this value sent the request with this ticket.
    #[must_use]
    pub(crate) fn awaits(&self, ticket: Ticket) -> bool {
        matches!(self, Self::Waiting(mine, _) | Self::Stale(_, mine, _) if *mine == ticket)
    }

    /// Requests the value; returns a ticket to send, or `None` when a pending answer has to come first.
    pub(crate) fn want(&mut self, tickets: &mut TicketCounter) -> Option<Ticket> {
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

    /// Stores the answer; tells whether to request the value again. A fault keeps the loaded value.
    pub(crate) fn settle(&mut self, answer: Result<T, Trouble>) -> Again {
        let (before, again) = match std::mem::take(self) {
            Self::Stale(value, _, again) => (Some(value), again),
            Self::Waiting(_, again) => (None, again),
            Self::Here(value) => (Some(value), Again::No),
            Self::Unasked | Self::Failed(_) => (None, Again::No),
        };
        *self = match (answer, before) {
            (Ok(value), _) | (Err(_), Some(value)) => Self::Here(value),
            (Err(trouble), None) => Self::Failed(trouble),
        };
        again
    }

    /// Drops the value; a pending answer will be ignored.
    pub(crate) fn forget(&mut self) {
        *self = Self::Unasked;
    }
}

#[cfg(test)]
mod tests {
    use super::{Again, Remote, TicketCounter};

    #[test]
    fn a_second_request_waits_for_the_pending_answer() {
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
