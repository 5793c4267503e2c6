//! Calendars of others that are followed: the file is the truth about what it brought.
//!
//! A time that a calendar brought is a booking whose `brought` is that time as the file last gave it. As long as the
//! booking has it, the file moves and ends it; one that was changed here is the house's own.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, BookingState, Cause};
use crate::domain::is_default;
use crate::domain::money::{Currency, Price};
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Slot, Span};

/// Calendar of others that is followed for one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    /// Whole path of its file.
    pub file: String,
    pub resource: ResourceId,
    /// Text in the titles of its blocks, in lower case; all else is a stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<String>,
    /// Treatment of what vanished; of stays asked, of blocks freed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<Vanished>,
    /// Price of a stay.
    pub price: Price,
    /// Time from now on that its file speaks of.
    pub ahead: Span,
    /// Newest version in the file that was followed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Instant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followed_at: Option<Instant>,
    /// Time after which a job reads the file again; none without a job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// Effects of the last time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last: Following,
}

/// Treatment of a booking that vanished from its calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vanished {
    Free,
    Keep,
    /// Left until somebody says.
    Ask,
}

/// Effects of a file on the bookings of its calendar, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Following {
    pub brought: u32,
    pub moved: u32,
    pub freed: u32,
    /// Left as they were, because they were changed or canceled here.
    pub own: u32,
    /// Bookings of the house that came back from the other calendar.
    pub echoes: u32,
    /// On the worklist.
    pub differing: u32,
}

/// Standing of a time of the file beside its booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    New,
    Same,
    /// The file has another time.
    Moved,
    /// A block became a stay, or a stay a block.
    Other,
    /// Both have the same time, after a change here.
    Agreed,
    /// Changed or canceled here.
    Own,
}

impl Followed {
    /// Kind of the jobs that read files again.
    pub const JOB: &'static str = "calendar_follow";
    /// Time between two readings by such a job.
    pub const EVERY: RangeInclusive<Span> = Span::minutes(1)..=Span::minutes(30 * 24 * 60);

    /// Calendar whose stays cost nothing, and whose file speaks of two years.
    pub fn new(file: String, resource: ResourceId, currency: Currency) -> Self {
        Self {
            file,
            resource,
            blocks: None,
            gone: None,
            price: Price { minor: 0, currency },
            ahead: Span::minutes(2 * 365 * 24 * 60),
            stamp: None,
            followed_at: None,
            every: None,
            last: Following::default(),
        }
    }

    /// Cause of a time with a title: a stay is a booking, a block has none.
    pub fn cause(&self, title: &str) -> Cause {
        let is_block = self.blocks.as_ref().is_some_and(|text| title.to_lowercase().contains(text));
        if is_block { Cause::of_word("blocked") } else { Cause::Booking }
    }

    /// Standing of a time beside its booking here.
    pub fn standing(&self, booking: Option<&Booking>, (slot, cause): (Slot, &Cause)) -> Standing {
        let Some(booking) = booking else {
            return Standing::New;
        };
        if !self.is_as_brought(booking) {
            return if self.time_of(booking) == Some(slot) { Standing::Agreed } else { Standing::Own };
        }
        match self.time_of(booking) == Some(slot) {
            _ if booking.cause != *cause => Standing::Other,
            true => Standing::Same,
            false => Standing::Moved,
        }
    }

    /// Returns whether a booking has the time that its calendar last gave it.
    pub fn is_as_brought(&self, booking: &Booking) -> bool {
        let time = self.time_of(booking);
        time.is_some() && time == booking.brought.as_ref().map(|brought| brought.slot)
    }

    /// Treatment of a booking that vanished, of which nothing has begun.
    pub fn treatment(&self, booking: &Booking) -> Vanished {
        self.gone.unwrap_or(if booking.cause == Cause::Booking { Vanished::Ask } else { Vanished::Free })
    }

    /// Time of a booking that has all of it on the followed resource; `None` otherwise.
    fn time_of(&self, booking: &Booking) -> Option<Slot> {
        let mut asked = booking.asked();
        let taken = asked.next().filter(|taken| taken.resource == self.resource && taken.kept() == [taken.core])?;
        (booking.state == BookingState::Active && asked.next().is_none()).then_some(taken.wanted)
    }
}

/// Stored name of a time that a calendar brought, or would have.
pub fn brought_as(calendar: &str, uid: &str) -> String {
    format!("{}{uid}", of_calendar(calendar))
}

/// Stored name of a time that was imported once, for a resource: so a file can be imported for several.
pub fn imported_as(resource: &ResourceId, uid: &str) -> String {
    format!("{resource}/{uid}")
}

/// Beginning of the names of all that a calendar brought.
pub fn of_calendar(calendar: &str) -> String {
    format!("calendar {calendar}/")
}
