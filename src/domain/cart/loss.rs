//! Seats and time that were taken from a cart.

use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;

/// A loss of a cart to a disable, a mark, or a performance that was canceled, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Seats of a performance.
    Seats {
        /// The performance.
        performance: PerformanceId,
        /// The seats.
        seats: Vec<SeatRef>,
        /// Why.
        reason: String,
    },
    /// Time of a resource.
    Time {
        /// The resource.
        resource: ResourceId,
        /// The stretches of it.
        slots: Vec<Slot>,
        /// Why.
        reason: String,
    },
}
