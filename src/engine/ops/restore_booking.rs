//! Restores canceled bookings.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Cause, joined_units};
use crate::domain::ids::BookingId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::booking::{Past, bookable, not_over};
use crate::engine::ops::claims;
use crate::engine::ops::customers;
use crate::engine::ops::paying;
use crate::engine::ops::taking::{number, set_apart};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Restores canceled bookings with their original time, all or none. Active ones stay. Disables and
/// halls of performances have their own operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreBooking {
    pub bookings: Vec<BookingId>,
}

impl Operation for RestoreBooking {
    const VERB: &'static str = "restore_booking";
    type Answer = Vec<Booking>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Booking>, Failure> {
        let mut bookings = Vec::with_capacity(self.bookings.len());
        for id in &self.bookings {
            let mut booking: Booking = work.get(*id)?;
            if booking.state == BookingState::Canceled {
                restore(work, &mut booking)?;
            }
            bookings.push(booking);
        }
        Ok(bookings)
    }
}

fn restore(work: &mut UnitOfWork<'_>, booking: &mut Booking) -> Result<(), Failure> {
    match &booking.cause {
        Cause::Booking | Cause::Maintenance | Cause::Relocation | Cause::Other(_) => {}
        Cause::Disable | Cause::OutOfService => {
            let title = customers::title(work, booking)?;
            return Err(Refusal::NotABooking { title }.into());
        }
        Cause::Performance(_) => {
            let title = customers::title(work, booking)?;
            return Err(Refusal::HallOfPerformance { title }.into());
        }
    }
    let mut taken = Vec::with_capacity(booking.taken.len());
    for asked in booking.asked() {
        for wanted in asked.still_wanted() {
            not_over(work, wanted)?;
            let wanted = (&asked.resource, wanted);
            let mut again = bookable(work, wanted, (&booking.cause, Past::Closed))?;
            number(work, &mut again, asked.number)?;
            taken.extend(again);
        }
    }
    if taken.is_empty() {
        let title = customers::title(work, booking)?;
        return Err(Refusal::BookingCanceled { title }.into());
    }
    taken = joined_units(taken);
    set_apart(&mut taken);
    let act = (&booking.owner(), Act::Book { until: None });
    claims::act(work, &taken, act)?;
    booking.taken = taken;
    booking.state = BookingState::Active;
    // the fee kept for the cancellation pays for the booking again
    booking.kept = 0;
    paying::put(work, booking)
}
