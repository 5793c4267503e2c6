//! Cancels bookings.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, BookingState};
use crate::domain::ids::BookingId;
use crate::engine::ops::booking::{Reach, Whose, cancelable, end_booking, reached, standing};
use crate::engine::ops::worklist::resolve_items_of;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Cancels a booking, or part of its repeat, and frees its remaining time. Repeating it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelBooking {
    pub booking: BookingId,
    #[serde(default)]
    pub reach: Reach,
    /// Operators whose out-of-use time may be changed.
    pub whose: Whose,
}

impl Operation for CancelBooking {
    const VERB: &'static str = "cancel_booking";
    type Answer = Vec<Booking>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Booking>, Failure> {
        let found: Booking = work.get(self.booking)?;
        if found.state == BookingState::Canceled && self.reach == Reach::This {
            return Ok(vec![found]);
        }
        let found = if found.state == BookingState::Canceled { found } else { standing(work, self.booking)? };
        let mut bookings = reached(work, found, self.reach)?;
        for booking in &mut bookings {
            cancelable(work, booking, self.whose)?;
            end_booking(work, booking)?;
            resolve_items_of(work, &booking.owner(), "canceled")?;
        }
        Ok(bookings)
    }
}
