//! What the house is to do about a waiting list, in the screen's words.

use crate::domain::cart::Customer;
use crate::domain::ids::{PerformanceId, WaitId};

/// Something that the house is to do about a waiting list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitingCommand {
    /// Put somebody at the end of the line.
    Add {
        /// Of this performance.
        performance: PerformanceId,
        /// Who.
        customer: Customer,
        /// For how many seats together.
        seats: u32,
        /// Only of this category, by name.
        category: Option<String>,
    },
    /// Take somebody off; what is held for them goes to the next.
    Remove(WaitId),
}
