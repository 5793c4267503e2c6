//! The calendar's dialogs: the calendar keeps them, the app gives them the keys.

use crate::tui::app::App;
use crate::tui::dialogs::Modal;
use crate::tui::own_cart::CartReply;
use crate::tui::screens::Screen;
use crate::tui::time::{TimeAct, Undoing};

impl App {
    /// Runs an act of the calendar.
    pub(super) fn run_time(&mut self, act: TimeAct, undoing: Undoing) {
        asking!(
            self,
            Screen::Calendar,
            context,
            self.calendar.run(act, undoing, context)
        );
    }

    /// The cart has answered: the calendar may have wanted that.
    pub(super) fn time_held(&mut self, reply: &CartReply) {
        asking!(
            self,
            Screen::Calendar,
            context,
            self.calendar.cart_answered(reply, context)
        );
    }

    /// Keeps the modal in step with the calendar's dialog.
    pub(super) fn keep_dialog(&mut self) {
        match (&self.modal, self.calendar.has_dialog()) {
            (None, true) => self.modal = Some(Modal::Calendar),
            (Some(Modal::Calendar), false) => self.modal = None,
            _ => {}
        }
    }
}
