//! Operation that releases a part of a booking's time.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, BookingState};
use crate::domain::ids::BookingId;
use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Whose, allowed, not_left, price, price_follows, standing};
use crate::engine::ops::paying;
use crate::engine::ops::releases::give_back;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Releases the whole segments of a booking inside a slot, or refuses; the rest stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseSlot {
    pub booking: BookingId,
    /// Resource, with its parts; all resources if `None`.
    pub resource: Option<ResourceId>,
    pub slot: Slot,
    /// Operators whose out-of-use time may be changed.
    pub whose: Whose,
}

impl Operation for ReleaseSlot {
    const VERB: &'static str = "release_slot";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        allowed(work, &booking, self.whose)?;
        not_left(work, &booking)?;
        let follows = price_follows(work, &booking)?;
        give_back(work, &mut booking, (self.resource.as_ref(), self.slot))?;
        if !booking.is_live() {
            booking.state = BookingState::Canceled;
        } else if follows {
            booking.price = price(work, &booking.taken)?;
        }
        paying::put(work, &booking)?;
        Ok(booking)
    }
}
