//! The seats that somebody wants, in the screen's words.

use crate::domain::best::{Access, Aisle};
use crate::domain::plan::SeatRef;

/// Which seats somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedSeats {
    /// These.
    Seats(Vec<SeatRef>),
    /// These, by name.
    Named(Vec<String>),
    /// The best ones.
    Best(BestWish),
}

/// What "best" is to keep to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestWish {
    /// How many seats together.
    pub count: u32,
    /// Only this category, by name.
    pub category: Option<String>,
    /// Only this zone, by name.
    pub zone: Option<String>,
    /// Whether one of them is to be on an aisle.
    pub aisle: Aisle,
    /// Whether a wheelchair place is to be among them.
    pub access: Access,
}
