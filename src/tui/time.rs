//! Queries and acts about time, as plain data.

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
use crate::tui::msg::trouble::{Trouble, only};

/// Query about time.
#[derive(Clone, Debug)]
pub(crate) enum TimeQuery {
    /// All resources.
    Resources,
    /// Calendars of a window.
    Page(ReadCalendar),
    /// Displaced bookings on the worklist.
    Displaced,
    /// Checks whether slots can be booked, each by itself.
    Checks(Vec<ReadCheck>),
    /// Free slots.
    Free(ReadFree),
    /// Alternatives for each date of a series, best first.
    Instead(ReadInstead),
    /// Booking by id.
    Booking(BookingId),
    /// Series with all its dates.
    Series(SeriesId),
}

/// Place before a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Was {
    /// Slot of the previous resource.
    Here(Slot),
    /// Worklist.
    Waiting(ReturnToWorklist),
}

/// Move of a booking, with data that its answer lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moving {
    /// Operation.
    pub operation: MoveBooking,
    /// Place before the move, for undo; none when the move is an undo.
    pub was: Option<Was>,
    /// Title of the booking.
    pub title: String,
    /// Wording of the new place, for the success message.
    pub words: String,
}

/// Act of the calendar: an operation with its success message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TimeAct {
    /// Operation whose answer has all data of the message.
    Run(AnyOperation),
    /// Move of a booking.
    Move(Box<Moving>),
}

impl TimeAct {
    /// Act for an operation.
    pub(crate) fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Run(operation.into())
    }

    /// Operation of the act.
    #[must_use]
    pub(crate) fn operation(&self) -> AnyOperation {
        match self {
            Self::Run(operation) => operation.clone(),
            Self::Move(moving) => moving.operation.clone().into(),
        }
    }
}

/// All resources, and the default currency.
#[derive(Clone, Debug)]
pub(crate) struct ResourceList {
    /// Resources.
    pub resources: Vec<Resource>,
    /// Currency of the house.
    pub currency: Currency,
}

/// Completed act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ActDone {
    /// Success message.
    pub words: String,
    /// Undo, if there is one.
    pub back: Option<Back>,
}

/// Undo of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Back {
    /// Short name of the act to undo.
    pub words: String,
    /// Act that undoes it.
    pub act: TimeAct,
}

/// Answer about time.
#[derive(Clone, Debug)]
pub(crate) enum TimeAnswer {
    /// All resources.
    Resources(ResourceList),
    /// Calendars of a window.
    Page(Vec<CalendarView>),
    /// Displaced bookings.
    Displaced(Vec<WorkView>),
    /// Checks, in the order of the query.
    Checks(Vec<Check>),
    /// Free slots.
    Free(Vec<FreeResource>),
    /// Booking.
    Booking(Box<BookingView>),
    /// Series.
    Series(Box<SeriesView>),
}

macro_rules! answers {
    ($($(#[$doc:meta])* $take:ident: $name:ident($value:ty),)+) => {
        impl TimeAnswer {
            $($(#[$doc])*
            /// # Errors
            /// The answer is of another kind; only a defect of the program causes it.
            pub(crate) fn $take(self) -> Result<$value, Trouble> {
                only!(Ok(self), Self::$name(value) => value)
            })+
        }
    };
}

answers! {
    /// Resources.
    resources: Resources(ResourceList),
    /// Calendars.
    page: Page(Vec<CalendarView>),
    /// Displaced bookings.
    displaced: Displaced(Vec<WorkView>),
    /// Checks.
    checks: Checks(Vec<Check>),
    /// Free slots.
    free: Free(Vec<FreeResource>),
    /// Booking.
    booking: Booking(Box<BookingView>),
    /// Series.
    series: Series(Box<SeriesView>),
}
