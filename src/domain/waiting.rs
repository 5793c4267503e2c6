//! Waiting lists of performances: by priority, then first come, first offered, each entry once.

use serde::{Deserialize, Serialize};

use crate::domain::ids::{CartId, CustomerId, PerformanceId, WaitId};
use crate::domain::time::Instant;

/// An entry on the waiting list of a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub id: WaitId,
    pub performance: PerformanceId,
    pub customer: CustomerId,
    /// For how many seats together.
    pub seats: u32,
    /// Only of this category of the plan, by index; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<u16>,
    /// Lower ones are offered seats first.
    #[serde(default = "Waiting::usual", skip_serializing_if = "Waiting::is_usual")]
    pub priority: u32,
    /// Since when; that is the order among those of one priority.
    pub since: Instant,
    pub operator: String,
    pub state: WaitState,
}

impl Waiting {
    /// The priority of an entry that names none.
    pub const fn usual() -> u32 {
        1
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    const fn is_usual(priority: &u32) -> bool {
        *priority == Self::usual()
    }

    /// Sorts by the order in which seats are offered.
    pub fn in_order(line: &mut [Self]) {
        line.sort_by_key(|one| (one.performance, one.priority, one.since, one.id));
    }
}

/// The state of an entry on a waiting list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum WaitState {
    Waiting,
    Offered {
        cart: CartId,
        at: Instant,
    },
    /// Served: the offered cart is paid, or reserved for the customer.
    Served {
        cart: CartId,
    },
    /// Lapsed: the offer was not taken in time; the next entry has had it since.
    Lapsed {
        cart: CartId,
        /// Time at which that was found.
        at: Instant,
    },
    Removed {
        operator: String,
        at: Instant,
    },
    Closed {
        /// Time at which that was found.
        at: Instant,
    },
}

worded!(WaitState);

impl WaitState {
    /// Returns whether it is waiting or has an offer.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Waiting | Self::Offered { .. })
    }
}
