//! Places of the key table: screens, panels and dialogs.

use serde::Deserialize;

/// Place with keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, strum::EnumIter)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    /// Every screen.
    Everywhere,
    /// The seat map.
    Map,
    /// The cart panel.
    Cart,
    /// Tonight.
    Tonight,
    /// Needs you, on Tonight.
    Needs,
    /// The calendar.
    Calendar,
    /// Move of a booking on the calendar.
    Moving,
    /// List of receipts.
    Orders,
    /// Opened receipt.
    Order,
    /// Opened reservation.
    Reservation,
    /// Opened reservation that has ended.
    Ended,
    /// List of jobs.
    Jobs,
    /// Payment.
    Pay,
    /// Form: its fields and buttons.
    Form,
    /// Every dialog with a list.
    List,
    /// Messages.
    Messages,
    /// Open carts.
    Carts,
    /// History of a seat.
    Story,
    /// Opened booking.
    Booking,
    /// Displaced bookings.
    Displaced,
    /// Month of one resource.
    Month,
    /// Dates of a series.
    Series,
    /// Entries of a waiting list.
    Waiting,
    /// Tour and crowd bar.
    Demo,
}

impl KeyPlace {
    /// Places of the screens, in the order of their tabs.
    pub const OF_SCREENS: [Self; 10] = [
        Self::Tonight,
        Self::Needs,
        Self::Map,
        Self::Cart,
        Self::Calendar,
        Self::Orders,
        Self::Order,
        Self::Reservation,
        Self::Ended,
        Self::Jobs,
    ];

    /// Heading in help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere on a screen",
            Self::Map => "Seats: the map",
            Self::Cart => "Seats: the cart panel",
            Self::Tonight => "Tonight",
            Self::Needs => "Tonight: Needs you",
            Self::Calendar => "Calendar",
            Self::Moving => "Calendar: moving a booking",
            Self::Orders => "Orders",
            Self::Order => "One order",
            Self::Reservation => "One reservation",
            Self::Ended => "One reservation that has ended",
            Self::Jobs => "Jobs",
            Self::Pay => "Pay: the keypad",
            Self::Form => "A form",
            Self::List => "A list",
            Self::Messages => "Messages",
            Self::Carts => "Open carts",
            Self::Story => "History of a seat",
            Self::Booking => "One booking",
            Self::Displaced => "Displaced bookings",
            Self::Month => "Month of one resource",
            Self::Series => "Dates of a series",
            Self::Waiting => "Waiting list",
            Self::Demo => "Chapters and tour of the demo",
        }
    }

    /// Name in the table.
    #[must_use]
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Place whose keys apply too.
    pub(super) const fn base(self) -> Option<Self> {
        match self {
            Self::Everywhere | Self::List | Self::Pay | Self::Form | Self::Demo => None,
            Self::Messages
            | Self::Carts
            | Self::Story
            | Self::Booking
            | Self::Displaced
            | Self::Month
            | Self::Series => Some(Self::List),
            Self::Waiting => Some(Self::Form),
            Self::Map
            | Self::Cart
            | Self::Tonight
            | Self::Needs
            | Self::Calendar
            | Self::Moving
            | Self::Orders
            | Self::Order
            | Self::Reservation
            | Self::Ended
            | Self::Jobs => Some(Self::Everywhere),
        }
    }

    /// Screen whose keys the lines without keys have.
    pub(super) fn below(self) -> Self {
        if [Self::Booking, Self::Displaced, Self::Month, Self::Series].contains(&self) {
            Self::Calendar
        } else if self == Self::Waiting {
            Self::Cart
        } else {
            Self::Everywhere
        }
    }
}
