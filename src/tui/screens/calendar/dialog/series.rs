//! All dates of a repeat: Space takes one out, or adds one that was skipped.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::booking::{Booking, BookingState};
use crate::domain::ids::SeriesId;
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::reads::bookings::ReadBookings;
use crate::tui::canvas::{Canvas, row};
use crate::tui::input::Key;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::calendar::dialog::Next;
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::shared::{Context, Shared};
use crate::tui::targets::{List, Target};
use crate::tui::time::{Reach, TimeAnswer, TimeCommand, TimeQuery};
use crate::tui::widgets::first_in_view;

/// All dates of a repeat.
#[derive(Debug)]
pub(in crate::tui::screens::calendar) struct Series {
    id: SeriesId,
    dates: Remote<Vec<Booking>>,
    at: usize,
    refused: Option<String>,
    pub(super) flight: Option<Ticket>,
}

impl Series {
    /// Of this repeat; nothing is asked yet.
    pub(super) fn new(series: SeriesId) -> Self {
        Self {
            id: series,
            dates: Remote::default(),
            at: 0,
            refused: None,
            flight: None,
        }
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.dates.awaits(ticket) || self.flight == Some(ticket)
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        if let Some(ticket) = self.dates.want(&mut context.shared.tickets) {
            let query = ReadBookings {
                series: Some(self.id),
                ..ReadBookings::default()
            };
            context.read_with(ticket, Query::Time(TimeQuery::Bookings(query)));
        }
    }

    pub(super) fn answer(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.dates.settle(answer.and_then(TimeAnswer::bookings)) == Again::Yes {
            self.ask(context);
        }
    }

    pub(super) fn done(&mut self, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = None;
        self.ask(context);
    }

    pub(super) fn refused(&mut self, sentence: String) {
        self.flight = None;
        self.refused = Some(sentence);
    }

    fn take_out(&self) -> Next {
        let date = self.dates.value().and_then(|dates| dates.get(self.at));
        match date.filter(|date| date.state == BookingState::Active && self.flight.is_none()) {
            Some(date) => Next::Try(Box::new(TimeCommand::Cancel(date.id, Reach::This))),
            None => Next::Stay,
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key) -> Next {
        let last = self.dates.value().map_or(0, Vec::len).saturating_sub(1);
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('s' | 'q') => return Next::Close,
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.at = (self.at + 1).min(last),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::Char(' ') => return self.take_out(),
            _ => {}
        }
        Next::Stay
    }

    pub(super) fn click(&mut self, target: &Target) -> Next {
        if let Target::Row(List::Dialog, index) = target {
            self.at = *index;
        }
        Next::Stay
    }

    /// Draws it.
    pub(super) fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let dates = self.dates.value().map_or(&[][..], Vec::as_slice);
        let title = dates.first().map_or("Series".to_owned(), |date| {
            format!("{}   {} dates", clean(&date.title), dates.len())
        });
        let height = u16::try_from(dates.len() + 5)
            .unwrap_or(body.height)
            .min(body.height);
        let keys = "Space takes one out  Esc closes";
        let inner = fields::frame((&title, keys), (66, height), shared, (body, canvas));
        let room = usize::from(inner.height.saturating_sub(2));
        let first = first_in_view(self.at, dates.len(), room);
        for ((index, date), at) in dates.iter().enumerate().skip(first).take(room).zip(1..) {
            let here = index == self.at;
            let slot: Option<Slot> = date.extent();
            let when = slot.map_or(String::new(), |slot| slot.words(shared.zone));
            let lost = if date.taken.iter().any(|taken| taken.live.is_empty()) {
                "   ! displaced"
            } else {
                ""
            };
            let mark = if here { ">" } else { " " };
            let style = if here { theme.selection } else { theme.text };
            say(
                (inner, at),
                (&format!("{mark} {when}{lost}"), style),
                canvas,
            );
            canvas.hit(row(inner, at), Target::Row(List::Dialog, index));
        }
        fields::refused(inner, self.refused.as_deref(), (shared, canvas));
    }
}
