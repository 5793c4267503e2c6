//! Calendar of a resource between two times, for programs: is it available, reserve, cancel.
//!
//! A calendar knows its bounds: what it was not loaded for is refused, never guessed. Ids are the caller's own, so that an
//! act sent again is the same act, whatever happened to its first answer.

use crate::domain::booking::{Booking, BookingState, Details};
use crate::domain::calendar::CalendarView;
use crate::domain::ids::{BookingId, CommandId};
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Slot};
use crate::engine::desk::Desk;
use crate::engine::ops::{BookSlot, CancelBooking, Past, Reach, Want, Whose};
use crate::engine::reads::bookings::ReadBooking;
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::engine::reads::journal::ReadEntry;
use crate::engine::reads::resources::ReadResource;
use crate::engine::work::Failure;
use crate::store::document::DocKind;

/// A resource's time between two instants, as it was when it was loaded or last changed through it.
pub struct ResourceCalendar {
    desk: Desk,
    resource: Resource,
    view: CalendarView,
}

fn slot(begin: Instant, end: Instant) -> Result<Slot, Failure> {
    Ok(Slot::new(begin, end).map_err(|error| Refusal::unread("until", &error))?)
}

impl Desk {
    /// Loads the calendar of a resource, named by its id or its name, for a stretch of time.
    ///
    /// # Errors
    /// No such resource, an end that is not behind its begin, or a fault.
    pub fn calendar(&self, resource: &str, begin: Instant, end: Instant) -> Result<ResourceCalendar, Failure> {
        let resource = self.read(ReadResource(resource.to_owned()))?;
        // a slot at the edge takes time around it
        let (_, window) = resource.taken(slot(begin, end)?);
        let view = load(self, &resource, window)?;
        Ok(ResourceCalendar { desk: self.clone(), resource, view })
    }
}

fn load(desk: &Desk, resource: &Resource, window: Slot) -> Result<CalendarView, Failure> {
    let views = desk.read(ReadCalendar { resources: vec![resource.id.clone()], window, words: Words::Owners })?;
    views.into_iter().next().ok_or_else(|| Refusal::not_found("resource", resource.id.as_str()).into())
}

impl ResourceCalendar {
    /// Returns whether a stretch of time is free in this calendar.
    ///
    /// # Errors
    /// Time that the calendar was not loaded for.
    pub fn is_available(&self, begin: Instant, end: Instant) -> Result<bool, Failure> {
        let (_, taken) = self.resource.taken(slot(begin, end)?);
        let free = self.view.is_free(taken);
        Ok(free.map_err(|error| Refusal::unread("until", &error))?)
    }

    /// Reserves a stretch of time under an id of the caller's own; the same id for the same time is the same reservation.
    ///
    /// # Errors
    /// Time that is taken or that the calendar was not loaded for; an id of something else, or of a reservation that was
    /// canceled.
    pub fn reserve(&mut self, id: &str, begin: Instant, end: Instant) -> Result<Booking, Failure> {
        // only whether the time lies in the calendar: the house decides whether it is free
        self.is_available(begin, end)?;
        let wants = vec![Want::all(vec![self.resource.id.clone()], slot(begin, end)?)];
        let details = Details { title: id.to_owned(), ..Details::default() };
        let booking = self.desk.run_as(CommandId::of_text(id), BookSlot { wants, details, past: Past::Refuse })?;
        let booking = self.desk.read(ReadBooking(booking.id))?.booking;
        self.view = load(&self.desk, &self.resource, self.view.window)?;
        match booking.state {
            BookingState::Active => Ok(booking),
            BookingState::Canceled => {
                let problem = "it names a reservation that was canceled; choose another id";
                Err(Refusal::unread("id", &problem).into())
            }
        }
    }

    /// Cancels the reservation of an id; again, it changes nothing.
    ///
    /// # Errors
    /// No reservation was made under the id, or another operator made it.
    pub fn cancel(&mut self, id: &str) -> Result<(), Failure> {
        let entry = self.desk.read(ReadEntry(CommandId::of_text(id)))?;
        let changes = entry.map(|entry| entry.changes).unwrap_or_default();
        let booking = changes.iter().find(|change| change.kind == DocKind::Booking);
        let booking: Option<BookingId> = booking.and_then(|change| change.key.parse().ok());
        let booking = booking.ok_or_else(|| Refusal::not_found("booking", id))?;
        self.desk.run(CancelBooking { booking, reach: Reach::This, whose: Whose::Mine })?;
        self.view = load(&self.desk, &self.resource, self.view.window)?;
        Ok(())
    }

    /// The time that it was loaded for, and its periods.
    pub const fn view(&self) -> &CalendarView {
        &self.view
    }
}
