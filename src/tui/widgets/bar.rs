//! Bars that show a part of a whole.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::theme::Glyphs;
use crate::tui::widgets::Look;

/// Percentage from which a bar counts as high.
const HIGH: u64 = 75;
const FULL: u64 = 95;

/// Parts of a cell from below, in eighths.
const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN_STEPS: [char; 9] = [' ', '_', '_', '.', '.', ':', ':', '#', '#'];
/// Parts of a cell from the left, in eighths.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Draws a bar for a part of `all`: completely full only when all are there, completely empty only when none is.
pub fn fill_bar(area: Rect, part: (u32, u32), canvas: &mut Canvas<'_>) {
    let spans = fill_spans(area.width, part, canvas.look).to_vec();
    canvas.line(area, &Line::from(spans));
}

/// [`fill_bar`] as spans, for a bar in a line of text; the colour tells how full it is.
#[must_use]
pub fn fill_spans(columns: u16, (part, all): (u32, u32), look: Look<'_>) -> [Span<'static>; 3] {
    let theme = look.theme;
    let share = u64::from(part) * 100 / u64::from(all.max(1));
    let style = match share {
        FULL.. => theme.bar_full,
        HIGH.. => theme.bar_high,
        _ => theme.bar,
    };
    let signs = |sign: char, count| std::iter::repeat_n(sign, count).collect::<String>();
    let width = usize::from(columns);
    if look.glyphs.is_plain || style.bg.is_none() {
        let full = usize::from(filled(columns, (part, all)));
        return [
            Span::styled(signs(look.glyphs.fill, full), style),
            Span::raw(""),
            Span::styled(signs(look.glyphs.fill_rest, width - full), theme.bar_rest),
        ];
    }
    let eighths = usize::from(filled(columns.saturating_mul(8), (part, all)));
    let (full, rest) = (eighths / 8, eighths % 8);
    let part = rest.checked_sub(1).and_then(|at| EIGHTHS.get(at));
    let part: String = part.into_iter().collect();
    let empty = width - full - usize::from(rest > 0);
    [Span::styled(signs('█', full), style), Span::styled(part, style), Span::styled(signs(' ', empty), style)]
}

/// Lines of a curve of values from top to bottom, each value `columns` wide; the highest value fills all lines, and
/// any value above zero shows.
#[must_use]
pub fn curve(values: &[u32], (columns, lines): (usize, u16), glyphs: &Glyphs) -> Vec<String> {
    let most = u64::from(values.iter().copied().max().unwrap_or(0).max(1));
    let steps = if glyphs.is_plain { PLAIN_STEPS } else { STEPS };
    let all = u64::from(lines) * 8;
    let height = |value: u32| (u64::from(value) * all).div_ceil(most);
    let cell = |value: u32, below: u64| {
        let filled = height(value).saturating_sub(below).min(8);
        usize::try_from(filled).ok().and_then(|filled| steps.get(filled)).copied().unwrap_or(' ')
    };
    (0..u64::from(lines))
        .rev()
        .map(|line| {
            let signs = values.iter().map(|value| cell(*value, line * 8));
            signs.flat_map(|sign| std::iter::repeat_n(sign, columns)).collect()
        })
        .collect()
}

/// Draws a bar with its first `full` columns filled.
pub(super) fn bar(area: Rect, full: u16, [held, gone]: [(char, Style); 2], canvas: &mut Canvas<'_>) {
    for (at, x) in (0..area.width).zip(area.x..) {
        let (sign, style) = if at < full { held } else { gone };
        if let Some(cell) = canvas.buffer.cell_mut((x, area.y)) {
            cell.set_char(sign).set_style(style);
        }
    }
}

/// Number of filled columns: never all when something is missing, never zero when something is there.
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
