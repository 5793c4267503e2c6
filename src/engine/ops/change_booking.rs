//! Changes the details of a booking, not its time.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::customer::Customer;
use crate::domain::ids::BookingId;
use crate::domain::money::{AMOUNT_MINOR_MAX, Price};
use crate::domain::private;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::text::clean;
use crate::engine::ops::booking::standing;
use crate::engine::ops::customers;
use crate::engine::ops::paying;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes the details of a booking; omitted ones stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeBooking {
    pub booking: BookingId,
    #[serde(serialize_with = "private::optional::serialize")]
    pub title: Option<String>,
    pub customer: Option<Customer>,
    #[serde(serialize_with = "private::optional::serialize")]
    pub note: Option<String>,
    pub price: Option<Price>,
}

impl ChangeBooking {
    /// Creates an empty change.
    pub fn of(booking: BookingId) -> Self {
        Self { booking, title: None, customer: None, note: None, price: None }
    }
}

impl Operation for ChangeBooking {
    const VERB: &'static str = "change_booking";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        if let Some(title) = self.title.as_deref().map(clean).filter(|title| !title.is_empty()) {
            booking.title = title;
        }
        if let Some(customer) = &self.customer {
            booking.customer = customers::named(work, customer, booking.customer)?;
        }
        if let Some(note) = &self.note {
            booking.note = clean(note);
        }
        if let Some(price) = self.price {
            if price.minor < 0 || price.minor > AMOUNT_MINOR_MAX {
                return Err(Refusal::bad("price", Problem::Amount).into());
            }
            booking.price = Some(price);
        }
        paying::put(work, &booking)?;
        Ok(booking)
    }
}
