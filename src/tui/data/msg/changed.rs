//! Changes in the house, as the screen sees them.

use chrono::NaiveDate;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::resource::ResourceId;

/// Change in the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Unknown extent: everything may have changed.
    Everything,
    These(Vec<Subject>),
}

/// Subject of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Seats(PerformanceId),
    Performance(PerformanceId),
    Cart(CartId),
    Receipt(ReceiptId),
    Day(ResourceId, NaiveDate),
    Resource(ResourceId),
    Booking(BookingId),
    Customer,
    Worklist,
    Settings,
    Other,
}

impl Changed {
    /// True if a subject matching the predicate may have changed.
    pub(crate) fn touches(&self, matters: impl Fn(Subject) -> bool) -> bool {
        match self {
            Self::Everything => true,
            Self::These(subjects) => subjects.iter().any(|subject| matters(subject.clone())),
        }
    }

    /// True if the calendar of a resource may have changed.
    pub(crate) fn touches_days(&self) -> bool {
        self.touches(|subject| matches!(subject, Subject::Day(..)))
    }
}
