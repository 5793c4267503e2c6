//! Messages and refusals, newest first.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, centred, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::keymap::KeyPlace;
use crate::tui::list::Cursor;
use crate::tui::shared::{Shared, Tone};
use crate::tui::widgets::paragraph;
use crate::tui::wording;

/// Column of a message's words, behind its time and sign.
const SAID_AT: usize = 12;

/// The most lines of the chosen message.
const CHOSEN_LINES_MAX: usize = 6;

/// The list of messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageList {
    cursor: Cursor,
}

impl Dialog for MessageList {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Messages)
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        let count = context.shared.says.newest_first().count();
        if self.cursor.act(action, count) {
            Flow::Stay
        } else {
            Flow::Close
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(
            area,
            area.width.saturating_sub(8),
            area.height.saturating_sub(6),
        );
        let inner = canvas.dialog(
            area,
            shared.glyphs.dialog,
            (
                " Messages, newest first ",
                Line::styled(shared.keyed(" <messages.close> closes "), theme.hint),
            ),
        );
        let columns = usize::from(inner.width).saturating_sub(SAID_AT);
        // the chosen one is told whole
        let chosen = shared.says.newest_first().nth(self.cursor.0);
        let mut whole = chosen.map_or_else(Vec::new, |message| {
            paragraph(&message.text, columns, CHOSEN_LINES_MAX)
        });
        let more = whole.split_off(whole.len().min(1));
        let height = usize::from(inner.height).saturating_sub(more.len());
        let first = self.cursor.first_in_view(height);
        let shown = shared.says.newest_first().enumerate().skip(first);
        let mut line = 0;
        for (index, message) in shown.take(height) {
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
                Span::raw(if index == self.cursor.0 {
                    whole.first().cloned().unwrap_or_default()
                } else {
                    message.text.clone()
                }),
            ]);
            canvas.line(row(inner, line), &text);
            if index == self.cursor.0 {
                canvas.style(row(inner, line), theme.selection);
                for part in &more {
                    line += 1;
                    let part = format!("{:SAID_AT$}{part}", "");
                    canvas.text(row(inner, line), &part, theme.selection);
                    canvas.style(row(inner, line), theme.selection);
                }
            }
            line += 1;
        }
        if shared.says.newest_first().next().is_none() {
            canvas.text(row(inner, 0), " Nothing was said yet", theme.quiet);
        }
    }
}
