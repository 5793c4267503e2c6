//! Messages and refusals, newest first.

use std::iter;

use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use crate::domain::text::fit;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::{Shared, StatusMessage};
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::paragraph;
use crate::words;

/// Column of a message's words, behind its time and sign.
const SAID_AT: usize = 12;

/// The most lines of the chosen message.
const CHOSEN_LINES_MAX: usize = 6;

#[derive(Clone, Debug)]
pub(crate) struct MessageList {
    /// On the number of a message.
    cursor: Cursor<u64>,
}

impl MessageList {
    /// The list with the cursor on the newest message.
    pub(crate) fn new(shared: &Shared) -> Self {
        Self { cursor: numbers(shared).next().map_or_else(Cursor::default, Cursor::on) }
    }
}

fn numbers(shared: &Shared) -> impl Iterator<Item = u64> {
    shared.says.newest_first().map(|message| message.number)
}

impl Dialog for MessageList {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Messages)
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        if self.cursor.act(action, numbers(context.shared)) { Flow::Stay } else { Flow::Close }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row() {
            self.cursor.click((index, click), numbers(context.shared));
        }
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let area = area.inner(Margin::new(4, 3));
        let close = shared.keyed(" <messages.close> closes ");
        let inner = canvas.dialog(area, "Messages, newest first", &close);
        let columns = usize::from(inner.width).saturating_sub(SAID_AT + 1);
        let view = self.cursor.view(RowList::Dialog, inner, numbers(shared));
        let mut lines = Vec::new();
        for (index, message) in shared.says.newest_first().enumerate() {
            if Some(index) != view.cursor {
                lines.push((index, (Some(message), fit(&message.text, columns))));
                continue;
            }
            // the chosen one is told whole
            let whole = paragraph(&message.text, columns, CHOSEN_LINES_MAX);
            let heads = iter::once(Some(message)).chain(iter::repeat(None));
            lines.extend(heads.zip(whole).map(|line| (index, line)));
        }
        if lines.is_empty() {
            canvas.text(inner, " Nothing was said yet", shared.theme.quiet);
        }
        view.draw(canvas, lines, |line| said(shared, line));
    }
}

/// Line of a message: its time and sign on the first one, and a part of its words.
fn said<'a>(shared: &Shared, (of, words): (Option<&StatusMessage>, String)) -> Line<'a> {
    let theme = &shared.theme;
    let Some(message) = of else {
        return Line::raw(format!("{:SAID_AT$}{words}", ""));
    };
    let (sign, style) = shared.tone(message.tone);
    let at = words::clock(message.at, shared.zone);
    Line::from(vec![
        Span::styled(format!(" {at} "), theme.quiet),
        Span::styled(format!("{sign} "), style),
        Span::raw(words),
    ])
}
