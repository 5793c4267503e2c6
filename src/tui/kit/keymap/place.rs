//! Places of the key table: screens, panels and dialogs.

use serde::Deserialize;
use strum::IntoEnumIterator as _;

/// Places with their heading in help, the place whose keys apply too, and the screen that they are on.
macro_rules! places {
    ($($place:ident: $title:literal, $base:expr, $on:ident;)+) => {
        /// Place with keys of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, strum::EnumIter)]
        #[serde(rename_all = "lowercase")]
        pub enum KeyPlace {
            $(#[doc = $title] $place,)+
        }

        impl KeyPlace {
            /// Heading in help.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$place => $title,)+ }
            }

            /// Place whose keys apply too.
            pub(super) const fn base(self) -> Option<Self> {
                match self { $(Self::$place => $base,)+ }
            }

            /// Screen that it is on, whose keys the lines without keys have; everywhere for what all of them share.
            pub(crate) const fn on(self) -> Self {
                match self { $(Self::$place => Self::$on,)+ }
            }
        }
    };
}

places! {
    Everywhere: "Everywhere on a screen", None, Everywhere;
    Tonight: "Tonight", Some(Self::Everywhere), Tonight;
    Needs: "Tonight: Needs you", Some(Self::Everywhere), Tonight;
    Map: "Seats: the map", Some(Self::Everywhere), Map;
    Cart: "Seats: the cart panel", Some(Self::Everywhere), Map;
    Calendar: "Calendar", Some(Self::Everywhere), Calendar;
    Moving: "Calendar: moving a booking", Some(Self::Everywhere), Calendar;
    Orders: "Orders", Some(Self::Everywhere), Orders;
    Order: "One order", Some(Self::Everywhere), Orders;
    Reservation: "One reservation", Some(Self::Everywhere), Orders;
    Ended: "One reservation that has ended", Some(Self::Everywhere), Orders;
    Jobs: "Jobs", Some(Self::Everywhere), Jobs;
    Pay: "Pay: the keypad", None, Map;
    Form: "A form", None, Everywhere;
    List: "A list", None, Everywhere;
    Messages: "Messages", Some(Self::List), Everywhere;
    Carts: "Open carts", Some(Self::List), Everywhere;
    Story: "History of a seat", Some(Self::List), Map;
    Booking: "One booking", Some(Self::List), Calendar;
    Displaced: "Displaced bookings", Some(Self::List), Calendar;
    Month: "Month of one resource", Some(Self::List), Calendar;
    Series: "Dates of a series", Some(Self::List), Calendar;
    Waiting: "Waiting list", Some(Self::Form), Map;
    Demo: "Chapters and tour of the demo", None, Everywhere;
}

impl KeyPlace {
    /// Places that the palette lists: screens in the order of their tabs, then dialogs; not what all of them share.
    pub(crate) fn listed() -> impl Iterator<Item = Self> {
        let shared = [Self::Everywhere, Self::Form, Self::List, Self::Demo];
        Self::iter().filter(move |place| !shared.contains(place))
    }

    /// Name in the table.
    #[must_use]
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}
