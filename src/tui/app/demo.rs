//! The tour and crowd bar: what the operator wants of the demo.
//!
//! While it is open its keys come before all others, whatever else is open; keys that the tour plays go past it.
//! They are shown beside the caption, as those that an operator would press here.

use crate::tui::app::App;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::msg::{DemoCommand, DemoState, Effect};
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;

impl App {
    pub(super) fn open_demo_bar(&mut self) {
        if self.shared.demo.is_some() {
            self.bar = DemoBar::Open;
        } else {
            self.note("This is a real house; the demo is `willcall demo`");
        }
    }

    /// A tour that begins opens the bar, and one that ends closes it.
    pub(super) fn demo_moved(&mut self, state: DemoState) {
        let toured = self.is_touring();
        if self.shared.demo.as_ref().is_none_or(|before| before.step != state.step) {
            self.pressed.clear();
        }
        self.shared.demo = Some(state);
        match (toured, self.is_touring()) {
            (false, true) => self.bar = DemoBar::Open,
            (true, false) => self.bar = DemoBar::Closed,
            (true, true) | (false, false) => {}
        }
    }

    pub(super) fn is_touring(&self) -> bool {
        let demo = self.shared.demo.as_ref();
        demo.is_some_and(|state| state.step.is_some())
    }

    pub(super) fn demo_key(&mut self, key: Key) {
        let action = self.shared.keymap.action(KeyPlace::Demo, key);
        if action.is_some_and(|action| self.demo_act(action)) {
            return;
        }
        match action {
            Some(Action::Redraw | Action::Suspend | Action::Mouse) => self.key(key),
            Some(Action::Quit) => {
                self.demo_act(Action::Leave);
                self.key(key);
            }
            _ if self.is_touring() => {
                self.note("The tour is playing; <demo.leave> leaves it, and the house is yours");
            }
            _ => {
                self.bar = DemoBar::Closed;
                self.key(key);
            }
        }
    }

    /// Presses a standard key of the tour: the own key that does the same here.
    pub(super) fn played(&mut self, key: Key) {
        let place = match &self.modal {
            Some(dialog) => dialog.place(),
            None => Some(self.screen_place()),
        };
        let key = place.map_or(key, |place| self.shared.keymap.own(place, key));
        self.pressed.push(key.to_string());
        self.key(key);
    }

    /// Does what the bar's keys and buttons mean; false when it means nothing to the bar.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few are of the bar")]
    pub(super) fn demo_act(&mut self, action: Action) -> bool {
        let command = match action {
            Action::Close => self.is_touring().then_some(DemoCommand::Leave),
            Action::Pause => Some(DemoCommand::Pause),
            Action::Step => Some(DemoCommand::Step),
            Action::Faster => Some(DemoCommand::Faster),
            Action::Slower => Some(DemoCommand::Slower),
            Action::Leave => Some(DemoCommand::Leave),
            _ => return false,
        };
        if matches!(action, Action::Close | Action::Leave) {
            self.bar = DemoBar::Closed;
        }
        self.effects.extend(command.map(Effect::Demo));
        true
    }
}
