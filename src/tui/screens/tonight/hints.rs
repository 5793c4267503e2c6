//! Key hints below the list Needs you.

use ratatui::text::{Line, Span};

use crate::domain::text::width;
use crate::tui::action::Action;
use crate::tui::keymap::KeyPlace;
use crate::tui::shared::Shared;

/// Keys with their labels, as many as fit.
pub(super) fn key_hints(shared: &Shared, gap: &str, columns: u16) -> Line<'static> {
    let key = |action| shared.keymap.key_text(KeyPlace::Needs, action);
    let keys = [
        (key(Action::Main), "go"),
        (key(Action::Seen), "seen"),
        (key(Action::PutOff), "later"),
    ];
    let mut hints = Line::default();
    for (key, words) in keys {
        let (key, words) = (format!(" {key}"), format!(" {words}{gap}"));
        if hints.width() + width(&key) + width(words.trim_end()) > usize::from(columns) {
            break;
        }
        hints.push_span(Span::styled(key, shared.theme.key));
        hints.push_span(Span::styled(words, shared.theme.hint));
    }
    hints
}
