//! Drawing surface of a screen: the cells of a frame, the hit target of each, and areas by rows and columns.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget, Widget};

use crate::domain::text::{fit, width};
use crate::tui::kit::targets::{Target, Targets};
use crate::tui::kit::theme::Look;
use crate::tui::widgets::paragraph;

/// Maximum height of a prompt at the foot of the screen, which is drawn without a shadow.
const LINES_WITHOUT_SHADOW: u16 = 2;
/// Fewest columns beside a dialog, both sides together, that show more than shreds of what is behind it.
const SHREDS: u16 = 16;
/// Most lines of a note in the place of rows.
const NOTE_LINES: usize = 4;

/// Frame being drawn.
pub struct Canvas<'a> {
    /// Cells of the frame.
    pub buffer: &'a mut Buffer,
    /// Hit targets of the cells.
    pub targets: &'a mut Targets,
    /// Styles and signs.
    pub look: Look<'a>,
}

/// Panel with the keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// This one.
    Here,
    /// Another one.
    Elsewhere,
}

impl Focus {
    /// The focus of a panel that has it under this condition.
    #[must_use]
    pub const fn when(here: bool) -> Self {
        if here { Self::Here } else { Self::Elsewhere }
    }
}

impl Canvas<'_> {
    /// Writes a text, ended by `…` where it is wider than the area. Returns the columns used.
    pub fn text(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let area = area.intersection(self.buffer.area);
        if area.is_empty() {
            return 0;
        }
        let room = usize::from(area.width);
        let text = if width(text) > room { Cow::Owned(fit(text, room)) } else { Cow::Borrowed(text) };
        let (end, _) = self.buffer.set_stringn(area.x, area.y, text, room, style);
        end - area.x
    }

    /// Writes a text right-aligned in a one-line area; cut on the right when too long.
    pub fn text_right(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        self.text(last_columns(area, cells(width(text))), text, style)
    }

    /// Draws a line of styled spans, cut at the end of the area.
    pub fn line(&mut self, area: Rect, line: &Line<'_>) {
        let area = area.intersection(self.buffer.area);
        if !area.is_empty() {
            self.buffer.set_line(area.x, area.y, line, area.width);
        }
    }

    /// Draws a key with its effect, which a click on them runs; returns the columns used.
    pub fn key(&mut self, area: Rect, (key, words): (&str, &str), target: Target) -> u16 {
        let theme = self.look.theme;
        let took = self.text(area, key, theme.key);
        let words = self.text(after(area, took), &format!(" {words}"), theme.hint);
        self.hit(first_columns(area, took + words), target);
        took + words
    }

    /// Draws lines from the top of an area, as many as fit.
    pub fn lines<'l>(&mut self, area: Rect, lines: impl IntoIterator<Item = Line<'l>>) {
        for (cells, line) in area.rows().zip(lines) {
            self.line(cells, &line);
        }
    }

    /// Draws a text between words in an area without rows, below a blank line.
    pub fn note(&mut self, area: Rect, text: &str) {
        let lines = paragraph(text, usize::from(area.width.saturating_sub(4)), NOTE_LINES);
        let quiet = self.look.theme.quiet;
        let lines = lines.into_iter().map(|line| Line::styled(line, quiet));
        self.lines(after(from_row(area, 1), 2), lines);
    }

    /// Draws the frame of a panel with a title, cut last of all, and quiet words at the right; returns the area inside.
    pub fn panel<S: AsRef<str>>(&mut self, area: Rect, titles: [S; 2], focus: Focus) -> Rect {
        let theme = self.look.theme;
        let [title, right] = titles;
        let (title, mut right) = (title.as_ref(), right.as_ref());
        // phrases at the right give way to the title, the first one first; all of them where it then fits
        let has_room = |right: &str| width(title) + width(right) + 7 <= area.width.into();
        while !has_room(right)
            && let Some((_, last)) = right.split_once("  ")
        {
            right = last;
        }
        if !has_room(right) && has_room("") {
            right = "";
        }
        let right = if right.is_empty() { String::new() } else { format!(" {right} ") };
        let room = usize::from(area.width).saturating_sub(width(&right) + 5);
        let title = format!(" {} ", fit(title, room));
        let titles = [Line::styled(title, theme.title), Line::styled(right, theme.quiet)];
        self.frame(area, titles, focus)
    }

    /// Draws the frame of a panel with a title at each side; returns the area inside.
    pub fn frame(&mut self, area: Rect, titles: [Line<'_>; 2], focus: Focus) -> Rect {
        let style = match focus {
            Focus::Here => self.look.theme.focus,
            Focus::Elsewhere => self.look.theme.border,
        };
        self.bordered(area, titles, (self.look.glyphs.frame, style))
    }

    fn bordered(
        &mut self,
        area: Rect,
        [title, right]: [Line<'_>; 2],
        (set, style): (border::Set<'static>, Style),
    ) -> Rect {
        let block = Block::bordered()
            .border_set(set)
            .border_style(style)
            .title_style(Style { bg: None, ..self.look.theme.ground })
            .title(title.left_aligned())
            .title(right.right_aligned());
        let inner = block.inner(area);
        block.render(area.intersection(self.buffer.area), self.buffer);
        inner
    }

    /// Covers an area and draws the frame of a dialog with a title, and at the right a hint whose keys can be clicked;
    /// returns the area inside.
    pub fn dialog(&mut self, area: Rect, title: &str, hint: &str) -> Rect {
        let inner = self.dialog_with(area, title, Line::styled(hint, self.look.theme.hint));
        let edge = first_columns(row(area, 0), area.width.saturating_sub(1));
        self.hit_keys(last_columns(edge, cells(width(hint))), hint);
        inner
    }

    /// Draws the frame of a dialog with other words at the right.
    pub fn dialog_with(&mut self, area: Rect, title: &str, right: Line<'_>) -> Rect {
        self.cover(area);
        let theme = self.look.theme;
        let titles = [Line::styled(format!(" {title} "), theme.title), right];
        self.bordered(area, titles, (self.look.glyphs.dialog, theme.focus))
    }

    /// Sets the hit targets of the keys that a text names: each is the first word of a phrase, which two blanks end.
    pub fn hit_keys(&mut self, area: Rect, text: &str) {
        let mut rest = area;
        for phrase in text.split("  ") {
            let columns = cells(width(phrase));
            let name = phrase.trim_start().split(' ').next().unwrap_or_default();
            if let Ok(key) = name.parse() {
                self.hit(first_columns(rest, columns), Target::Key(key));
            }
            rest = after(rest, columns + 2);
        }
    }

    /// Writes right-aligned on the lower edge of a panel.
    pub fn edge(&mut self, area: Rect, text: &Line<'_>) {
        let mut edge = last_row(area);
        edge.width = edge.width.saturating_sub(1);
        self.line(last_columns(edge, cells(text.width())), text);
    }

    /// Draws a scroll bar along the longer side of a strip of cells, for a view that is as long as the strip: its
    /// first line or column, and their count.
    pub fn scroll_bar(&mut self, strip: Rect, first: usize, count: usize) {
        let (glyphs, style) = (self.look.glyphs, self.look.theme.border);
        let (side, [track, thumb]) = if strip.height > 1 || strip.width == 1 {
            (ScrollbarOrientation::VerticalRight, glyphs.scroll)
        } else {
            (ScrollbarOrientation::HorizontalBottom, glyphs.scroll_flat)
        };
        let room = usize::from(strip.height.max(strip.width));
        let bar = Scrollbar::new(side)
            .begin_symbol(None)
            .end_symbol(None)
            .track_symbol(Some(track))
            .thumb_symbol(thumb)
            .style(style);
        // ratatui scrolls until the last line is the first in view
        let mut state =
            ScrollbarState::new((count + 1).saturating_sub(room)).position(first).viewport_content_length(room);
        bar.render(strip.intersection(self.buffer.area), self.buffer, &mut state);
    }

    /// Clears an area for a dialog, with the dialogs' background and a shadow where it falls on nothing; the cells
    /// below are neither seen nor hit.
    pub fn cover(&mut self, area: Rect) {
        let theme = self.look.theme;
        self.empty(area, theme.raised);
        let beside = Rect::new(area.right(), area.y + 1, 1, area.height);
        let below = Rect::new(area.x + 1, area.bottom(), area.width, 1);
        let cells = || beside.positions().chain(below.positions());
        let is_blank = |at| self.buffer.cell(at).is_some_and(|cell| cell.symbol() == " ");
        if area.height > LINES_WITHOUT_SHADOW && cells().all(is_blank) {
            self.style(beside, theme.shadow);
            self.style(below, theme.shadow);
        }
    }

    /// Clears an area of the screen.
    pub fn blank(&mut self, area: Rect) {
        self.empty(area, self.look.theme.ground);
    }

    fn empty(&mut self, area: Rect, ground: Style) {
        Clear.render(area.intersection(self.buffer.area), self.buffer);
        self.style(area, ground);
        self.targets.clear(area);
    }

    /// Applies a style to drawn cells.
    pub fn style(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area.intersection(self.buffer.area), style);
    }

    /// Applies the selection to a row; the cells of a fill bar keep their colours, which tell how full it is.
    pub fn select(&mut self, area: Rect) {
        let theme = self.look.theme;
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

/// A count of lines or columns as a size on the screen.
#[must_use]
pub fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// One-line area at a row of an area; empty below its last row.
#[must_use]
pub fn row(area: Rect, index: u16) -> Rect {
    Rect { y: area.y.saturating_add(index), height: u16::from(index < area.height), ..area }
}

/// Last row of an area.
#[must_use]
pub fn last_row(area: Rect) -> Rect {
    row(area, area.height.saturating_sub(1))
}

/// First rows of an area, at most this many.
#[must_use]
pub fn first_rows(area: Rect, count: u16) -> Rect {
    Rect { height: area.height.min(count), ..area }
}

/// The rows of an area from one on.
#[must_use]
pub fn from_row(area: Rect, index: u16) -> Rect {
    let index = index.min(area.height);
    Rect { y: area.y + index, height: area.height - index, ..area }
}

/// The area without a column of air at its left and right.
#[must_use]
pub fn inset(area: Rect) -> Rect {
    area.inner(Margin::new(1, 0))
}

/// First columns of an area, at most this many.
#[must_use]
pub fn first_columns(area: Rect, count: u16) -> Rect {
    Rect { width: area.width.min(count), ..area }
}

/// Rest of an area after its first columns.
#[must_use]
pub fn after(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect { x: area.x + columns, width: area.width - columns, ..area }
}

/// Last columns of an area, at most this many.
#[must_use]
pub fn last_columns(area: Rect, count: u16) -> Rect {
    after(area, area.width.saturating_sub(count))
}

/// Centre of an area, at most this large; the whole width where only shreds would be left beside it.
#[must_use]
pub fn centred(area: Rect, width: u16, height: usize) -> Rect {
    let beside = area.width.saturating_sub(width);
    let width = if beside < SHREDS { area.width } else { width };
    let height = cells(height).min(area.height);
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::Canvas;
    use crate::domain::text::{clean, width};
    use crate::tui::kit::targets::Targets;
    use crate::tui::kit::theme::{GlyphSet, Glyphs, Look, Theme};

    /// Display width of a text as drawn, in columns.
    fn drawn(text: &str) -> usize {
        let area = Rect::new(0, 0, 600, 1);
        let (buffer, targets) = (&mut Buffer::empty(area), &mut Targets::new(area));
        let look = Look { theme: &Theme::default(), glyphs: &Glyphs::of(GlyphSet::Unicode) };
        let mut canvas = Canvas { buffer, targets, look };
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
