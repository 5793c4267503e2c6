//! The stations that are on, and this one among them.
//!
//! A desk says every few seconds that it is on and what is on its screen, at once when that changes.

use crate::domain::presence::Present;
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::engine::ops::BePresent;
use crate::tui::msg::{Answer, Changed, Effect, Query, Trouble};
use crate::tui::remote::{Ticket, TicketCounter};

/// What this desk knows of the others, and has said of itself.
#[derive(Debug, Default)]
pub struct Stations {
    present: Vec<Present>,
    said_at: Option<Instant>,
    said: String,
    waits: Option<Ticket>,
}

impl Stations {
    /// The stations that are on, by name.
    #[must_use]
    pub fn present(&self) -> &[Present] {
        &self.present
    }

    /// The stations that are on at a place, but this one.
    pub fn others_at<'a>(
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

    /// A second went by at a place: says that this desk is on, when it is time to.
    #[must_use]
    pub fn tick(
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

    /// Something was committed: asks again when it was nothing but who is on.
    #[must_use]
    pub fn changed(&mut self, changed: &Changed, tickets: &mut TicketCounter) -> Option<Effect> {
        let silent = matches!(changed, Changed::These(subjects) if subjects.is_empty());
        if !silent || self.waits.is_some() {
            return None;
        }
        let ticket = tickets.draw();
        self.waits = Some(ticket);
        Some(Effect::Read(ticket, Query::Presence))
    }

    /// Whether it asked with this ticket.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        self.waits == Some(ticket)
    }

    /// Who is on, or that nobody can tell.
    pub fn answer(&mut self, answer: Result<Answer, Trouble>) {
        self.waits = None;
        // a desk that cannot tell who is on works on
        if let Ok(Answer::Present(present)) = answer {
            self.present = present;
        }
    }
}

/// A station in words: `till-1 (ben)`.
#[must_use]
pub fn named(present: &Present) -> String {
    format!("{} ({})", clean(&present.station), clean(&present.operator))
}
