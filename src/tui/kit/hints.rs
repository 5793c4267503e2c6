//! Keys with their labels in a row, as the keymap has them.

use ratatui::layout::Rect;

use crate::domain::text::width;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;

/// Draws the keys of actions with their labels and a gap between them, as many as fit; a click on one runs its action.
pub(crate) fn hints(
    shared: &Shared,
    (place, keys): (KeyPlace, &[(Action, &str)]),
    (area, gap): (Rect, u16),
    canvas: &mut Canvas<'_>,
) {
    let mut rest = area;
    for (action, words) in keys {
        let key = shared.keymap.key_text(place, *action);
        if width(&key) + 1 + width(words) > usize::from(rest.width) {
            break;
        }
        let took = canvas.key(rest, (&key, words), Target::Act(*action));
        rest = after(rest, took + gap);
    }
}
