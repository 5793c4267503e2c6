//! What the mouse does in Pay.

use crossterm::event::KeyCode;

use crate::tui::action::Action;
use crate::tui::input::Key;
use crate::tui::screens::pay::{AfterPay, Pay, PayStop, Taking};
use crate::tui::shared::Context;

impl Pay {
    /// A click on one of its commands, whatever field the keys go to.
    pub fn press(&mut self, action: Action, context: &mut Context<'_>) -> AfterPay {
        if self.taking == Taking::UnderWay {
            return AfterPay::Stay;
        }
        self.act(Some(action), Key::plain(KeyCode::Enter), context)
    }

    /// A click on one of its stops: the keys go there, and what Space changes there is changed.
    pub fn click(&mut self, index: usize) {
        let Some(stop) = PayStop::ALL.get(index).copied() else {
            return;
        };
        if self.taking == Taking::UnderWay {
            return;
        }
        self.stop = stop;
        self.toggle();
    }
}
