//! Key hints below the list Needs you.

use ratatui::layout::Rect;

use crate::domain::text::width;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;

/// Minimum width for blanks between the keys.
const WIDE_FROM: u16 = 30;

/// Draws keys with their labels, as many as fit; a click on one runs its action.
pub(super) fn key_hints(shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let keys = [(Action::Main, "open"), (Action::Seen, "seen"), (Action::PutOff, "later")];
    let gap = u16::from(area.width >= WIDE_FROM);
    let mut rest = after(area, 1);
    for (action, words) in keys {
        let key = shared.keymap.key_text(KeyPlace::Needs, action);
        if width(&key) + 1 + width(words) > usize::from(rest.width) {
            break;
        }
        let took = canvas.key(rest, (&key, words), Target::Act(action));
        rest = after(rest, took + 1 + gap);
    }
}
