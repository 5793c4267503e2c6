//! Tickets of requests: an answer comes back with the ticket, so it knows who asked.
//!
//! [`App::answer`](crate::tui::app::App) is one match over the owner. A value read is then taken in by the
//! [`Reads`](crate::tui::data::reads::Reads); an operation carries with it what is said about it.

use std::collections::HashMap;

use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::ops::{AnyOperation, PrintPapers};
use crate::tui::data::desk_act::{Moving, SentAct};
use crate::words::printing::Printer;

/// Id of a request, with the place that gets its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// Place that gets the answer.
    pub owner: TicketOwner,
    /// Number, unique in this program.
    pub number: u64,
}

/// Place that gets an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TicketOwner {
    /// Answers that screens and dialogs need.
    Reads,
    /// Cart of this desk.
    Cart,
    /// Presence of the stations.
    Stations,
    /// Settings of the house.
    Settings,
    /// Lock of this desk.
    SignIn,
    /// Note about a cart that this desk left open.
    LeftOpen,
    /// Count of a print, which is then made.
    Counted(Printer, Box<PrintPapers>),
    /// Paper, and its success message.
    Printed(String),
    /// List in a file, and its success message.
    Written(String),
    /// Search for a receipt of this station by its bare number.
    OwnReceiptNumber(String),
    /// Search for a receipt of any station by number.
    ReceiptNumber(String),
    /// Act outside the cart.
    Act(Box<SentAct>),
    /// Move whose booking is read first.
    Moving(Box<Moving>),
}

/// Act that waits for an approval, and why it was refused.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub ticket: Ticket,
    pub operation: Box<AnyOperation>,
    pub failure: Failure,
}

/// Issues the numbers of requests, and tracks those waiting for an answer.
#[derive(Debug, Default)]
pub(crate) struct TicketCounter {
    last: u64,
    waiting: HashMap<u64, Instant>,
}

impl TicketCounter {
    /// Issues a new number.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Goes on with the numbers, and waits for none of the answers before.
    pub(crate) fn anew(&self) -> Self {
        Self { last: self.last, ..Self::default() }
    }

    /// Notes that a request was sent.
    pub(crate) fn asked(&mut self, number: u64, now: Instant) {
        self.waiting.insert(number, now);
    }

    /// Notes that a request was answered; false if it waits for no answer.
    pub(crate) fn answered(&mut self, number: u64) -> bool {
        self.waiting.remove(&number).is_some()
    }

    /// Time of the oldest pending request; none when none is pending.
    pub(crate) fn waiting_since(&self) -> Option<Instant> {
        self.waiting.values().min().copied()
    }
}
