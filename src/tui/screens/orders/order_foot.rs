//! Acts on an order, as words below its seats.

use ratatui::layout::Rect;

use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, first_rows, from_row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;

/// Fewest lines of seats above acts.
const SEATS_LEAST: u16 = 4;

pub(super) type Acts = &'static [(Action, &'static str)];

pub(super) const OF_RECEIPT: Acts = &[
    (Action::Refund, "give back"),
    (Action::Move, "exchange"),
    (Action::TicketsAgain, "tickets again"),
    (Action::Collect, "keep to be collected"),
];
pub(super) const OF_WAITING: Acts = &[
    (Action::Collect, "hand the tickets over"),
    (Action::Refund, "give back"),
    (Action::Move, "exchange"),
    (Action::TicketsAgain, "tickets again"),
];
pub(super) const OF_RESERVATION: Acts = &[
    (Action::Pay, "pay it now: it comes to this desk"),
    (Action::PutOff, "a later pay-by"),
    (Action::CancelCart, "cancel it, asks"),
];

/// Lines that acts take, with the blank one above them.
pub(super) fn lines(acts: Acts) -> usize {
    if acts.is_empty() { 0 } else { acts.len() + 1 }
}

/// Draws the acts below the seats, which take so many lines; returns the area of the seats.
pub(super) fn draw_below(
    shared: &Shared,
    (area, seats): (Rect, usize),
    (place, acts): (KeyPlace, Acts),
    canvas: &mut Canvas<'_>,
) -> Rect {
    let wanted = cells(lines(acts));
    if area.height < wanted + SEATS_LEAST {
        return area;
    }
    let list = first_rows(area, cells(seats).min(area.height - wanted));
    for (line, (action, words)) in from_row(area, list.height + 1).rows().zip(acts) {
        let key = shared.keymap.key_text(place, *action);
        canvas.key(after(line, 1), (&key, &format!(" {words}")), Target::Act(*action));
    }
    list
}
