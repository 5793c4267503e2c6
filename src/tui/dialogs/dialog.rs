//! Dialog: the one interface between the app and a dialog over a screen.
//!
//! Collaborators: `app/modals.rs` hands over keys, clicks, pastes, answers and notices by [`Modal`](super::Modal) and
//! carries out the [`Flow`]; a dialog asks for reads and commands through its [`Context`].
//!
//! A new dialog is a type with this trait in a file of its own, a variant of `Modal`, and the action that opens it.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::context::Context;
use crate::tui::go::Go;
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Changed};
use crate::tui::screens::Click;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::time::TimeAct;

/// Outcome of an event for a dialog.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// Stays open.
    Stay,
    /// Closes.
    Close,
    /// Closes, and the operator goes there.
    Go(Go),
    /// Runs an act on time, and stays open until its answer.
    Try(TimeAct),
}

/// A dialog over a screen.
pub(crate) trait Dialog {
    /// Its place in the key table; none where every key is text or an answer.
    fn place(&self) -> Option<KeyPlace> {
        None
    }

    /// An action of its place.
    fn act(&mut self, _action: Action, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// Key bar of a dialog without a place: keys, and their effect.
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "chooses"), ("Esc", "closes")]
    }

    /// True if it is drawn at the foot of the screen.
    fn at_foot(&self) -> bool {
        false
    }

    /// Words of Enter on the key bar, where they differ from the line's.
    fn enter(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// A key that no action of its place has.
    fn key(&mut self, _key: Key, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// A single or double click.
    fn click(&mut self, _target: &Target, _click: Click, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// The wheel.
    fn wheel(&mut self, code: KeyCode, context: &mut Context<'_>) -> Flow {
        match self.place() {
            Some(_) if code == KeyCode::Up => self.act(Action::Up, context),
            Some(_) => self.act(Action::Down, context),
            None => self.key(Key::plain(code), context),
        }
    }

    /// A paste.
    fn paste(&mut self, _text: &str, _context: &mut Context<'_>) {}

    /// An answer to the request with this number.
    fn answer(&mut self, _number: u64, _answer: Answer, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// A notice that something changed.
    fn changed(&mut self, _changed: &Changed, _context: &mut Context<'_>) {}

    /// Draws it over the body of a screen.
    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>);
}
