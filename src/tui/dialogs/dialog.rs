//! Dialog: the one interface between the app and a dialog over a screen.
//!
//! Collaborators: `app/modals.rs` hands over keys, clicks, pastes, answers and notices by [`Modal`](super::Modal) and
//! carries out the [`Flow`]; a dialog asks for reads and commands through its [`Context`].
//!
//! A new dialog is a type with this trait in a file of its own, a variant of `Modal`, and the action that opens it.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::tui::canvas::Canvas;
use crate::tui::input::Key;
use crate::tui::msg::{Answer, Changed, Trouble};
use crate::tui::remote::Ticket;
use crate::tui::screens::Click;
use crate::tui::shared::{Context, Go, Shared};
use crate::tui::targets::Target;

/// How the keys of a dialog are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// Letters are text or answers: each key comes as it is pressed.
    Text,
    /// Letters are actions of the screen below: a key comes as the standard key of its action.
    Actions,
}

/// Outcome of an event for a dialog.
#[derive(Clone, Debug)]
pub enum Flow {
    /// Stays open.
    Stay,
    /// Closes.
    Close,
    /// Closes, and the operator goes there.
    Go(Go),
}

/// A dialog over a screen.
pub trait Dialog {
    /// How its keys are read.
    fn key_use(&self) -> KeyUse {
        KeyUse::Text
    }

    /// Its line of the key bar: standard keys, and what they do.
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "chooses"), ("Esc", "closes")]
    }

    /// Words of Enter on the key bar, where they differ from the line's.
    fn enter(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// A key.
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow;

    /// A single or double click.
    fn click(&mut self, _target: &Target, _click: Click, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// The wheel.
    fn wheel(&mut self, code: KeyCode, context: &mut Context<'_>) -> Flow {
        self.key(Key::plain(code), context)
    }

    /// A paste.
    fn paste(&mut self, _text: &str, _context: &mut Context<'_>) {}

    /// An answer that no screen awaits.
    fn answer(
        &mut self,
        _ticket: Ticket,
        _answer: Result<Answer, Trouble>,
        _context: &mut Context<'_>,
    ) -> Flow {
        Flow::Stay
    }

    /// A notice that something changed.
    fn changed(&mut self, _changed: &Changed, _context: &mut Context<'_>) {}

    /// Draws it over the body of a screen.
    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>);
}
