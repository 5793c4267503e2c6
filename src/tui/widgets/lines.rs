//! Words laid out over lines: phrases in a row, keys one below the other, the change to give.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{fit, width};
use crate::tui::kit::canvas::{Canvas, first_rows, inset, row};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::paragraph;

/// Blanks between two phrases.
const GAP: usize = 3;

/// Draws phrases of cleaned text and returns the number of lines used; phrases that do not fit at all are left out.
pub fn flow(area: Rect, phrases: &[(String, Style)], canvas: &mut Canvas<'_>) -> u16 {
    let columns = usize::from(area.width);
    let mut line = Line::default();
    let mut at = 0;
    for (phrase, style) in phrases.iter().filter(|(phrase, _)| !phrase.is_empty()) {
        let used = line.width();
        if used > 0 && used + GAP + width(phrase) > columns {
            canvas.line(row(area, at), &line);
            line = Line::default();
            at += 1;
        }
        if line.width() > 0 {
            line.push_span(Span::raw(" ".repeat(GAP)));
        }
        line.push_span(Span::styled(fit(phrase, columns), *style));
    }
    if line.width() == 0 {
        return at;
    }
    canvas.line(row(area, at), &line);
    at + 1
}

/// Areas with fewer columns have one blank after a key.
const NARROW: u16 = 20;

/// Draws keys with their labels, one a line, as many as fit; long labels wrap. A click on a line presses its key.
pub fn key_lines(area: Rect, keys: &[(String, String)], canvas: &mut Canvas<'_>) {
    let theme = canvas.look.theme;
    let longest = keys.iter().map(|(key, _)| width(key)).max();
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

/// Lines of the change where there is room.
pub const CHANGE_LINES: u16 = 3;

/// Draws the change on a bright ground of its own, in one line where there are too few; returns the number of lines.
pub fn draw_change(amount: &str, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let style = canvas.look.theme.button_on;
    let height = if area.height < CHANGE_LINES { 1 } else { CHANGE_LINES };
    let area = first_rows(area, height);
    canvas.style(area, style);
    let middle = inset(row(area, height / 2));
    canvas.text(middle, "CHANGE", style);
    canvas.text_right(middle, amount, style);
    height
}

#[cfg(test)]
mod tests {
    use super::flow;
    use crate::tui::kit::theme::GlyphSet;
    use crate::tui::widgets::testing::drawn;

    #[test]
    fn phrases_go_on_below_before_one_is_cut() {
        let phrases = ["F9  free", "Adult 54.00", "", "2 seats to the aisle", "clear view"];
        let shown = |size| {
            drawn(size, GlyphSet::Unicode, |look, area, canvas| {
                let phrases = phrases.map(|text| (text.to_owned(), look.theme.text));
                flow(area, &phrases, canvas);
            })
            .0
        };
        assert_eq!(shown((60, 2)), ["F9  free   Adult 54.00   2 seats to the aisle   clear view", ""]);
        assert_eq!(shown((48, 2)), ["F9  free   Adult 54.00   2 seats to the aisle", "clear view"]);
        assert_eq!(shown((9, 2)), ["F9  free", "Adult 54…"]);
    }
}
