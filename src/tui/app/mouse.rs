//! The mouse hits what is seen. A click must be harmless by itself; a slip never picks twice.
//! A double click is Enter in lists, and ignored on the map.

use crossterm::event::KeyCode;

use crate::tui::app::App;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::app::doubled::DOUBLE_WITHIN;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::input::{Key, Pointer, PointerAct};
use crate::tui::kit::screen::Click;
use crate::tui::kit::targets::Target;

impl App {
    pub(super) fn pointer(&mut self, pointer: Pointer) {
        if self.is_too_small() && pointer.what != PointerAct::Release {
            return;
        }
        let target = self.targets.at(pointer.at).cloned();
        match pointer.what {
            PointerAct::Press => self.press(target),
            PointerAct::Drag => self.drag(target),
            PointerAct::Release => self.release(target),
            PointerAct::WheelUp => self.wheel(target, Click::WheelUp),
            PointerAct::WheelDown => self.wheel(target, Click::WheelDown),
        }
    }

    fn press(&mut self, target: Option<Target>) {
        let Some(target) = target.filter(|_| !self.takes_over()) else {
            self.last_press = None;
            return;
        };
        let now = self.shared.now;
        let again =
            self.last_press.as_ref().is_some_and(|(before, at)| *before == target && now.since(*at) < DOUBLE_WITHIN);
        self.last_press = Some((target.clone(), now));
        if let Target::Choice(chapter) = &target
            && self.lists_chapters()
        {
            self.play(*chapter);
            return;
        }
        if let Target::Act(action) = &target
            && self.bar == DemoBar::Open
            && self.demo_act(*action)
        {
            return;
        }
        if let Target::Key(key) = target {
            // a double click presses once
            if !again {
                self.key(key);
            }
            return;
        }
        if let (Target::Act(action), Some(_)) = (&target, self.shown().and_then(Dialog::place)) {
            // a double click acts once
            if !again {
                self.dialog_act(*action);
            }
            return;
        }
        if self.modal.is_some() {
            let click = if again { Click::Double } else { Click::Single };
            self.with_dialog(|dialog, context| dialog.click(&target, click, context));
            return;
        }
        match (&target, again) {
            (Target::Seat(_), true) => self.swallowing_release = true,
            (Target::Tab(screen), _) => self.act(screen.action(), Key::plain(KeyCode::Enter)),
            (Target::Act(action), _) => self.act(*action, Key::plain(KeyCode::Enter)),
            (_, true) => self.click_screen(&target, Click::Double),
            (_, false) => self.click_screen(&target, Click::Single),
        }
    }

    fn drag(&mut self, target: Option<Target>) {
        if let Some(target) = target.filter(|_| self.modal.is_none()) {
            let pressed = self.last_press.as_ref().map(|(pressed, _)| pressed);
            if pressed != Some(&target) {
                self.click_screen(&target, Click::Drag);
            }
        }
    }

    /// A drag ends wherever the button is let go: beside everything it ends on the ground of the map.
    fn release(&mut self, target: Option<Target>) {
        if std::mem::take(&mut self.swallowing_release) {
            return;
        }
        let covered = self.modal.is_some() || self.is_too_small();
        let target = target.filter(|_| !covered).unwrap_or(Target::Map);
        self.click_screen(&target, Click::Release);
    }

    fn wheel(&mut self, target: Option<Target>, click: Click) {
        if self.modal.is_some() {
            let code = if click == Click::WheelUp { KeyCode::Up } else { KeyCode::Down };
            self.with_dialog(|dialog, context| dialog.wheel(code, context));
        } else if let Some(target) = target {
            self.click_screen(&target, click);
        }
    }
}
