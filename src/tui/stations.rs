//! Presence of the stations, including this one.
//!
//! Each desk announces itself and its screen every few seconds, and at once when the screen changes.

use crate::domain::presence::Present;
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::engine::ops::BePresent;
use crate::tui::msg::{Answer, Answered, Changed, Effect, Query};
use crate::tui::remote::{Ticket, TicketCounter};

/// Presence of other stations, and the last announcement of this one.
#[derive(Debug, Default)]
pub(crate) struct Stations {
    present: Vec<Present>,
    said_at: Option<Instant>,
    said: String,
    waits: Option<Ticket>,
}

impl Stations {
    /// Stations on line, by name.
    #[must_use]
    pub(crate) fn present(&self) -> &[Present] {
        &self.present
    }

    /// Other stations on line at a place.
    pub(crate) fn others_at<'a>(
        &'a self,
        station: &'a str,
        place: &'a str,
    ) -> impl Iterator<Item = &'a Present> {
        let there = self
            .present
            .iter()
            .filter(move |other| other.place == place);
        there.filter(move |other| other.station != station)
    }

    /// Handles the one-second tick: announces this desk, when that is due.
    #[must_use]
    pub(crate) fn tick(
        &mut self,
        now: Instant,
        place: String,
        tickets: &mut TicketCounter,
    ) -> Option<Effect> {
        let due = self
            .said_at
            .is_none_or(|said| now.since(said) >= Present::SAYS_EVERY);
        if !due && self.said == place {
            return None;
        }
        let ticket = tickets.draw();
        (self.said_at, self.waits) = (Some(now), Some(ticket));
        self.said.clone_from(&place);
        Some(Effect::Run(ticket, BePresent::At(place).into()))
    }

    /// Handles a commit: reads the presence again when nothing else has changed.
    #[must_use]
    pub(crate) fn changed(
        &mut self,
        changed: &Changed,
        tickets: &mut TicketCounter,
    ) -> Option<Effect> {
        let silent = matches!(changed, Changed::These(subjects) if subjects.is_empty());
        if !silent || self.waits.is_some() {
            return None;
        }
        let ticket = tickets.draw();
        self.waits = Some(ticket);
        Some(Effect::Read(ticket, Query::Presence))
    }

    /// True if this list sent the request with this ticket.
    #[must_use]
    pub(crate) fn awaits(&self, ticket: Ticket) -> bool {
        self.waits == Some(ticket)
    }

    /// Stores the presence; a failed read keeps the old one.
    pub(crate) fn answer(&mut self, answer: Answered) {
        self.waits = None;
        // without the presence a desk still works
        if let Ok(Answer::Present(present)) = answer {
            self.present = present;
        }
    }
}

/// Label of a station: `till-1 (ben)`.
#[must_use]
pub(crate) fn named(present: &Present) -> String {
    format!("{} ({})", clean(&present.station), clean(&present.operator))
}
