//! What changed in the house, in the screen's words.

use chrono::NaiveDate;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::resource::ResourceId;

/// What changed in the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nobody can say: everything may have.
    Everything,
    /// These did.
    These(Vec<Subject>),
}

/// Something in the house that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Seats of a performance.
    Seats(PerformanceId),
    /// A performance itself.
    Performance(PerformanceId),
    /// A cart.
    Cart(CartId),
    /// A receipt.
    Receipt(ReceiptId),
    /// A day of a resource.
    Day(ResourceId, NaiveDate),
    /// A resource itself.
    Resource(ResourceId),
    /// A booking itself.
    Booking(BookingId),
    /// The worklist.
    Worklist,
    /// Anything else.
    Other,
}

impl Changed {
    /// Whether something that matters to the asker may have changed.
    pub fn touches(&self, matters: impl Fn(Subject) -> bool) -> bool {
        match self {
            Self::Everything => true,
            Self::These(subjects) => subjects.iter().any(|subject| matters(subject.clone())),
        }
    }
}
