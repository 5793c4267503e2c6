//! The screens: each has a state, an `act` that changes it, and a `view` that draws it.
//!
//! Every screen answers the same calls, so that the app can treat them alike without trait objects:
//! `enter` (it comes to the top), `act` (a key's meaning), `click`, `awaits` and `answer` (the engine),
//! `changed` (a notice), `place` (whose keys hold) and `view`.

use serde::{Deserialize, Serialize};

use crate::tui::action::Action;
use crate::tui::keymap::KeyPlace;

pub mod calendar;
pub mod jobs;
pub mod orders;
pub mod pay;
pub mod pay_view;
pub mod seats;
pub mod tonight;

/// The screens that have a tab; their digits stay, whichever of them exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    /// What is on and what needs somebody.
    #[default]
    Tonight,
    /// The live map of a house.
    Seats,
    /// Time of resources.
    Calendar,
    /// Receipts.
    Orders,
    /// What comes due.
    Jobs,
}

impl Screen {
    /// The tabs, from left to right.
    pub const ALL: [Self; 5] = [
        Self::Tonight,
        Self::Seats,
        Self::Calendar,
        Self::Orders,
        Self::Jobs,
    ];

    /// Its place in the keymap.
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

    /// Its name.
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

    /// The action that shows it.
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

/// Whether a screen could do something with an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It did.
    Yes,
    /// It means nothing here.
    No,
}

/// A click on a target of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Click {
    /// Once.
    Single,
    /// A second time on the same target within a moment: in lists it is Enter.
    Double,
    /// The wheel, up.
    WheelUp,
    /// The wheel, down.
    WheelDown,
    /// Moved here with the button down.
    Drag,
    /// The button went up here.
    Release,
}
