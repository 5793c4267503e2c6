//! Bars that say how much of something there is.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::tui::canvas::Canvas;
use crate::tui::widgets::Look;

/// Draws how many of `all` there are: the full end only when all are, the empty one only when none is.
pub fn fill_bar(area: Rect, (part, all): (u32, u32), look: Look<'_>, canvas: &mut Canvas<'_>) {
    let full = filled(area.width, (part, all));
    let signs = [
        (look.glyphs.fill, look.theme.bar),
        (look.glyphs.fill_rest, look.theme.bar_rest),
    ];
    bar(area, full, signs, canvas);
}

/// The same as two spans, for a bar in a line of text.
#[must_use]
pub fn fill_spans(columns: u16, (part, all): (u32, u32), look: Look<'_>) -> [Span<'static>; 2] {
    let full = usize::from(filled(columns, (part, all)));
    let signs = |sign: char, count| std::iter::repeat_n(sign, count).collect::<String>();
    [
        Span::styled(signs(look.glyphs.fill, full), look.theme.bar),
        Span::styled(
            signs(look.glyphs.fill_rest, usize::from(columns) - full),
            look.theme.bar_rest,
        ),
    ]
}

/// Draws a bar whose first columns are full.
pub(super) fn bar(
    area: Rect,
    full: u16,
    [held, gone]: [(char, Style); 2],
    canvas: &mut Canvas<'_>,
) {
    for (at, x) in (0..area.width).zip(area.x..) {
        let (sign, style) = if at < full { held } else { gone };
        if let Some(cell) = canvas.buffer.cell_mut((x, area.y)) {
            cell.set_char(sign).set_style(style);
        }
    }
}

/// How many columns of a bar are full: never all when something is missing, never none when something is there.
#[must_use]
pub fn filled(columns: u16, (part, all): (u32, u32)) -> u16 {
    let width = u64::from(columns);
    let full = match (part, all) {
        (0, _) | (_, 0) => 0,
        (part, all) if part >= all => width,
        (part, all) => {
            let rounded = (u64::from(part) * width + u64::from(all) / 2) / u64::from(all);
            rounded.max(1).min(width.saturating_sub(1))
        }
    };
    u16::try_from(full).unwrap_or(columns)
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn a_bar_is_full_only_when_all_is_and_empty_only_when_nothing_is() {
        assert_eq!(filled(10, (0, 900)), 0);
        assert_eq!(filled(10, (1, 900)), 1);
        assert_eq!(filled(10, (450, 900)), 5);
        assert_eq!(filled(10, (899, 900)), 9);
        assert_eq!(filled(10, (900, 900)), 10);
        assert_eq!(filled(10, (3, 0)), 0);
        assert_eq!(filled(0, (1, 2)), 0);
    }
}
