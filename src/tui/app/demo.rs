//! The list of chapters and the tour: what the operator wants of the demo.
//!
//! While one is open its keys come before all others, whatever else is open; keys that the tour plays go past it.
//! They are shown beside the caption, as those that an operator would press here.

use crate::tui::app::App;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::msg::{DemoCommand, DemoState, Effect};
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;

/// End of a text that is being typed.
const CURSOR: char = '_';

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

    pub(super) fn lists_chapters(&self) -> bool {
        self.bar == DemoBar::Open && !self.is_touring()
    }

    /// On a stand any key or click leaves the tour, and does nothing else; true if it did.
    pub(super) fn takes_over(&mut self) -> bool {
        let gives_way = self.shared.demo.as_ref().is_some_and(|state| state.gives_way) && self.is_touring();
        if gives_way {
            self.demo_act(Action::Close);
            self.note("The house is yours; <demo> lists the chapters of the tour");
        }
        gives_way
    }

    pub(super) fn play(&mut self, chapter: usize) {
        self.effects.push(Effect::Demo(DemoCommand::Chapter(chapter)));
    }

    pub(super) fn demo_key(&mut self, key: Key) {
        if self.takes_over() {
            return;
        }
        let action = self.shared.keymap.action(KeyPlace::Demo, key);
        if action.is_some_and(|action| self.demo_act(action)) {
            return;
        }
        match action {
            Some(Action::Redraw | Action::Suspend | Action::Mouse) => self.key(key),
            Some(Action::Quit) => {
                self.demo_act(Action::Close);
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
        if let Some(text) = self.pressed.last_mut().filter(|text| text.len() > 1) {
            text.truncate(text.trim_end_matches(CURSOR).len());
        }
        self.pressed.push(key.to_string());
        self.key(key);
    }

    /// Types a letter of the tour, which joins the letters before it.
    pub(super) fn typed_by_tour(&mut self, key: Key) {
        let letter = key.code.as_char().unwrap_or_default();
        match self.pressed.last_mut().filter(|text| text.len() > 1 && text.ends_with(CURSOR)) {
            Some(text) => text.insert(text.len() - CURSOR.len_utf8(), letter),
            None => self.pressed.push(format!("{letter}{CURSOR}")),
        }
        self.key(key);
    }

    /// Does what the bar's keys and buttons mean; false when it means nothing to the bar.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few are of the bar")]
    pub(super) fn demo_act(&mut self, action: Action) -> bool {
        let last = self.shared.demo.as_ref().map_or(0, |state| state.chapters.len().saturating_sub(1));
        let command = match action {
            Action::Leave if !self.is_touring() => Some(DemoCommand::Chapter(self.chapter)),
            Action::Up | Action::Down if self.is_touring() => return false,
            Action::Up => {
                self.chapter = self.chapter.saturating_sub(1);
                None
            }
            Action::Down => {
                self.chapter = last.min(self.chapter + 1);
                None
            }
            Action::StepBack => Some(DemoCommand::Back),
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
