//! Drawing surface of a screen: the cells of a frame, and the hit target of each.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::targets::{Target, Targets};
use crate::tui::theme::Theme;

/// Maximum height of a prompt at the foot of the screen, which is drawn without a shadow.
const LINES_WITHOUT_SHADOW: u16 = 2;

/// Frame being drawn.
pub struct Canvas<'a> {
    /// Cells of the frame.
    pub buffer: &'a mut Buffer,
    /// Hit targets of the cells.
    pub targets: &'a mut Targets,
    /// Theme, for the backgrounds of screen and dialogs.
    pub theme: &'a Theme,
}

/// Frame of a panel.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// Title at the top left.
    pub title: Line<'a>,
    /// Text at the top right.
    pub right: Line<'a>,
    /// Border characters.
    pub set: border::Set<'static>,
    /// Border style.
    pub style: Style,
}

impl Canvas<'_> {
    /// Writes a text, cut by display width at `width` columns and at the frame's edge. Returns the columns used.
    pub fn text(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let area = area.intersection(self.buffer.area);
        if area.is_empty() {
            return 0;
        }
        let (end, _) =
            self.buffer
                .set_stringn(area.x, area.y, text, usize::from(area.width), style);
        end - area.x
    }

    /// Writes a text right-aligned in a one-line area; cut on the right when too long.
    pub fn text_right(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let width = u16::try_from(text.width())
            .unwrap_or(u16::MAX)
            .min(area.width);
        let from = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        self.text(from, text, style)
    }

    /// Draws a line of styled spans.
    pub fn line(&mut self, area: Rect, line: &Line<'_>) {
        line.render(area.intersection(self.buffer.area), self.buffer);
    }

    /// Draws a frame; returns the area inside.
    pub fn panel(&mut self, area: Rect, frame: Frame<'_>) -> Rect {
        let block = Block::bordered()
            .border_set(frame.set)
            .border_style(frame.style)
            .title(frame.title.left_aligned())
            .title(frame.right.right_aligned());
        let inner = block.inner(area);
        block.render(area.intersection(self.buffer.area), self.buffer);
        inner
    }

    /// Covers an area and draws the frame of a dialog with a title at each side; returns the area inside.
    pub fn dialog<'t>(
        &mut self,
        area: Rect,
        set: border::Set<'static>,
        (title, right): (impl Into<Cow<'t, str>>, Line<'_>),
    ) -> Rect {
        self.cover(area);
        let frame = Frame {
            title: Line::styled(title, self.theme.title),
            right,
            set,
            style: self.theme.focus,
        };
        self.panel(area, frame)
    }

    /// Writes right-aligned on the lower edge of a panel.
    pub fn edge(&mut self, area: Rect, text: &Line<'_>) {
        let columns = u16::try_from(text.width()).unwrap_or(u16::MAX);
        let at = Rect {
            x: (area.right().saturating_sub(1)).saturating_sub(columns),
            y: area.bottom().saturating_sub(1),
            width: columns,
            height: 1,
        };
        self.line(at.intersection(area), text);
    }

    /// Clears an area for a dialog, with the dialogs' background and a shadow; the cells below are neither seen nor
    /// hit.
    pub fn cover(&mut self, area: Rect) {
        self.empty(area, self.theme.raised);
        if area.height > LINES_WITHOUT_SHADOW && self.theme.shadow.bg.is_some() {
            let beside = Rect::new(area.right(), area.y + 1, 1, area.height);
            let below = Rect::new(area.x + 1, area.bottom(), area.width, 1);
            self.style(beside, self.theme.shadow);
            self.style(below, self.theme.shadow);
        }
    }

    /// Clears an area of the screen.
    pub fn blank(&mut self, area: Rect) {
        self.empty(area, self.theme.ground);
    }

    fn empty(&mut self, area: Rect, ground: Style) {
        Clear.render(area.intersection(self.buffer.area), self.buffer);
        self.style(area, ground);
        self.targets.clear(area);
    }

    /// Applies a style to drawn cells.
    pub fn style(&mut self, area: Rect, style: Style) {
        self.buffer
            .set_style(area.intersection(self.buffer.area), style);
    }

    /// Applies the selection to a row; the cells of a fill bar keep their colours, which tell how full it is.
    pub fn select(&mut self, area: Rect) {
        let theme = self.theme;
        let bars = [theme.bar, theme.bar_high, theme.bar_full];
        for position in area.intersection(self.buffer.area).positions() {
            let Some(cell) = self.buffer.cell_mut(position) else {
                continue;
            };
            let of_bar = |bar: &Style| bar.bg == Some(cell.bg) && bar.fg == Some(cell.fg);
            if !bars.iter().any(of_bar) {
                cell.set_style(theme.selection);
            }
        }
    }

    /// Sets the hit target of an area.
    pub fn hit(&mut self, area: Rect, target: Target) {
        self.targets.put(area, target);
    }
}

/// One-line area at a row of an area; empty below its last row.
#[must_use]
pub fn row(area: Rect, index: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(index),
        height: u16::from(index < area.height),
        ..area
    }
}

/// The area without a column of air at its left and right.
#[must_use]
pub fn inset(area: Rect) -> Rect {
    area.inner(Margin::new(1, 0))
}

/// The rows of an area from one on.
#[must_use]
pub fn from_row(area: Rect, index: u16) -> Rect {
    let index = index.min(area.height);
    Rect {
        y: area.y + index,
        height: area.height - index,
        ..area
    }
}

/// Rest of a one-line area after its first columns.
#[must_use]
pub fn after(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

/// Centre of an area, at most this large.
#[must_use]
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// One-cell area at a position.
#[must_use]
pub fn cell(at: Position) -> Rect {
    Rect {
        x: at.x,
        y: at.y,
        width: 1,
        height: 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::Canvas;
    use crate::domain::text::{clean, width};
    use crate::tui::targets::Targets;
    use crate::tui::theme::Theme;

    /// Display width of a text as drawn, in columns.
    fn drawn(text: &str) -> usize {
        let area = Rect::new(0, 0, 600, 1);
        let (buffer, targets) = (&mut Buffer::empty(area), &mut Targets::new(area));
        let theme = &Theme::default();
        let mut canvas = Canvas {
            buffer,
            targets,
            theme,
        };
        usize::from(canvas.text(area, text, Style::new()))
    }

    #[test]
    fn signs_that_terminals_join_or_colour_are_as_wide_as_counted() {
        for text in [
            "👨\u{200d}👩\u{200d}👧 Weber",
            "👍🏽 ok",
            "🇩🇪🇩",
            "1\u{fe0f}\u{20e3}",
            "劇場の席",
            "e\u{301}\u{302}\u{303}",
            "نموذج لا",
            "हिन्दी",
            "각\u{1100}\u{1161}",
        ] {
            let cleaned = clean(text);
            assert_eq!(drawn(&cleaned), width(&cleaned), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cleaned_text_is_as_wide_as_counted(text in any::<String>()) {
            let cleaned = clean(&text);
            prop_assert_eq!(drawn(&cleaned), width(&cleaned), "{:?}", cleaned);
        }
    }
}
