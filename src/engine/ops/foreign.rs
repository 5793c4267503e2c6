//! Times of calendars of others: the bookings that they were brought as, and those that came from here.

use std::collections::HashMap;

use crate::domain::booking::{Booking, BookingState, Brought, Cause, Details};
use crate::domain::cart::Cart;
use crate::domain::house::WorkKind;
use crate::domain::ids::BookingId;
use crate::domain::refusal::CorrectionRefusal;
use crate::engine::ops::booking::{Past, Reach, Request, Want, Whose, book, end_booking};
use crate::engine::ops::move_booking::MoveBooking;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::Value;

/// Suffix of a booking's id in calendar files of this house.
pub const OWN: &str = "@willcall";

/// Note of an item whose calendar and house say the same again.
pub(super) const AGREED: &str = "the calendar agrees";

/// Names per query.
const NAMES_MAX: usize = 256;

/// Bookings by their names in calendars.
pub(super) fn imported(work: &mut UnitOfWork<'_>, names: &[String]) -> Result<HashMap<String, Booking>, Failure> {
    let mut found = HashMap::new();
    for names in names.chunks(NAMES_MAX) {
        let places: Vec<String> = (1..=names.len()).map(|number| format!("${number}")).collect();
        let condition = format!("WHERE imported_as <> '' AND imported_as IN ({}) ORDER BY key", places.join(", "));
        let names: Vec<Value<'_>> = names.iter().map(|name| name.as_str().into()).collect();
        let bookings: Vec<Booking> = work.select(&condition, &names)?;
        found.extend(bookings.into_iter().filter_map(|booking| Some((booking.imported_as.clone()?, booking))));
    }
    Ok(found)
}

/// Returns whether a name in a calendar is of one of this house's own bookings or carts, exported earlier.
pub(super) fn own(work: &mut UnitOfWork<'_>, uid: &str) -> Result<bool, Failure> {
    let own = uid.strip_suffix(OWN);
    // a booking of several stretches has one event each: `ID`, `ID.2`
    let id = own.and_then(|id| id.split('.').next()?.parse().ok());
    let Some(id) = id.map(|id: BookingId| id.to_string()) else {
        return Ok(false);
    };
    Ok(work.find::<Booking>(&id)?.is_some() || work.find::<Cart>(&id)?.is_some())
}

/// Makes the house as a calendar has it: its booking moves, comes or goes.
pub(super) fn agree(work: &mut UnitOfWork<'_>, what: &WorkKind) -> Result<(), Failure> {
    let WorkKind::Differs { calendar, name, resource, there, title, .. } = what else {
        return Err(CorrectionRefusal::NothingEqualFree.into());
    };
    let booking = imported(work, std::slice::from_ref(name))?.remove(name);
    let booking = booking.filter(|booking| booking.state == BookingState::Active);
    let (slot, booking) = match (there, booking) {
        (Some(slot), Some(booking)) => {
            let moving = MoveBooking {
                booking: booking.id,
                from: None,
                to: Some(resource.clone()),
                part: None,
                slot: *slot,
                reach: Reach::This,
                past: Past::Record,
                whose: Whose::Anybody,
            };
            (*slot, moving.run(work)?.pop())
        }
        (Some(slot), None) => {
            let price = work.settings()?.followed.get(calendar).map(|followed| followed.price);
            let title = if title.is_empty() { calendar } else { title };
            let details = Details { title: title.clone(), price, ..Details::default() };
            let wants = [Want::all(vec![resource.clone()], *slot)];
            (*slot, Some(book(work, &wants, &Request::new(Cause::Booking, &details, Past::Record))?))
        }
        (None, booking) => return booking.map_or(Ok(()), |booking| forget(work, booking)),
    };
    let (imported_as, brought) = (Some(name.clone()), Some(Brought { calendar: calendar.clone(), slot }));
    booking.map_or(Ok(()), |booking| work.put(&Booking { imported_as, brought, ..booking }))
}

/// Ends a booking whose calendar may bring its time again.
pub(super) fn forget(work: &mut UnitOfWork<'_>, mut booking: Booking) -> Result<(), Failure> {
    booking.imported_as = None;
    booking.brought = None;
    end_booking(work, &mut booking)
}
