//! Panel beside the timeline: the booking under the cursor, what it costs, its next dates, and what can be done.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::ids::BookingId;
use crate::domain::owner::{Owner, Use};
use crate::domain::text::clean;
use crate::engine::reads::bookings::{BookingView, ReadBooking, ReadSeries};
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::{Canvas, after, cells, from_row, row};
use crate::tui::kit::hints::hints;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::booking::facts;
use crate::tui::screens::calendar::geometry::{inside, parts};
use crate::tui::widgets::paragraph;

/// Columns of a label.
const LABEL: usize = 12;
/// Most lines of a fact.
const LINES: usize = 3;
/// Most dates of a series.
const DATES: usize = 5;

impl Calendar {
    /// Booking that the panel tells of; none where there is no panel.
    fn told(&self, shared: &Shared) -> Option<BookingId> {
        let period = self.bar(shared).filter(|_| !parts(shared, inside(shared)).side.is_empty())?;
        let Some(Owner::Booking(used, id)) = &period.owner else {
            return None;
        };
        (*used != Use::Performance).then_some(*id)
    }

    fn told_view<'s>(&self, shared: &'s Shared) -> Option<&'s BookingView> {
        shared.reads.get(&ReadBooking(self.told(shared)?)).map(|view| &**view)
    }

    pub(super) fn side_needs(&self, shared: &Shared, needs: &mut Needs) {
        needs_typed(self.told(shared).map(ReadBooking), needs);
        let series = self.told_view(shared).and_then(|view| view.booking.series);
        needs_typed(series.map(ReadSeries), needs);
    }

    /// Draws the panel, where there is room for it.
    pub(super) fn side(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if area.is_empty() {
            return;
        }
        let theme = &shared.theme;
        let line = shared.glyphs.side.to_string();
        for cell in area.rows() {
            canvas.text(cell, &line, theme.border);
        }
        let inner = after(area, 2);
        let (head, phrases, offers) = self.said(shared);
        canvas.text(row(inner, 0), head, theme.title);
        let mut told: Vec<(String, String, Style)> = Vec::new();
        if let Some(view) = self.told_view(shared) {
            told.push((String::new(), clean(view.title()), theme.strong));
            let facts = facts(view, shared.now).into_iter();
            told.extend(facts.map(|(label, words)| (label.to_owned(), words, theme.text)));
            told.extend(next_dates(view, shared).map(|words| ("next".to_owned(), words, theme.text)));
        } else {
            told.extend(phrases.into_iter().map(|(words, style)| (String::new(), words, style)));
        }
        let mut at = 2;
        for (label, words, style) in told {
            let indent = if label.is_empty() { 0 } else { LABEL };
            canvas.text(row(inner, at), &label, theme.quiet);
            for part in paragraph(&words, usize::from(inner.width).saturating_sub(indent + 1), LINES) {
                canvas.text(after(row(inner, at), cells(indent)), &part, style);
                at += 1;
            }
        }
        for (line, offer) in from_row(inner, at + 1).rows().zip(offers) {
            hints(shared, (KeyPlace::Calendar, &[offer]), (line, 0), canvas);
        }
    }
}

/// Dates of the series after now.
fn next_dates(view: &BookingView, shared: &Shared) -> Option<String> {
    let series = shared.reads.get(&ReadSeries(view.booking.series?))?;
    let wall = view.taken.first()?.wall;
    let mut dates: Vec<_> =
        series.bookings.iter().flat_map(|one| one.taken.iter().flat_map(|taken| &taken.live)).collect();
    dates.sort_by_key(|slot| slot.from());
    dates.retain(|slot| slot.from() > shared.now);
    let here = shared.here().in_zone(wall.zone);
    let words: Vec<String> = dates.iter().take(DATES).map(|slot| here.format(slot.from(), "%a %-d %b")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn needs_typed(question: Option<impl Into<crate::tui::data::msg::Query>>, needs: &mut Needs) {
    if let Some(question) = question {
        needs.typed(question);
    }
}
