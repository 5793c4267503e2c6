//! Dialogs that no screen owns: several open them, or every one does.

use crate::tui::kit::action::Action;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::shared::Shared;

pub(crate) mod find;
pub(crate) mod give_back;
pub(crate) mod pay;
pub(crate) mod picker;
pub(crate) mod pin;
pub(crate) mod reserve;
pub(crate) mod waiting_list;

/// Dialog that an action opens on every screen; none for any other action.
#[expect(clippy::wildcard_enum_match_arm, reason = "few actions do")]
pub(crate) fn opened_by(action: Action, shared: &Shared) -> Option<Box<dyn Dialog>> {
    let dialog: Box<dyn Dialog> = match action {
        Action::Messages => Box::new(messages::MessageList::new(shared)),
        Action::OpenCarts => Box::new(open_carts::OpenCarts::at(None)),
        _ => return None,
    };
    Some(dialog)
}

pub(crate) mod messages;
pub(crate) mod open_carts;
