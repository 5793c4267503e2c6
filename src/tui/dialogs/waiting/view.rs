//! How a waiting list looks: the line above, below it who is put at its end.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, fit};
use crate::engine::reads::waitlist::{WaitReason, WaitView};
use crate::tui::dialogs::waiting::{DO, DOES, LIST, WaitingList};
use crate::tui::kit::canvas::{Canvas, after, centred, first_rows, from_row, inset, last_row, row};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::List;
use crate::tui::widgets::padded;
use crate::words;

/// Rows of the list in view.
const ROWS: u16 = 7;

impl WaitingList {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(area, 76, 11 + usize::from(ROWS));
        let count = self.rows(shared).len();
        let right = if count == 0 { String::new() } else { format!(" {count} ") };
        let title = format!("Waiting list  {}", clean(&self.title));
        let inner = canvas.dialog_with(area, &title, Line::styled(right, theme.quiet));
        self.draw_line(shared, first_rows(inner, ROWS), canvas);
        let form = from_row(inner, ROWS);
        canvas.text(row(form, 0), &shared.rule(inner.width), theme.border);
        self.draw_form(shared, form, canvas);
    }

    fn draw_line(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        if self.rows(shared).is_empty() {
            let words = shared.in_place_of(&self.question()).unwrap_or_else(|| {
                "Nobody waits. What comes free is held for the first in line whom it fits.".to_owned()
            });
            canvas.text(row(area, 0), &format!(" {words}"), theme.quiet);
            return;
        }
        let rows = self.rows(shared).iter().enumerate();
        let mut view = self.cursor.view(List::Dialog, area, self.ids(shared));
        view.cursor = view.cursor.filter(|_| self.form.at() == LIST);
        view.draw(canvas, rows, |row| wait_line(shared, row, area.width));
    }

    fn draw_form(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let categories = format!("any, or {}", self.categories.join(", "));
        let categories = fit(&clean(&categories), 40);
        let area = inset(area);
        let hints = ["needed", "phone, mail: to tell them", "together", &categories];
        for (line, hint) in (1..).zip(hints) {
            let (at, field) = ((row(area, line), &mut *canvas), usize::from(line) - 1);
            let hint = self.form.hint(field, (DOES, hint), self.is_ready(shared));
            self.form.draw((field, &hint), shared, at);
        }
        let at = (after(row(area, 5), 1), &mut *canvas);
        self.form.draw((DO, DOES), shared, at);
        let below = (from_row(area, 6), &mut *canvas);
        self.form.draw_note("", shared, below);
        if self.form.asked.is_some() {
            canvas.text(last_row(area), " ...  the house is asked", theme.key);
        }
    }
}

/// Line of an entry: place, name, seats, and state.
fn wait_line(shared: &Shared, view: &WaitView, columns: u16) -> Line<'static> {
    let theme = &shared.theme;
    let offered = matches!(view.why, WaitReason::Offered { .. });
    let place = view.place.map_or_else(String::new, |place| place.to_string());
    let seats = words::count(usize::try_from(view.waiting.seats).unwrap_or(usize::MAX), "seat");
    let who = padded(&view.customer.name, 18);
    let why = words::waits(view, shared.here());
    let room = usize::from(columns).saturating_sub(2 + 4 + 19 + 9);
    Line::from(vec![
        Span::raw("  "),
        Span::styled(padded(&place, 4), theme.quiet),
        Span::styled(format!("{who} "), theme.strong),
        Span::styled(padded(&seats, 9), theme.text),
        Span::styled(padded(&why, room), if offered { theme.warning } else { theme.text }),
    ])
}
