//! Viewport on a map.
//!
//! The viewport follows from the cursor alone. It scrolls by half a viewport at a time, so that most cursor steps
//! redraw nothing else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthChar;

use crate::tui::kit::canvas::Canvas;
use crate::tui::widgets::first_in_view;

/// Minimum lines of an area with scroll bars; in fewer, seats need them all.
const BARS_FROM: u16 = 8;

/// A viewport on the cells of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Area on the screen.
    area: Rect,
    /// First cell of the map in view.
    first: (u16, u16),
    /// Size of the map in cells.
    size: (u16, u16),
    has_bars: bool,
}

/// Side of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl View {
    /// A viewport that contains the cursor; a map smaller than the area is centred. A direction that does not fit
    /// costs a
    /// column or a line for its scroll bar where there is room.
    pub(super) fn new(area: Rect, size: (u16, u16), cursor: Option<(u16, u16)>) -> Self {
        let mut inner = area;
        let has_bars = area.height >= BARS_FROM;
        if has_bars && size.1 > inner.height {
            inner.width = inner.width.saturating_sub(1);
        }
        if has_bars && size.0 > inner.width {
            inner.height = inner.height.saturating_sub(1);
        }
        if has_bars && size.1 > inner.height && inner.width == area.width {
            inner.width = inner.width.saturating_sub(1);
        }
        let (x, y) = cursor.unwrap_or_default();
        Self {
            area: Rect {
                x: inner.x + inner.width.saturating_sub(size.0) / 2,
                y: inner.y + inner.height.saturating_sub(size.1) / 2,
                width: inner.width.min(size.0),
                height: inner.height.min(size.1),
            },
            first: (first(x, size.0, inner.width), first(y, size.1, inner.height)),
            size,
            has_bars,
        }
    }

    /// The part of some cells of the screen that is in view.
    pub(super) fn clipped(&self, cells: Rect) -> Rect {
        cells.intersection(self.area)
    }

    /// Position of a map's cell on the screen; `None` out of view.
    pub(super) fn at(&self, column: u16, line: u16) -> Option<(u16, u16)> {
        let x = column.checked_sub(self.first.0)?;
        let y = line.checked_sub(self.first.1)?;
        (x < self.area.width && y < self.area.height).then(|| (self.area.x + x, self.area.y + y))
    }

    /// Side on which a column of the map is out of view; none in view.
    pub(super) fn side(&self, column: u16) -> Option<Side> {
        if column < self.first.0 {
            Some(Side::Left)
        } else if column >= self.first.0.saturating_add(self.area.width) {
            Some(Side::Right)
        } else {
            None
        }
    }

    /// Index of a line of the map among those in view.
    pub(super) fn line(&self, line: u16) -> Option<usize> {
        let at = line.checked_sub(self.first.1)?;
        (at < self.area.height).then_some(usize::from(at))
    }

    /// First line of the screen in view.
    pub(super) const fn top(&self) -> u16 {
        self.area.y
    }

    /// Draws a sign on a cell of the map if it is in view, and returns its position.
    pub(super) fn put(
        &self,
        buf: &mut Buffer,
        (column, line): (u16, u16),
        (sign, style): (char, Style),
    ) -> Option<(u16, u16)> {
        let at = self.at(column, line)?;
        buf.cell_mut(at)?.set_char(sign).set_style(style);
        Some(at)
    }

    /// Writes a text cell by cell, without the cells out of view.
    pub(super) fn write(&self, buf: &mut Buffer, (from, line): (u16, u16), (text, style): (&str, Style)) {
        let mut column = from;
        for letter in text.chars() {
            self.put(buf, (column, line), (letter, style));
            column = column.saturating_add(if letter.width() == Some(2) { 2 } else { 1 });
        }
    }

    /// True if a part of the map is out of view.
    pub(super) const fn is_cut(&self) -> bool {
        self.size.0 > self.area.width || self.size.1 > self.area.height
    }

    /// Draws a scroll bar for each direction that does not fit.
    pub(super) fn bars(&self, canvas: &mut Canvas<'_>) {
        let Rect { width, height, .. } = self.area;
        let [right, bottom] = [self.area.right(), self.area.bottom()];
        if self.has_bars && self.size.1 > height {
            let strip = Rect::new(right, self.area.y, 1, height);
            canvas.scroll_bar(strip, self.first.1.into(), self.size.1.into());
        }
        if self.has_bars && self.size.0 > width {
            let strip = Rect::new(self.area.x, bottom, width, 1);
            canvas.scroll_bar(strip, self.first.0.into(), self.size.0.into());
        }
    }
}

/// First cell in view along one side.
fn first(cursor: u16, size: u16, room: u16) -> u16 {
    let first = first_in_view(usize::from(cursor), usize::from(size), usize::from(room));
    u16::try_from(first).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::View;

    #[test]
    fn the_cursor_is_always_in_view() {
        for room in [1, 2, 3, 7, 20, 99] {
            for cursor in 0..120 {
                let view = View::new(Rect::new(4, 2, room, 40), (120, 30), Some((cursor, 3)));
                assert!(room == 1 || view.at(cursor, 3).is_some(), "{cursor} in {room}");
            }
        }
    }

    #[test]
    fn a_small_map_is_centred() {
        let view = View::new(Rect::new(0, 0, 20, 10), (4, 2), None);
        assert_eq!(view.at(0, 0), Some((8, 4)));
        assert_eq!(view.at(4, 0), None);
    }

    #[test]
    fn most_cursor_steps_do_not_scroll() {
        let firsts: Vec<u16> =
            (0..100).map(|cursor| View::new(Rect::new(0, 0, 41, 9), (100, 3), Some((cursor, 0))).first.0).collect();
        assert_eq!(firsts.windows(2).filter(|pair| pair[0] != pair[1]).count(), 4);
    }
}
