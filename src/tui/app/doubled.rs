//! Debounce of Enter: a second press within a moment does not answer what the first one opened.
//!
//! A double press is one within a moment, with no other key between. It counts from where the first Enter opened,
//! closed or left something, or from the answer that closed what it had asked for.

use std::any::TypeId;

use crossterm::event::KeyCode;

use crate::domain::time::Span;
use crate::tui::app::App;
use crate::tui::data::msg::Msg;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::PromptPurpose;

/// A second press within this is a double one, of the mouse as of Enter.
pub(super) const DOUBLE_WITHIN: Span = Span::from_millis(300);

/// Receiver of the keys: a place of a screen, or a dialog over it.
pub(super) type UnderKeys = (KeyPlace, Option<TypeId>);

impl App {
    /// Receiver of the keys before a message that a second Enter must not follow; `None` for any other message.
    pub(super) fn before(&mut self, msg: &Msg) -> Option<UnderKeys> {
        let enters = matches!(msg, Msg::Key(key) if key.code == KeyCode::Enter);
        let closes = matches!(msg, Msg::Answer(..)) && self.modal.is_some();
        (enters && !self.only_looks() || closes).then(|| self.under_keys())
    }

    /// Starts the debounce when something else has the keys now.
    pub(super) fn after(&mut self, before: Option<UnderKeys>) {
        if before.is_some_and(|before| before != self.under_keys()) {
            self.doubled_until = Some(self.shared.now + DOUBLE_WITHIN);
        }
    }

    /// True for an Enter pressed twice by accident.
    pub(super) fn is_doubled(&mut self, key: Key) -> bool {
        let until = self.doubled_until.take();
        let doubled = key.code == KeyCode::Enter && until.is_some_and(|until| self.shared.now < until);
        self.doubled_until = until.filter(|_| doubled);
        doubled
    }

    fn under_keys(&self) -> UnderKeys {
        (self.screen_place(), self.dialog_type())
    }

    /// True if Enter would only move the cursor or light up seats, so that a second Enter is meant.
    fn only_looks(&mut self) -> bool {
        matches!(self.purpose(), Some(PromptPurpose::Best | PromptPurpose::GoTo))
    }
}
