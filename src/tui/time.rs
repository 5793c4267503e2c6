//! What the screens ask and have done about time, as plain data.

use crate::domain::calendar::CalendarView;
use crate::domain::ids::{BookingId, SeriesId};
use crate::domain::money::Currency;
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::ops::{AnyOperation, MoveBooking, ReturnToWorklist};
use crate::engine::reads::bookings::{BookingView, SeriesView};
use crate::engine::reads::calendar::{Check, ReadCalendar, ReadCheck};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::instead::ReadInstead;
use crate::engine::reads::worklist::WorkView;
use crate::tui::msg::{Trouble, only};

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
    /// Where there is room instead of each date of a repeat, the best first.
    Instead(ReadInstead),
    /// One booking.
    Booking(BookingId),
    /// A repeat with all its dates.
    Series(SeriesId),
}

/// Where something that moves had been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Was {
    /// At this time of the resource that it leaves.
    Here(Slot),
    /// On the worklist.
    Waiting(ReturnToWorklist),
}

/// The move of a booking, and what its answer does not tell of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moving {
    /// The operation.
    pub operation: MoveBooking,
    /// Where it had been, so that it can go back; nothing when it does go back.
    pub was: Option<Was>,
    /// The title.
    pub title: String,
    /// Where it goes, as it is said once it is there.
    pub words: String,
}

/// An act of the calendar: an operation, whose answer is told in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeAct {
    /// Any operation whose answer tells all there is to say.
    Run(AnyOperation),
    /// A move.
    Move(Box<Moving>),
}

impl TimeAct {
    /// The act of an operation.
    pub fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Run(operation.into())
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> AnyOperation {
        match self {
            Self::Run(operation) => operation.clone(),
            Self::Move(moving) => moving.operation.clone().into(),
        }
    }
}

/// Everything that is booked by time, and what it is paid in where nothing else is said.
#[derive(Clone, Debug)]
pub struct ResourceList {
    /// The resources.
    pub resources: Vec<Resource>,
    /// The house's currency.
    pub currency: Currency,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActDone {
    /// What, in a sentence.
    pub words: String,
    /// How it is undone, if it can be.
    pub back: Option<Back>,
}

/// How something is undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// What would be undone, in a few words.
    pub words: String,
    /// What undoes it.
    pub act: TimeAct,
}

/// What the house answered about time.
#[derive(Clone, Debug)]
pub enum TimeAnswer {
    /// Everything that is booked by time.
    Resources(ResourceList),
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
    /// A repeat.
    Series(Box<SeriesView>),
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
    resources: Resources(ResourceList),
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
    /// The repeat.
    series: Series(Box<SeriesView>),
}
