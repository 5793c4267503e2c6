//! List of rows with a selection bar; a row may have several lines, and the selected one is always in view.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::tui::canvas::{Canvas, row};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::{Look, first_in_view};

/// Marks a line that belongs to no row; the mouse does not hit it.
pub const HEADING: usize = usize::MAX;

/// A list with its selection.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    /// Lines, each with the index of its row, or [`HEADING`].
    pub lines: Vec<(usize, Line<'a>)>,
    /// Index of the selected row.
    pub cursor: Option<usize>,
    /// Keyboard focus; with the focus the selected row has a bar.
    pub keys: Keys,
    /// List that the mouse targets name.
    pub list: List,
}

/// Panel with the keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// List with the focus.
    Here,
    /// Another panel.
    Elsewhere,
}

impl Table<'_> {
    /// Draws the lines that fit; a scroll bar at the right edge shows that there are more.
    pub fn draw(&self, area: Rect, look: Look<'_>, canvas: &mut Canvas<'_>) {
        let room = usize::from(area.height);
        let of_cursor = |(index, _): &(usize, Line<'_>)| Some(*index) == self.cursor;
        let current = self.lines.iter().rposition(of_cursor).unwrap_or(0);
        let first = first_in_view(current, self.lines.len(), room);
        let shown = self.lines.iter().skip(first).zip(0..area.height);
        for ((index, line), y) in shown {
            let area = row(area, y);
            canvas.line(area, line);
            if *index != HEADING {
                canvas.hit(area, Target::Row(self.list, *index));
            }
            if self.cursor == Some(*index) && self.keys == Keys::Here {
                canvas.select(area);
            }
        }
        if self.lines.len() > room {
            scroll_bar(area, (first, self.lines.len()), look, canvas);
        }
    }
}

fn scroll_bar(area: Rect, (first, count): (usize, usize), look: Look<'_>, canvas: &mut Canvas<'_>) {
    let room = usize::from(area.height).max(1);
    let [track, thumb] = look.glyphs.scroll;
    for (y, at) in (area.y..area.bottom()).zip(0..) {
        let held = (first..first + room).contains(&(at * count / room));
        if let Some(cell) = canvas.buffer.cell_mut((area.right().saturating_sub(1), y)) {
            cell.set_char(if held { thumb } else { track })
                .set_style(look.theme.border);
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::text::{Line, Span};

    use super::{Keys, Table};
    use crate::tui::targets::{List, Target};
    use crate::tui::theme::GlyphSet;
    use crate::tui::widgets::testing::drawn;

    fn table(cursor: usize) -> Table<'static> {
        Table {
            lines: (0..20)
                .map(|at| (at, Line::from(format!("row {at}"))))
                .collect(),
            cursor: Some(cursor),
            keys: Keys::Here,
            list: List::Receipts,
        }
    }

    #[test]
    fn the_selected_row_is_in_view_and_the_mouse_hits_rows() {
        for cursor in 0..20 {
            let (shown, targets) = drawn((12, 5), GlyphSet::Unicode, |look, area, canvas| {
                table(cursor).draw(area, look, canvas);
            });
            let wanted = format!("row {cursor} ");
            assert!(
                shown.iter().any(|line| line.starts_with(&wanted)),
                "{cursor} {shown:#?}"
            );
            assert!(targets.find(&Target::Row(List::Receipts, cursor)).is_some());
        }
    }

    #[test]
    fn a_list_that_fits_has_no_scroll_bar() {
        let (shown, _) = drawn((12, 20), GlyphSet::Unicode, |look, area, canvas| {
            table(3).draw(area, look, canvas);
        });
        assert_eq!(shown[3], "row 3");
        assert_eq!(shown[19], "row 19");
    }

    /// The bar of the selected row lost the colour that tells how full it is.
    #[test]
    fn the_bar_of_the_selected_row_keeps_its_colours() {
        drawn((12, 1), GlyphSet::Unicode, |look, area, canvas| {
            let bar = look.theme.bar_high;
            let line = Line::from(vec![Span::raw("row "), Span::styled("██", bar)]);
            let table = Table {
                lines: vec![(0, line)],
                ..table(0)
            };
            table.draw(area, look, canvas);
            let colours = |x| {
                let cell = &canvas.buffer[(x, 0)];
                (Some(cell.fg), Some(cell.bg))
            };
            let selection = look.theme.selection;
            assert_eq!(colours(4), (bar.fg, bar.bg));
            assert_eq!(colours(0), (selection.fg, selection.bg));
        });
    }
}
