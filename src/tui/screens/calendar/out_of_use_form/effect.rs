//! View of the out-of-use dialog.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::calendar::Period;
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::tui::kit::canvas::{Canvas, after, cells, from_row, row};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::fields;
use crate::tui::screens::calendar::out_of_use_form::{COUNT, DO, KIND, OutOfUseForm, REASON, UNTIL};
use crate::tui::screens::calendar::phrases::taken_words;
use crate::words;

/// Height of the dialog without the list of displaced bookings: frame, fields, summary, button and blank lines.
const LINES: u16 = 13;

impl OutOfUseForm {
    pub(super) fn draw(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let hits = self.hits(shared);
        let hidden = |list: u16| hits.len().saturating_sub(usize::from(list));
        // the list of displaced bookings has the lines that the rest leaves, one for those that don't fit
        let counted = u16::from(self.counted().is_some());
        let most = body.height.saturating_sub(LINES + counted + 1).clamp(1, 8);
        let list = cells(hits.len()).min(most);
        let more = u16::from(hidden(list) > 0);
        let names: Vec<String> = self.resources.iter().map(|one| clean(&one.name)).collect();
        let title = format!("Out of use   {}", words::list(&names));
        let size = (74, usize::from(LINES + counted + list + more));
        let inner = fields::frame((&title, KeyPlace::Form), size, shared, (body, canvas));
        self.fields(inner, shared, canvas);
        canvas.text(row(inner, 6 + counted), &shared.rule(inner.width), theme.border);
        let says = self.says(&hits, shared, inner.width);
        let below = 7 + counted + cells(says.len());
        canvas.lines(from_row(inner, 7 + counted), says);
        for (at, (one, period)) in (below..).zip(hits.iter().take(usize::from(list))) {
            let words = format!("   {}: {}", clean(&one.name), taken_words(period, one, shared.now));
            canvas.text(row(inner, at), &words, theme.text);
        }
        if more > 0 {
            let words = format!("   and {} more", hidden(list));
            canvas.text(row(inner, below + list), &words, theme.quiet);
        }
        let place = (row(inner, inner.height.saturating_sub(2)), canvas);
        self.form.draw((DO, &self.button(shared)), shared, place);
    }

    /// Words of the button.
    pub(super) fn button(&self, shared: &Shared) -> String {
        let takes = self.count().ok().flatten().map_or("it".to_owned(), |count| count.to_string());
        match (self.form.asked.is_some(), self.hits(shared).len(), self.takes_over()) {
            (true, _, _) => "the house is asked".to_owned(),
            (_, 0, _) => format!("take {takes} out of use"),
            (_, _, true) if self.counted().is_some() => format!("displace the newest and take {takes} out of use"),
            (_, count, true) => format!("displace {count} and take it out of use"),
            (_, _, false) => "try all the same".to_owned(),
        }
    }

    fn fields(&self, inner: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        self.form.draw((KIND, ""), shared, (row(inner, 1), &mut *canvas));
        let hint = after(row(inner, 2), 11);
        canvas.text(hint, self.hint(), shared.theme.quiet);
        let words = (&*self.button(shared), "leak, lamp, inspection ...");
        let reason = self.form.hint(REASON, words, self.is_ready(shared));
        let at = (row(inner, 3), &mut *canvas);
        self.form.draw((REASON, &reason), shared, at);
        let from = words::day_time(self.slot.from(), shared.here().in_zone(self.clock.zone));
        canvas.text(row(inner, 4), &format!(" From      {from}"), shared.theme.text);
        if self.has_end() {
            let until = (UNTIL, "empty: until further notice");
            self.form.draw(until, shared, (row(inner, 5), &mut *canvas));
        } else {
            let mark = if self.form.at() == UNTIL { ">" } else { " " };
            let words = "Until     further notice; <out-of-use> on it puts it back";
            let words = format!("{mark}{}", shared.keyed(words));
            canvas.text(row(inner, 5), &words, shared.theme.text);
        }
        if let Some(count) = self.counted() {
            let hint = format!("of {count}, all of them if empty");
            self.form.draw((COUNT, &hint), shared, (row(inner, 6), canvas));
        }
    }

    /// Lines of the effect.
    fn says(&self, hits: &[(&Resource, &Period)], shared: &Shared, columns: u16) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        let problem = self.problem().map(|(_, problem)| problem).or_else(|| self.form.note.clone());
        if let Some(problem) = problem {
            return fields::problem(&problem, shared, columns);
        }
        let words = match (self.verdicts(shared), hits.len(), self.takes_over()) {
            (None, _, _) => "  ...".to_owned(),
            (_, 0, _) => format!("{} nothing booked", shared.glyphs.tick),
            (_, _, true) if self.counted().is_some() => {
                "! the newest bookings lose theirs, and wait on the worklist until dealt with".to_owned()
            }
            (_, 1, true) => "! displaces 1: it waits on the worklist until it is dealt with".to_owned(),
            (_, count, true) => {
                format!("! displaces {count}: they wait on the worklist until they are dealt with")
            }
            (_, _, false) if self.counted().is_some() => {
                format!("{} too few are free; disable displaces the newest bookings", shared.glyphs.cross)
            }
            (_, 1, false) => format!("{} 1 booking in the way; disable displaces it", shared.glyphs.cross),
            (_, count, false) => format!("{} {count} bookings in the way; disable displaces them", shared.glyphs.cross),
        };
        let style = if hits.is_empty() { theme.done } else { theme.warning };
        vec![Line::styled(words, style)]
    }
}
