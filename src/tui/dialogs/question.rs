//! A question with a few answers. Enter is the marked one, which is the safe one; Esc always is.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::canvas::{Canvas, cells, centred, from_row, inset};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::go::Go;
use crate::tui::input::Key;
use crate::tui::question::QuestionDialog;
use crate::tui::screens::Click;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::widgets::paragraph;

/// Maximum width of a question, in columns.
const COLUMNS: u16 = 66;
/// Most lines of a sentence.
const LINES_MAX: usize = 4;

impl QuestionDialog {
    /// The answer with this number.
    fn answered(&self, index: usize) -> Flow {
        let choice = self.choices.get(index);
        choice.map_or(Flow::Stay, |choice| {
            Flow::Go(Go::Answered(Box::new(choice.then.clone())))
        })
    }
}

impl Dialog for QuestionDialog {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    fn key(&mut self, key: Key, _context: &mut Context<'_>) -> Flow {
        let count = self.choices.len().max(1);
        let step = match key.code {
            KeyCode::Enter => return self.answered(self.selected),
            KeyCode::Esc => return self.answered(0),
            KeyCode::Right => Some(1),
            KeyCode::Left => Some(-1),
            _ => key.step(),
        };
        if let Some(step) = step {
            let on = if step > 0 { 1 } else { count - 1 };
            self.selected = (self.selected + on) % count;
            return Flow::Stay;
        }
        let letter = key.text();
        let chosen = self
            .choices
            .iter()
            .position(|choice| Some(choice.letter) == letter);
        chosen.map_or(Flow::Stay, |index| self.answered(index))
    }

    fn click(&mut self, target: &Target, _click: Click, _context: &mut Context<'_>) -> Flow {
        if let Target::Choice(index) = *target {
            return self.answered(index);
        }
        Flow::Stay
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let columns = usize::from(COLUMNS.min(area.width).saturating_sub(4));
        let lines = self.text.iter();
        let lines: Vec<String> = lines
            .flat_map(|text| paragraph(text, columns, LINES_MAX))
            .collect();
        let area = centred(area, COLUMNS, lines.len() + self.choices.len() + 4);
        let inner = inset(canvas.dialog(area, &self.title, ""));
        let choices = from_row(inner, cells(lines.len() + 2));
        let lines = lines.into_iter();
        let lines = lines.map(|text| Line::styled(text, theme.text));
        canvas.lines(from_row(inner, 1), lines);
        for ((index, choice), cells) in self.choices.iter().enumerate().zip(choices.rows()) {
            let selected = index == self.selected;
            let mark = if selected { "> " } else { "  " };
            let style = if selected {
                theme.selection
            } else {
                theme.text
            };
            let line = Line::from(vec![
                Span::styled(mark, theme.strong),
                Span::styled(format!(" {} ", choice.letter), theme.key),
                Span::styled(choice.words.clone(), style),
            ]);
            canvas.line(cells, &line);
            canvas.hit(cells, Target::Choice(index));
        }
    }
}
