//! What the screens ask and have done about time, as plain data.

use crate::domain::booking::Booking;
use crate::domain::calendar::CalendarView;
use crate::domain::cart::Customer;
use crate::domain::ids::BookingId;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot};
use crate::engine::reads::bookings::{BookingView, ReadBookings};
use crate::engine::reads::calendar::{Check, ReadCalendar, ReadCheck};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::worklist::WorkView;
use crate::tui::msg::{EnableWhose, Trouble, only};

/// A question about time.
#[derive(Clone, Debug)]
pub enum TimeQuery {
    /// Everything that is booked by time.
    Resources,
    /// Calendars of a window.
    Page(ReadCalendar),
    /// Time that was taken from its owners and waits for an operator.
    Displaced,
    /// Whether slots can be booked, each by itself.
    Checks(Vec<ReadCheck>),
    /// Where there is room.
    Free(ReadFree),
    /// One booking.
    Booking(BookingId),
    /// The bookings of a repeat, or others.
    Bookings(ReadBookings),
}

/// Something about time that the house is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeCommand {
    /// Book, at one date or at several.
    Book(NewBooking),
    /// Take a booking's time of a resource elsewhere.
    Move {
        /// The booking.
        booking: BookingId,
        /// The resource that it leaves.
        from: ResourceId,
        /// The resource that it goes to; may be the same.
        to: ResourceId,
        /// When it is wanted there.
        slot: Slot,
    },
    /// Cancel a booking, or as much of its repeat.
    Cancel(BookingId, Reach),
    /// Take time out of use.
    TakeOut(TakeOut),
    /// Put back into use what an act took out.
    PutBack(BookingId, EnableWhose),
}

/// What is to be booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBooking {
    /// The resources, all of them or none.
    pub resources: Vec<ResourceId>,
    /// What is wanted, a slot for each date.
    pub slots: Vec<Slot>,
    /// What it is called.
    pub title: String,
    /// For whom.
    pub customer: Customer,
    /// Whether dates that are not free are left out.
    pub conflicts: Conflicts,
}

/// What becomes of a repeat's dates that are not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflicts {
    /// They refuse all of it.
    Refuse,
    /// They are left out.
    Skip,
}

/// How much of a repeat is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This date only.
    This,
    /// This date and the later ones.
    FromHere,
    /// All dates to come.
    All,
}

/// How time goes out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutKind {
    /// It is looked after; asks first.
    Maintenance,
    /// It is on its way elsewhere; asks first.
    Relocation,
    /// Whoever has it.
    Disable,
}

/// What is to be taken out of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeOut {
    /// The resources.
    pub resources: Vec<ResourceId>,
    /// From when on.
    pub from: Instant,
    /// Until when; until further notice when not said.
    pub until: Option<Instant>,
    /// How.
    pub kind: OutKind,
    /// Why.
    pub reason: String,
}

/// What the house answered about time.
#[derive(Clone, Debug)]
pub enum TimeAnswer {
    /// Everything that is booked by time.
    Resources(Vec<Resource>),
    /// Calendars of a window.
    Page(Vec<CalendarView>),
    /// Time that was taken from its owners.
    Displaced(Vec<WorkView>),
    /// Whether slots can be booked, in the order asked.
    Checks(Vec<Check>),
    /// Where there is room.
    Free(Vec<FreeResource>),
    /// One booking.
    Booking(Box<BookingView>),
    /// Bookings.
    Bookings(Vec<Booking>),
    /// Something was done: what, in a sentence.
    Done(String),
}

macro_rules! answers {
    ($($(#[$doc:meta])* $take:ident: $name:ident($value:ty),)+) => {
        impl TimeAnswer {
            $($(#[$doc])*
            ///
            /// # Errors
            /// It is an answer to another question; only a defect of the program causes it.
            pub fn $take(self) -> Result<$value, Trouble> {
                only!(Ok(self), Self::$name(value) => value)
            })+
        }
    };
}

answers! {
    /// The resources.
    resources: Resources(Vec<Resource>),
    /// The calendars.
    page: Page(Vec<CalendarView>),
    /// What was displaced.
    displaced: Displaced(Vec<WorkView>),
    /// The checks.
    checks: Checks(Vec<Check>),
    /// The room there is.
    free: Free(Vec<FreeResource>),
    /// The booking.
    booking: Booking(Box<BookingView>),
    /// The bookings.
    bookings: Bookings(Vec<Booking>),
    /// What was done.
    done: Done(String),
}
