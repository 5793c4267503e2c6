//! Lines of a cart: seats of one price, and time of one resource.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Taken;
use crate::domain::ids::PerformanceId;
use crate::domain::money::{self, MoneyError};
use crate::domain::plan::SeatRef;

/// Some seats of one performance at one price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Counted from 1, never used twice in a cart; with the cart it is the line's id.
    pub number: u32,
    /// The performance.
    pub performance: PerformanceId,
    /// The ticket type.
    pub ticket_type: String,
    /// The price of one seat as it was when the seat was taken, in minor units.
    pub unit_price: i64,
    /// The seats, sorted, never none.
    pub seats: Vec<SeatRef>,
}

/// A slot of one resource, with its parts, at one price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotLine {
    /// Counted with the seats' lines, never used twice in a cart.
    pub number: u32,
    /// Time taken: of the requested resource first, then of each of its parts; never empty.
    pub taken: Vec<Taken>,
    /// The price of one segment as it was when it was taken, in minor units.
    pub unit_price: i64,
    /// How many segments it has, without what is needed before and after.
    pub segments: u32,
}

impl SlotLine {
    /// The price of all its segments.
    pub fn total(&self) -> Result<i64, MoneyError> {
        money::times(self.unit_price, self.segments)
    }

    /// The time taken of the requested resource.
    #[must_use]
    pub fn asked(&self) -> Option<&Taken> {
        self.taken.first()
    }
}

impl Line {
    /// The price of all its seats.
    pub fn total(&self) -> Result<i64, MoneyError> {
        money::sum(self.seats.iter().map(|_| self.unit_price))
    }
}
