//! Change to give for cash: the brightest words on the screen.

use ratatui::layout::Rect;

use crate::tui::kit::canvas::{Canvas, first_rows, inset, row};

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
