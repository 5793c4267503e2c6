//! What the screens ask and have done about time, as plain data.

use crate::domain::booking::{Price, Taken};
use crate::domain::calendar::CalendarView;
use crate::domain::cart::Customer;
use crate::domain::ids::{BookingId, SeriesId, WorkId};
use crate::domain::money::Currency;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::{Conflicts, Displace, Reach};
use crate::engine::reads::bookings::{BookingView, SeriesView};
use crate::engine::reads::calendar::{Check, ReadCalendar, ReadCheck};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::instead::ReadInstead;
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
    /// Where there is room instead of each date of a repeat, the best first.
    Instead(ReadInstead),
    /// One booking.
    Booking(BookingId),
    /// A repeat with all its dates.
    Series(SeriesId),
}

/// Something about time that the house is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeCommand {
    /// Book, at one date or at several.
    Book(NewBooking),
    /// Take a booking's time of a resource elsewhere.
    Move(Moving),
    /// Add a date to a repeat: one that was left out or taken out, or another.
    AddDate(SeriesId, Slot),
    /// Take a date out of a repeat, whichever booking has it.
    DropDate(SeriesId, Slot),
    /// Cancel a booking, or as much of its repeat.
    Cancel(BookingId, Reach, EnableWhose),
    /// Canceled bookings stand again, all or none.
    Restore(Vec<BookingId>),
    /// Take time out of use.
    TakeOut(TakeOut),
    /// Put back into use what an act took out.
    PutBack(BookingId, EnableWhose),
    /// Put back what this desk's operator took out, and give those whom that displaced their time back.
    UndoOut(BookingId, Vec<WorkId>),
    /// A displaced booking leaves the time that it was given, and waits again.
    WaitAgain(Box<Waited>),
}

/// A displaced booking as it waited on the worklist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The booking.
    pub booking: BookingId,
    /// What it had taken, with what was left to it.
    pub taken: Vec<Taken>,
    /// Its items.
    pub items: Vec<WorkId>,
}

/// Where something that moves had been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Was {
    /// At this time of the resource that it leaves.
    Here(Slot),
    /// On the worklist.
    Waiting(Box<Waited>),
}

/// A booking's time on its way elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moving {
    /// The booking.
    pub booking: BookingId,
    /// The resource that it leaves.
    pub from: ResourceId,
    /// The resource that it goes to; may be the same.
    pub to: ResourceId,
    /// When it is wanted there.
    pub slot: Slot,
    /// Where it had been, so that it can go back; nothing when it does go back.
    pub was: Option<Was>,
    /// How much of its repeat goes with it.
    pub reach: Reach,
    /// Whose act may be moved, of what is out of use.
    pub whose: EnableWhose,
    /// The title.
    pub title: String,
    /// Where it goes, as it is said once it is there.
    pub words: String,
}

/// What is to be booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBooking {
    /// The resources, all of them or none.
    pub resources: Vec<ResourceId>,
    /// What is wanted, a slot for each date.
    pub slots: Vec<Slot>,
    /// The title.
    pub title: String,
    /// For whom.
    pub customer: Customer,
    /// More about it.
    pub note: String,
    /// What each date costs; what its segments cost when not said.
    pub price: Option<Price>,
    /// Whether dates that are not free are left out.
    pub conflicts: Conflicts,
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
    /// It can be booked by nobody until further notice.
    OutOfService,
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
    /// What to do about whoever stands there, of what goes out of service.
    pub displace: Displace,
}

/// Everything that is booked by time, and what it is paid in where nothing else is said.
#[derive(Clone, Debug)]
pub struct Furnished {
    /// The resources.
    pub resources: Vec<Resource>,
    /// The house's currency.
    pub currency: Currency,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
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
    pub command: TimeCommand,
}

/// What the house answered about time.
#[derive(Clone, Debug)]
pub enum TimeAnswer {
    /// Everything that is booked by time.
    Resources(Furnished),
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
    /// Something was done.
    Done(Done),
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
    resources: Resources(Furnished),
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
    /// What was done.
    done: Done(Done),
}
