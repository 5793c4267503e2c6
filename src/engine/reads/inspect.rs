//! One seat with its story, and finding anything by what people remember of it.

use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::plan::SeatRef;
use crate::domain::time::Instant;

/// A seat of a performance, with its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatStory {
    /// The seat's name.
    pub seat: String,
    /// What stands on it, in a sentence.
    pub now: String,
    /// The receipt that has it.
    pub receipt: Option<(ReceiptId, String)>,
    /// What happened to it, newest first.
    pub events: Vec<SeatEvent>,
}

/// Something that happened to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatEvent {
    /// When.
    pub at: Instant,
    /// By whom.
    pub operator: String,
    /// Where.
    pub station: String,
    /// What it became: `held`, `booked`, `disabled`, `free`.
    pub state: String,
}

/// Asks for a seat's story.
#[derive(Clone, Copy, Debug)]
pub struct ReadSeatStory {
    /// The performance.
    pub performance: PerformanceId,
    /// The seat.
    pub seat: SeatRef,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What to open.
    pub target: HitTarget,
    /// What people read.
    pub label: String,
}

/// What a hit opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// A performance.
    Performance(PerformanceId),
    /// A seat of a performance.
    Seat(PerformanceId, SeatRef),
    /// A receipt.
    Receipt(ReceiptId),
    /// An open cart.
    Cart(CartId),
}

/// Finds performances by title, receipts by number or customer, open carts by customer or id, best first.
#[derive(Clone, Debug)]
pub struct ReadFind {
    /// What somebody typed.
    pub text: String,
    /// The performance on the screen, whose seats are found by name.
    pub performance: Option<PerformanceId>,
}
