//! A refusal below the map: its reason and the keys that lead on.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text;
use crate::tui::kit::canvas::{Canvas, cells, from_row};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::paragraph;

/// A refusal, shown until it is closed or seats are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalBox {
    /// Reason, in a sentence.
    pub sentence: String,
    /// Ways on: keys with their labels, best first.
    pub ways: Vec<(String, String)>,
}

impl RefusalBox {
    /// Draws the box; a long sentence never pushes out the keys.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let (look, ways) = (canvas.look, cells(self.ways.len()));
        let room = area.height.saturating_sub(ways).max(1).min(area.height);
        let columns = usize::from(area.width.saturating_sub(2));
        let room = usize::from(room);
        let lines = paragraph(&self.sentence_within(columns, room), columns, room);
        let below = from_row(area, cells(lines.len()));
        let signs = std::iter::once(look.glyphs.cross).chain(std::iter::repeat(' '));
        let line = |(sign, line)| {
            Line::from(vec![Span::styled(format!("{sign} "), look.theme.danger), Span::styled(line, look.theme.strong)])
        };
        canvas.lines(area, signs.zip(lines).map(line));
        for ((key, words), cells) in self.ways.iter().zip(below.rows()) {
            let line = Line::from(vec![
                Span::styled(format!("  {key}  "), look.theme.key),
                Span::styled(text::fit(&text::clean(words), columns.saturating_sub(key.len() + 2)), look.theme.text),
            ]);
            canvas.line(cells, &line);
            if let Ok(key) = key.parse() {
                canvas.hit(cells, Target::Key(key));
            }
        }
    }

    /// The sentence, without its last parts where they do not fit; only whole parts are kept.
    fn sentence_within(&self, columns: usize, lines: usize) -> String {
        let whole = text::clean(&self.sentence);
        match whole.trim_end_matches('.').rsplit_once(". ") {
            Some((first, _)) if paragraph(&whole, columns, lines + 1).len() > lines => {
                format!("{first}.")
            }
            _ => whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RefusalBox;
    use crate::tui::kit::theme::GlyphSet;
    use crate::tui::widgets::testing::drawn;

    #[test]
    fn a_refusal_keeps_its_keys_in_view() {
        let refusal = RefusalBox {
            sentence: "F10 is gone: till-1 holds it until 19:50. Nothing was taken.".into(),
            ways: vec![
                ("a".into(), "take G8-G11 instead, 54.00 each".into()),
                ("b".into(), "other fours: E13-E16, J10-J13".into()),
            ],
        };
        let shown = |size| {
            drawn(size, GlyphSet::Unicode, |_, area, canvas| {
                refusal.draw(area, canvas);
            })
            .0
        };
        assert_eq!(
            shown((62, 3)),
            [
                "✗ F10 is gone: till-1 holds it until 19:50. Nothing was taken.",
                "  a  take G8-G11 instead, 54.00 each",
                "  b  other fours: E13-E16, J10-J13",
            ]
        );
        assert_eq!(
            shown((36, 4)),
            [
                "✗ F10 is gone: till-1 holds it until",
                "  19:50. Nothing was taken.",
                "  a  take G8-G11 instead, 54.00 each",
                "  b  other fours: E13-E16, J10-J13",
            ]
        );
        assert_eq!(shown((60, 3))[0], "✗ F10 is gone: till-1 holds it until 19:50.");
        assert_eq!(shown((37, 3))[0], "✗ F10 is gone: till-1 holds it until…");
    }
}
