//! The one interface between the app and its screens.

use ratatui::layout::Rect;

use crate::domain::time::Instant;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;

/// State of a screen.
pub(crate) trait ScreenState {
    /// Key table in force.
    fn place(&self, shared: &Shared) -> KeyPlace;

    /// The screen is opened.
    fn enter(&mut self, _shared: &Shared) {}

    /// Does the action of a key.
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled;

    /// False for an action without a use now, which the key bar leaves out.
    fn offers(&self, _action: Action, _shared: &Shared) -> bool {
        true
    }

    /// Actions of what is under the cursor, in its words, which come first on the key bar.
    fn of_moment(&self, _shared: &Shared) -> Vec<(Action, &'static str)> {
        Vec::new()
    }

    /// Handles the mouse on one of its targets.
    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>);

    /// Questions whose answers it shows.
    fn needs(&self, shared: &Shared, needs: &mut Needs);

    /// True while what its keys act on was never read.
    fn is_unread(&self, shared: &Shared) -> bool;

    /// Follows an answer: a cursor stays on its row.
    fn came(&mut self, question: &Query, context: &mut Context<'_>);

    /// True while a countdown other than the cart's is on it.
    fn counts(&self, _shared: &Shared) -> bool {
        false
    }

    /// Subject that other stations are told, in the place of the screen's name.
    fn showing(&self, _now: Instant) -> Option<String> {
        None
    }

    /// List that is shown, for a file.
    fn as_list(&self, _shared: &Shared) -> Option<ShownList> {
        None
    }

    /// Draws it.
    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>);
}
