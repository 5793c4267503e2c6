//! A field of a dialog on a line of its own: its label, what is typed, and what it means.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text::{fit, width};
use crate::tui::canvas::Canvas;
use crate::tui::field::Field;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;

/// A field as it is drawn.
#[derive(Clone, Debug)]
pub struct FieldLine<'a> {
    /// What it asks for.
    pub label: &'a str,
    /// What is typed.
    pub field: &'a Field,
    /// What it means, or whether it is needed.
    pub hint: &'a str,
    /// Whether it has the keys.
    pub on: bool,
    /// The target of a click.
    pub target: Target,
}

impl FieldLine<'_> {
    /// Draws it.
    pub fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let (theme, text) = (&shared.theme, self.field.text());
        let room = usize::from(area.width).saturating_sub(11 + width(self.hint) + 1);
        let shown = match (self.on, text.is_empty()) {
            (true, _) => self.field.with_caret(shared.glyphs.caret, room),
            (false, true) => fit("................", room),
            (false, false) => fit(&text, room),
        };
        let style = if self.on { theme.field } else { theme.quiet };
        let spans = vec![
            Span::styled(if self.on { " >" } else { "  " }, theme.strong),
            Span::raw(format!("{:<8} ", self.label)),
            Span::styled(shown, style),
        ];
        canvas.line(area, &Line::from(spans));
        canvas.text_right(area, self.hint, theme.quiet);
        canvas.hit(area, self.target.clone());
    }
}
