//! Keys typed before their screen was read: they wait for it, in their order.
//!
//! A key that needs what is not read yet waits, and so does each behind it, which would otherwise be taken for something
//! else. Esc and Ctrl-C drop them, quitting needs none of them. Whatever else comes between, a click, a dialog that opens,
//! another screen, drops them too: they were not meant for it.

use crossterm::event::KeyCode;

use crate::domain::time::{Instant, Span};
use crate::tui::app::App;
use crate::tui::data::msg::Effect;
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;

/// Time that keys wait for their screen.
const LIMIT: Span = Span::seconds(5);

/// Keys that wait.
#[derive(Debug)]
pub(super) struct EarlyKeys {
    keys: Vec<Key>,
    on: Screen,
    since: Instant,
}

impl App {
    /// Returns whether a key is not to be done now: it waits, or drops those that do.
    pub(super) fn is_early(&mut self, key: Key) -> bool {
        let action = self.shared.keymap.action(self.screen_place(), key);
        if key.code == KeyCode::Esc || action == Some(Action::Interrupt) {
            return self.drop_early("Dropped: ");
        }
        if action == Some(Action::Quit)
            || self.early.is_none() && !(action.is_some_and(needs_screen) && self.is_unread())
        {
            return false;
        }
        let (on, since) = (self.at, self.shared.now);
        let early = self.early.get_or_insert_with(|| {
            self.effects.push(Effect::TickIn(LIMIT));
            EarlyKeys { keys: Vec::new(), on, since }
        });
        early.keys.push(key);
        true
    }

    /// Keys whose screen is read now.
    pub(super) fn keys_due(&mut self) -> Vec<Key> {
        let Some(EarlyKeys { on, since, .. }) = self.early else {
            return Vec::new();
        };
        if self.at != on || self.modal.is_some() {
            self.drop_early("Dropped: ");
        } else if self.is_unread() && self.shared.now >= since + LIMIT {
            self.drop_early(&format!("{} is not read yet, so nothing was done; press again when it is: ", on.name()));
        }
        if self.is_unread() {
            return Vec::new();
        }
        self.early.take().map_or_else(Vec::new, |early| early.keys)
    }

    /// Drops the keys that wait and says so; false if none does.
    pub(super) fn drop_early(&mut self, why: &str) -> bool {
        let dropped = self.early.take().map(|early| {
            let keys: Vec<String> = early.keys.iter().map(Key::to_string).collect();
            self.note(format!("{why}{}", keys.join(" ")));
        });
        dropped.is_some()
    }

    /// True while what the keys of the screen act on was never read.
    fn is_unread(&self) -> bool {
        let shared = &self.shared;
        self.modal.is_none() && !self.is_too_small() && screen!(self).is_unread(shared)
    }
}

/// False for what every screen does alike, and for a turn to other days.
fn needs_screen(action: Action) -> bool {
    !matches!(
        action,
        Action::Earlier
            | Action::Later
            | Action::Find
            | Action::Palette
            | Action::Help
            | Action::Messages
            | Action::OpenCarts
            | Action::Mouse
            | Action::Demo
            | Action::ConfirmClock
            | Action::Redraw
            | Action::Suspend
    ) && Screen::shown_by(action).is_none()
}
