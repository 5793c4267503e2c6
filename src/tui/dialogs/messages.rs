//! What was said and refused, newest first.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::canvas::{Canvas, Frame, centred, row};
use crate::tui::dialogs::Cursor;
use crate::tui::input::Key;
use crate::tui::shared::{Shared, Tone};
use crate::tui::wording;

/// The list of messages.
#[derive(Clone, Debug, Default)]
pub struct MessageList {
    cursor: Cursor,
}

/// Whether a list stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// It stays open.
    Open,
    /// It closes.
    Close,
}

impl MessageList {
    /// A key.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub fn key(&mut self, key: Key, shared: &Shared) -> Listing {
        let count = shared.says.newest_first().count();
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('!' | 'q') => return Listing::Close,
            KeyCode::Up | KeyCode::Char('k') => self.cursor.step(-1, count),
            KeyCode::Down | KeyCode::Char('j') => self.cursor.step(1, count),
            KeyCode::PageUp => self.cursor.step(-10, count),
            KeyCode::PageDown => self.cursor.step(10, count),
            _ => {}
        }
        Listing::Open
    }

    /// Draws it.
    pub fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(
            area,
            area.width.saturating_sub(8),
            area.height.saturating_sub(6),
        );
        canvas.cover(area);
        let inner = canvas.panel(
            area,
            Frame {
                title: Line::styled(" Messages, newest first ", theme.title),
                right: Line::styled(" Esc closes ", theme.hint),
                set: shared.glyphs.dialog,
                style: theme.focus,
            },
        );
        let first = self.cursor.first_in_view(usize::from(inner.height));
        let shown = shared
            .says
            .newest_first()
            .enumerate()
            .skip(first)
            .take(usize::from(inner.height));
        for (line, (index, message)) in (0..).zip(shown) {
            let (sign, style) = match message.tone {
                Tone::Done => (shared.glyphs.tick, theme.done),
                Tone::Note => (' ', theme.text),
                Tone::Refused => (shared.glyphs.cross, theme.warning),
            };
            let text = Line::from(vec![
                Span::styled(
                    format!(" {} ", wording::clock(message.at, shared.zone)),
                    theme.quiet,
                ),
                Span::styled(format!("{sign} "), style),
                Span::raw(message.text.clone()),
            ]);
            canvas.line(row(inner, line), &text);
            if index == self.cursor.0 {
                canvas.style(row(inner, line), theme.selection);
            }
        }
        if shared.says.newest_first().next().is_none() {
            canvas.text(row(inner, 0), " Nothing was said yet", theme.quiet);
        }
    }
}
