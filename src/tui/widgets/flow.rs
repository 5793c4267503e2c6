//! Phrases in a row, wrapped over the available lines; a phrase is cut only when no line is left.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{fit, width};
use crate::tui::kit::canvas::{Canvas, row};

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
