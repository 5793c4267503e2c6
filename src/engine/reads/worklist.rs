//! What waits until an operator has dealt with it.

use crate::domain::house::WorkItem;
use crate::domain::ids::PerformanceId;

/// An open item of the worklist with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkView {
    /// The item.
    pub item: WorkItem,
    /// The performance it is about, when there is one.
    pub performance: Option<PerformanceId>,
    /// That performance's title.
    pub title: String,
    /// Names of the seats.
    pub seats: Vec<String>,
    /// The owner in words: `receipt till-2/457`, `cart ..3fa2c1`.
    pub owner: String,
}

/// Asks for the open items, unissued payments first, then oldest first.
#[derive(Clone, Copy, Debug)]
pub struct ReadWorklist;
