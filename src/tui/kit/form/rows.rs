//! How the rows of a form look: label, value and hint, words to choose or to tick, buttons, the note.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{fit, width};
use crate::tui::kit::canvas::{Canvas, after, cells, from_row};
use crate::tui::kit::field::Field;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::kit::theme::boxed;
use crate::tui::widgets::paragraph;
use crate::words::capital;

/// Columns of a label, with the mark of the focus before it.
const LABEL: u16 = 11;
/// Columns of a hint that is cut, at least.
const HINT_LEAST: usize = 10;
/// Columns of a value before its hint, at least.
const VALUE_LEAST: usize = 17;

impl Form {
    /// Draws a row; the words are its hint, and a button's name. Gives the columns that a button took.
    pub(crate) fn draw(
        &self,
        (row, words): (usize, &str),
        shared: &Shared,
        (area, canvas): (Rect, &mut Canvas<'_>),
    ) -> u16 {
        let here = row == self.at;
        let target = Target::Row(RowList::Form, row);
        match self.rows.get(row) {
            Some(FormRow::Text(label, field)) => {
                canvas.hit(area, target);
                let words = if here && field.has_choices() { "Left Right: others" } else { words };
                let line = TextLine { label, field, hint: &shared.keyed(words), here };
                line.draw(shared, area, canvas);
                0
            }
            Some(FormRow::Pick(label, ..) | FormRow::Ticks(label, ..)) => {
                canvas.hit(area, target);
                let value = mark_label((label, here), shared, (area, &mut *canvas));
                self.draw_words((row, words), shared, (value, canvas));
                0
            }
            Some(FormRow::Button) => {
                let theme = &shared.theme;
                let style = if here { theme.button_on } else { theme.button };
                draw_button((&capital(words), target), style, (area, canvas))
            }
            Some(FormRow::Part) | None => 0,
        }
    }

    /// Draws the words of a choice, the chosen one boxed, or those to tick and a hint, in two lines where
    /// there are so many; a click chooses or ticks one.
    fn draw_words(&self, (row, hint): (usize, &str), shared: &Shared, (mut area, canvas): (Rect, &mut Canvas<'_>)) {
        let (theme, here) = (&shared.theme, row == self.at);
        let (words, state, is_pick) = match self.rows.get(row) {
            Some(FormRow::Pick(_, words, chosen)) => (*words, *chosen, true),
            Some(FormRow::Ticks(_, words, ticked)) => (*words, *ticked, false),
            Some(FormRow::Text(..) | FormRow::Button | FormRow::Part) | None => return,
        };
        let (least, most): (usize, usize) = if is_pick { (1, 1) } else { (1, 3) };
        let wide: usize = words.iter().map(|word| width(word) + 4 + most).sum();
        let gap = cells(if wide > usize::from(area.width) + most { least } else { most });
        let hint = if here { "Space changes it" } else { hint };
        if !is_pick && wide + width(hint) <= usize::from(area.width) {
            canvas.text_right(area, hint, theme.quiet);
        }
        let lines = area;
        for (index, word) in words.iter().enumerate() {
            let (text, style) = match (is_pick, here) {
                (true, _) if index == state => (boxed(word, theme.selection), theme.selection),
                (true, _) => (format!(" {word} "), theme.text),
                (false, true) => (tick_box(state, index, word), theme.field),
                (false, false) => (tick_box(state, index, word), theme.text),
            };
            if width(&text) > area.width.into() && lines.height > 1 {
                area = from_row(lines, 1);
            }
            let width = canvas.text(area, &text, style);
            canvas.hit(Rect { width, height: 1, ..area }, Target::Word(row, index));
            area = after(area, width + gap);
        }
    }

    /// Lines of the note, or of quiet words in its place.
    pub(crate) fn note_lines(&self, (instead, shared): (&str, &Shared), columns: usize) -> Vec<String> {
        let text = self.note.as_ref().map_or_else(|| instead.to_owned(), |note| shared.keyed(note));
        paragraph(&text, columns, 3)
    }

    /// Draws the note, or quiet words in its place, in three lines at most.
    pub(crate) fn draw_note(&self, instead: &str, shared: &Shared, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let style = if self.note.is_some() { shared.theme.warning } else { shared.theme.quiet };
        let text = self.note_lines((instead, shared), area.width.into());
        for (line, text) in area.rows().zip(&text) {
            canvas.text(line, text, style);
        }
    }
}

/// Draws a button; gives the columns that it took.
pub(crate) fn draw_button(
    (words, target): (&str, Target),
    style: Style,
    (area, canvas): (Rect, &mut Canvas<'_>),
) -> u16 {
    let width = canvas.text(area, &boxed(&format!(" {words} "), style), style);
    canvas.hit(Rect { width, ..area }, target);
    width
}

/// `[x] receipt`, where the bit of the word is set.
fn tick_box(ticked: usize, index: usize, word: &str) -> String {
    let sign = if (ticked >> index) & 1 == 1 { 'x' } else { ' ' };
    format!("[{sign}] {word}")
}

/// Draws the mark of the focus and a label; gives the area of the value.
fn mark_label((label, here): (&str, bool), shared: &Shared, (area, canvas): (Rect, &mut Canvas<'_>)) -> Rect {
    let theme = &shared.theme;
    let mark = if here { ">" } else { " " };
    let style = if here { theme.strong } else { theme.text };
    canvas.text(area, &format!("{mark}{label}"), style);
    after(area, LABEL)
}

/// A labelled text field on one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLine<'a> {
    pub label: &'a str,
    pub field: &'a Field,
    /// Its meaning, or an example.
    pub hint: &'a str,
    /// True if the row has the focus.
    pub here: bool,
}

impl TextLine<'_> {
    /// Draws it, scrolled so that the caret is in view.
    pub(crate) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let right = mark_label((self.label, self.here), shared, (area, &mut *canvas));
        let room = usize::from(right.width).saturating_sub(1);
        let ground = if self.here { theme.field } else { theme.field_rest };
        let value = if self.here {
            self.field.span(shared, room)
        } else if self.field.is_empty() && ground.bg.is_none() {
            Span::styled("................", ground)
        } else {
            Span::styled(fit(&self.field.text(), room), ground)
        };
        let rest = " ".repeat(VALUE_LEAST.saturating_sub(value.width()));
        let column = value.width().max(VALUE_LEAST) + 2;
        let ground = ground.bg.map_or(theme.text, |_| ground);
        canvas.line(right, &Line::from(vec![value, Span::styled(rest, ground)]));
        let room = usize::from(right.width).saturating_sub(column);
        // a few letters of a hint would tell nothing
        if room >= width(self.hint).min(HINT_LEAST) {
            let hint = after(right, u16::try_from(column).unwrap_or(right.width));
            canvas.text(hint, &fit(self.hint, usize::from(hint.width)), theme.quiet);
        }
    }
}
