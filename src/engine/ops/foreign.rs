//! Times of calendars of others: the bookings that they were brought as, and those that came from here.

use std::collections::HashMap;

use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::ids::BookingId;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Value;

/// Suffix of a booking's id in calendar files of this house.
pub const OWN: &str = "@willcall";

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
