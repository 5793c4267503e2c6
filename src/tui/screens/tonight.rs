//! The screen Tonight.

use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::keymap::Place;
use crate::tui::msg::{Answer, Changed, Trouble};
use crate::tui::remote::Ticket;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Context, Shared};
use crate::tui::targets::Target;

/// State of the screen Tonight.
#[derive(Debug, Default)]
pub struct Tonight {}

impl Tonight {
    /// The screen comes to the top: asks for what it shows.
    pub fn enter(&mut self, _context: &mut Context<'_>) {}

    /// Whose keys hold now.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::Tonight
    }

    /// Does what a key means.
    pub fn act(&mut self, _action: Action, _context: &mut Context<'_>) -> Handled {
        Handled::No
    }

    /// A click on one of its targets.
    pub fn click(&mut self, _target: &Target, _click: Click, _context: &mut Context<'_>) {}

    /// Whether it asked with this ticket.
    #[must_use]
    pub fn awaits(&self, _ticket: Ticket) -> bool {
        false
    }

    /// An answer to a ticket that it awaits.
    pub fn answer(
        &mut self,
        _ticket: Ticket,
        _answer: Result<Answer, Trouble>,
        _context: &mut Context<'_>,
    ) {
    }

    /// Something in the house changed; asks again for what it shows when that is touched.
    pub fn changed(&mut self, _changed: &Changed, _context: &mut Context<'_>) {}

    /// Draws it.
    pub fn view(&self, _shared: &Shared, _area: Rect, _canvas: &mut Canvas<'_>) {}
}
