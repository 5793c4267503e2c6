//! Where a screen draws: the cells of the frame, and what each of them hits.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::targets::{Target, Targets};
use crate::tui::theme::Theme;

/// A line that is asked for below a screen lies on it without a shadow.
const LINES_WITHOUT_SHADOW: u16 = 2;

/// One frame in the making.
pub struct Canvas<'a> {
    /// Its cells.
    pub buffer: &'a mut Buffer,
    /// What each cell hits.
    pub targets: &'a mut Targets,
    /// The grounds of screen and dialogs.
    pub theme: &'a Theme,
}

/// The frame of a panel.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// At the top, to the left.
    pub title: Line<'a>,
    /// At the top, to the right.
    pub right: Line<'a>,
    /// Its lines.
    pub set: border::Set<'static>,
    /// Their style.
    pub style: Style,
}

impl Canvas<'_> {
    /// Writes a text from a cell on, cut by display width at `width` columns and at the frame's edge.
    /// Says how many columns it took.
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

    /// Writes a text so that it ends at the right edge of a one-line area; cut on the right when too long.
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

    /// Draws a frame and gives the area inside it.
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

    /// Writes on the lower edge of a panel, to the right.
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

    /// Empties an area for a dialog, on the dialogs' ground and with a shadow: what lies under it is neither seen nor hit.
    pub fn cover(&mut self, area: Rect) {
        self.empty(area, self.theme.raised);
        if area.height > LINES_WITHOUT_SHADOW && self.theme.shadow.bg.is_some() {
            let beside = Rect::new(area.right(), area.y + 1, 1, area.height);
            let below = Rect::new(area.x + 1, area.bottom(), area.width, 1);
            self.style(beside, self.theme.shadow);
            self.style(below, self.theme.shadow);
        }
    }

    /// Empties an area of the screen itself.
    pub fn blank(&mut self, area: Rect) {
        self.empty(area, self.theme.ground);
    }

    fn empty(&mut self, area: Rect, ground: Style) {
        Clear.render(area.intersection(self.buffer.area), self.buffer);
        self.style(area, ground);
        self.targets.clear(area);
    }

    /// Lays a style over what is drawn.
    pub fn style(&mut self, area: Rect, style: Style) {
        self.buffer
            .set_style(area.intersection(self.buffer.area), style);
    }

    /// From now on these cells hit this.
    pub fn hit(&mut self, area: Rect, target: Target) {
        self.targets.put(area, target);
    }
}

/// The one-line area at a row of an area; empty below its last row.
#[must_use]
pub fn row(area: Rect, index: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(index),
        height: u16::from(index < area.height),
        ..area
    }
}

/// What is left of a one-line area after its first columns.
#[must_use]
pub fn after(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

/// The middle of an area, at most this large.
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

/// The cell of a position as an area.
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

    /// The columns that a text takes where it is drawn.
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
    fn signs_that_terminals_join_or_colour_are_drawn_as_wide_as_counted() {
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
        fn a_cleaned_text_is_drawn_as_wide_as_it_is_counted(text in any::<String>()) {
            let cleaned = clean(&text);
            prop_assert_eq!(drawn(&cleaned), width(&cleaned), "{:?}", cleaned);
        }
    }
}
