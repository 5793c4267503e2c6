//! Tabs of the desk, and what a screen is told and tells.

use serde::{Deserialize, Serialize};

use crate::tui::kit::action::Action;
use crate::tui::kit::keymap::KeyPlace;

/// Screen with a tab; its digit never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    /// Performances and needs.
    #[default]
    Tonight,
    /// Live map of a house.
    Seats,
    /// Time of resources.
    Calendar,
    /// Receipts.
    Orders,
    /// Due jobs.
    Jobs,
}

impl Screen {
    /// Tabs, from left to right.
    pub const ALL: [Self; 5] = [Self::Tonight, Self::Seats, Self::Calendar, Self::Orders, Self::Jobs];

    /// Place in the keymap.
    #[must_use]
    pub const fn place(self) -> KeyPlace {
        match self {
            Self::Tonight => KeyPlace::Tonight,
            Self::Seats => KeyPlace::Map,
            Self::Calendar => KeyPlace::Calendar,
            Self::Orders => KeyPlace::Orders,
            Self::Jobs => KeyPlace::Jobs,
        }
    }

    /// Screen with a place of the keymap; none for places of dialogs and of every screen.
    pub(crate) fn with(place: KeyPlace) -> Option<Self> {
        match place {
            KeyPlace::Tonight | KeyPlace::Needs => Some(Self::Tonight),
            KeyPlace::Map | KeyPlace::Cart => Some(Self::Seats),
            KeyPlace::Calendar | KeyPlace::Moving => Some(Self::Calendar),
            KeyPlace::Orders | KeyPlace::Order | KeyPlace::Reservation | KeyPlace::Ended => Some(Self::Orders),
            KeyPlace::Jobs => Some(Self::Jobs),
            KeyPlace::Everywhere
            | KeyPlace::Pay
            | KeyPlace::Form
            | KeyPlace::List
            | KeyPlace::Messages
            | KeyPlace::Carts
            | KeyPlace::Story
            | KeyPlace::Booking
            | KeyPlace::Displaced
            | KeyPlace::Month
            | KeyPlace::Series
            | KeyPlace::Waiting
            | KeyPlace::Demo => None,
        }
    }

    /// Name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tonight => "Tonight",
            Self::Seats => "Seats",
            Self::Calendar => "Calendar",
            Self::Orders => "Orders",
            Self::Jobs => "Jobs",
        }
    }

    /// Action that shows the screen.
    #[must_use]
    pub const fn action(self) -> Action {
        match self {
            Self::Tonight => Action::ShowTonight,
            Self::Seats => Action::ShowSeats,
            Self::Calendar => Action::ShowCalendar,
            Self::Orders => Action::ShowOrders,
            Self::Jobs => Action::ShowJobs,
        }
    }
}

/// Tells whether a screen handled an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handled {
    /// Handled.
    Yes,
    /// Without effect here.
    No,
}

/// Mouse event on a target of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Click {
    /// Single click.
    Single,
    /// Double click on the same target; in lists like Enter.
    Double,
    /// Wheel up.
    WheelUp,
    /// Wheel down.
    WheelDown,
    /// Dragged to the target.
    Drag,
    /// Released on the target.
    Release,
}
