//! A performance has its hall, from get-in to get-out.

use crate::domain::booking::{Booking, BookingState, Cause, Details};
use crate::domain::ids::BookingId;
use crate::domain::performance::{Performance, Theater};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, Request, Want, book, end};
use crate::engine::ops::displacing::dealt_with;
use crate::engine::work::{Failure, Work};

/// Books the hall of a theater for a performance, under an owner of its own; a theater without one needs none.
///
/// # Errors
/// Something else has the hall then.
pub(super) fn take(
    work: &mut Work<'_>,
    theater: &Theater,
    performance: &Performance,
) -> Result<Option<BookingId>, Failure> {
    let (Some(hall), Ok(slot)) = (&theater.hall, Slot::new(performance.start, performance.end))
    else {
        return Ok(None);
    };
    let details = Details {
        title: performance.title.clone(),
        ..Details::default()
    };
    let request = Request {
        cause: Cause::Performance(performance.id),
        details: &details,
        series: None,
        past: Past::Refuse,
    };
    let booking = book(work, &[Want::all(vec![hall.clone()], slot)], &request)?;
    Ok(Some(booking.id))
}

/// Frees the hall of a performance that does not take place.
pub(super) fn free(work: &mut Work<'_>, performance: &Performance) -> Result<(), Failure> {
    let Some(id) = performance.hall else {
        return Ok(());
    };
    let mut booking: Booking = work.get(id)?;
    if booking.state == BookingState::Active {
        end(work, &mut booking)?;
        dealt_with(work, &booking.owner(), "the performance was canceled")?;
    }
    Ok(())
}
