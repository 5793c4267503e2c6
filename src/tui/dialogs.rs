//! Dialogs over a screen: at most one is open, and it has the keyboard focus.

pub(crate) mod demo_bar;
pub(crate) mod dialog;
pub(crate) mod find;
pub(crate) mod form;
pub(crate) mod messages;
pub(crate) mod open_carts;
pub(crate) mod picker;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod reserve;
pub(crate) mod story;
pub(crate) mod waiting;

use crate::tui::dialogs::dialog::Dialog;
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::messages::MessageList;
use crate::tui::dialogs::open_carts::OpenCarts;
use crate::tui::dialogs::picker::Picker;
use crate::tui::dialogs::prompt::Prompt;
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::dialogs::story::Story;
use crate::tui::dialogs::waiting::WaitingList;
use crate::tui::question::QuestionDialog;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::pay::Pay;

/// Open dialog.
#[derive(Debug)]
pub(crate) enum Modal {
    /// Payment.
    Pay(Box<Pay>),
    /// Prompt for one line.
    Prompt(Prompt),
    /// Question with a few answers.
    Question(QuestionDialog),
    /// List of keys or commands.
    Picker(Picker),
    /// Past messages.
    Messages(MessageList),
    /// List of open carts.
    OpenCarts(OpenCarts),
    /// Search.
    Find(Finder),
    /// History of a seat.
    Story(Story),
    /// Reservation.
    Reserve(Box<Reserve>),
    /// Waiting list.
    Waiting(Box<WaitingList>),
    /// Dialog of the calendar, stored there.
    Calendar,
}

impl Modal {
    /// Dialog that handles keys, clicks and answers.
    pub(crate) fn dialog<'a>(
        &'a mut self,
        calendar: &'a mut Calendar,
    ) -> Option<&'a mut dyn Dialog> {
        Some(match self {
            Self::Pay(pay) => pay.as_mut(),
            Self::Question(question) => question,
            Self::Picker(picker) => picker,
            Self::Messages(list) => list,
            Self::OpenCarts(carts) => carts,
            Self::Find(find) => find,
            Self::Story(story) => story,
            Self::Reserve(reserve) => reserve.as_mut(),
            Self::Waiting(list) => list.as_mut(),
            Self::Calendar => return calendar.dialog_mut(),
            Self::Prompt(prompt) => prompt,
        })
    }

    /// Dialog to draw.
    #[must_use]
    pub(crate) fn shown<'a>(&'a self, calendar: &'a Calendar) -> Option<&'a dyn Dialog> {
        Some(match self {
            Self::Pay(pay) => pay.as_ref(),
            Self::Question(question) => question,
            Self::Picker(picker) => picker,
            Self::Messages(list) => list,
            Self::OpenCarts(carts) => carts,
            Self::Find(find) => find,
            Self::Story(story) => story,
            Self::Reserve(reserve) => reserve.as_ref(),
            Self::Waiting(list) => list.as_ref(),
            Self::Calendar => return calendar.dialog(),
            Self::Prompt(prompt) => prompt,
        })
    }
}
