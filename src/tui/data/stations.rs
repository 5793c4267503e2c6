//! Presence of the stations, including this one.
//!
//! Each desk announces itself and its screen every few seconds, and at once when the screen changes.

use crate::domain::presence::Present;
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::engine::ops::BePresent;
use crate::engine::reads::presence::ReadPresence;
use crate::tui::data::msg::{Answer, Changed, Effect};
use crate::tui::data::ticket::{Ticket, TicketCounter, TicketOwner};

/// Presence of other stations, and the last announcement of this one.
#[derive(Debug, Default)]
pub(crate) struct Stations {
    present: Vec<Present>,
    said_at: Option<Instant>,
    said: String,
    /// Number of the request under way.
    waits: Option<u64>,
}

impl Stations {
    /// Stations on line, by name.
    pub(crate) fn present(&self) -> &[Present] {
        &self.present
    }

    /// Other stations on line at a place.
    pub(crate) fn others_at<'a>(&'a self, station: &'a str, place: &'a str) -> impl Iterator<Item = &'a Present> {
        let there = self.present.iter().filter(move |other| other.place == place);
        there.filter(move |other| other.station != station)
    }

    /// Handles the one-second tick: announces this desk, when that is due.
    pub(crate) fn tick(&mut self, now: Instant, place: String, tickets: &mut TicketCounter) -> Option<Effect> {
        let due = self.said_at.is_none_or(|said| now.since(said) >= Present::SAYS_EVERY);
        if !due && self.said == place {
            return None;
        }
        self.said_at = Some(now);
        self.said.clone_from(&place);
        let ticket = self.ticket(tickets);
        Some(Effect::Run(ticket, BePresent::At(place).into()))
    }

    /// Handles a commit: reads the presence again when nothing else has changed.
    pub(crate) fn changed(&mut self, changed: &Changed, tickets: &mut TicketCounter) -> Option<Effect> {
        let silent = matches!(changed, Changed::These(subjects) if subjects.is_empty());
        if !silent || self.waits.is_some() {
            return None;
        }
        let ticket = self.ticket(tickets);
        Some(Effect::Read(ticket, ReadPresence.into()))
    }

    fn ticket(&mut self, tickets: &mut TicketCounter) -> Ticket {
        let number = tickets.draw();
        self.waits = Some(number);
        Ticket { owner: TicketOwner::Stations, number }
    }

    /// Stores the presence; a failed read keeps the old one.
    pub(crate) fn answer(&mut self, number: u64, answer: Answer) {
        let newest = self.waits.take_if(|mine| *mine == number).is_some();
        // without the presence a desk still works
        if let (true, Answer::Present(Ok(present))) = (newest, answer) {
            self.present = present;
        }
    }
}

/// Label of a station: `till-1 (ben)`.
pub(crate) fn station_label(present: &Present) -> String {
    format!("{} ({})", clean(&present.station), clean(&present.operator))
}
