//! Tabs of the desk, and what a screen is told and tells.

use serde::{Deserialize, Serialize};

use crate::tui::kit::action::Action;
use crate::tui::kit::keymap::KeyPlace;

/// Screens with their place in the keymap, and the action that shows them.
macro_rules! screens {
    ($($(#[$meta:meta])* $screen:ident: $place:ident, $action:ident;)+) => {
        /// Screen with a tab; its digit never changes.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Screen { $($(#[$meta])* $screen,)+ }

        impl Screen {
            /// Tabs, from left to right.
            pub const ALL: &'static [Self] = &[$(Self::$screen,)+];

            /// Place in the keymap.
            #[must_use]
            pub const fn place(self) -> KeyPlace {
                match self { $(Self::$screen => KeyPlace::$place,)+ }
            }

            /// Name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$screen => stringify!($screen),)+ }
            }

            /// Action that shows the screen.
            #[must_use]
            pub const fn action(self) -> Action {
                match self { $(Self::$screen => Action::$action,)+ }
            }
        }
    };
}

screens! {
    /// Performances and needs.
    #[default]
    Tonight: Tonight, ShowTonight;
    /// Live map of a house.
    Seats: Map, ShowSeats;
    /// Time of resources.
    Calendar: Calendar, ShowCalendar;
    /// Receipts.
    Orders: Orders, ShowOrders;
    /// Due jobs.
    Jobs: Jobs, ShowJobs;
}

impl Screen {
    /// Screen that a place of the keymap is on; none for those of every screen.
    pub(crate) fn with(place: KeyPlace) -> Option<Self> {
        Self::ALL.iter().find(|screen| screen.place() == place.on()).copied()
    }

    /// Screen that an action shows.
    pub(crate) fn shown_by(action: Action) -> Option<Self> {
        Self::ALL.iter().find(|screen| screen.action() == action).copied()
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
