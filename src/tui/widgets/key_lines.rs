//! Keys with their labels, one below the other.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text;
use crate::tui::kit::canvas::{Canvas, row};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::paragraph;

/// Areas with fewer columns have one blank after a key.
const NARROW: u16 = 20;

/// Draws keys with their labels, one a line, as many as fit; long labels wrap. A click on a line presses its key.
pub fn key_lines(area: Rect, keys: &[(String, String)], canvas: &mut Canvas<'_>) {
    let theme = canvas.look.theme;
    let longest = keys.iter().map(|(key, _)| text::width(key)).max();
    let gap = if area.width < NARROW { 1 } else { 2 };
    let column = longest.unwrap_or(1) + gap;
    let mut at = 0;
    for (of_line, words) in keys {
        let columns = usize::from(area.width).saturating_sub(column);
        for (part, words) in paragraph(words, columns, 2).iter().enumerate() {
            let key = if part == 0 { of_line.as_str() } else { "" };
            let line = Line::from(vec![
                Span::styled(format!("{key:<column$}"), theme.key),
                Span::styled(words.clone(), theme.hint),
            ]);
            canvas.line(row(area, at), &line);
            if let Ok(key) = of_line.parse() {
                canvas.hit(row(area, at), Target::Key(key));
            }
            at += 1;
        }
    }
}
