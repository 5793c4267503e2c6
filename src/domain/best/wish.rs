//! A customer's wish for the best seats.

use serde::{Deserialize, Serialize};

use crate::domain::plan::{Plan, SeatKind, SeatRef};

/// A customer's wish for best seats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatWish {
    /// Number of seats together.
    pub count: u32,
    /// Only this category, as an index into [`Plan::categories`].
    pub category: Option<u16>,
    /// Only this zone, by its name without regard to case.
    pub zone: Option<String>,
    pub aisle: Aisle,
    pub access: Access,
}

/// Request for wheelchair places and the seats beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Neither is taken.
    #[default]
    Ordinary,
    /// At least one wheelchair place; the others are companion seats or ordinary ones.
    Wheelchair,
}

impl Access {
    /// Wish under which alternatives to these seats are searched.
    pub fn of(plan: &Plan, seats: &[SeatRef]) -> Self {
        let is = |seat: &SeatRef| {
            let found = plan.seat(*seat);
            found.is_some_and(|found| found.kind == SeatKind::Wheelchair)
        };
        if seats.iter().any(is) { Self::Wheelchair } else { Self::Ordinary }
    }
}

/// Preference for an aisle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aisle {
    #[default]
    Any,
    /// As near to an aisle or the end of a row as can be.
    Near,
}
