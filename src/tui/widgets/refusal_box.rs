//! A refusal below the map: its reason and the keys that lead on.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text;
use crate::tui::canvas::{Canvas, row};
use crate::tui::targets::Target;
use crate::tui::widgets::{Look, paragraph};

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
    pub fn draw(&self, area: Rect, look: Look<'_>, canvas: &mut Canvas<'_>) {
        let ways = u16::try_from(self.ways.len()).unwrap_or(u16::MAX);
        let room = area.height.saturating_sub(ways).max(1).min(area.height);
        let columns = usize::from(area.width.saturating_sub(2));
        let room = usize::from(room);
        let lines = paragraph(&self.sentence_within(columns, room), columns, room);
        let mut at = 0;
        for line in &lines {
            let sign = if at == 0 { look.glyphs.cross } else { ' ' };
            let line = Line::from(vec![
                Span::styled(format!("{sign} "), look.theme.danger),
                Span::styled(line.clone(), look.theme.strong),
            ]);
            canvas.line(row(area, at), &line);
            at += 1;
        }
        for (key, words) in &self.ways {
            let line = Line::from(vec![
                Span::styled(format!("  {key}  "), look.theme.key),
                Span::styled(
                    text::fit(&text::clean(words), columns.saturating_sub(key.len() + 2)),
                    look.theme.text,
                ),
            ]);
            canvas.line(row(area, at), &line);
            if let Ok(key) = key.parse() {
                canvas.hit(row(area, at), Target::Key(key));
            }
            at += 1;
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
    use crate::tui::theme::GlyphSet;
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
            drawn(size, GlyphSet::Unicode, |look, area, canvas| {
                refusal.draw(area, look, canvas);
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
        assert_eq!(
            shown((60, 3))[0],
            "✗ F10 is gone: till-1 holds it until 19:50."
        );
        assert_eq!(shown((37, 3))[0], "✗ F10 is gone: till-1 holds it until…");
    }
}
