//! Somebody who waits for seats of a performance: first come, first offered, each once.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Customer;
use crate::domain::ids::{CartId, PerformanceId, WaitId};
use crate::domain::time::Instant;

/// Somebody on the waiting list of a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its id.
    pub id: WaitId,
    /// The performance.
    pub performance: PerformanceId,
    /// Who waits.
    pub customer: Customer,
    /// For how many seats together.
    pub seats: u32,
    /// Only of this category of the plan, by index; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<u16>,
    /// Since when; that is the order of the line.
    pub since: Instant,
    /// Who put them on the list.
    pub operator: String,
    /// Where they stand.
    pub state: WaitState,
}

/// Where somebody on a waiting list stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum WaitState {
    /// Nothing that fits has come free yet.
    Waiting,
    /// Seats are held for them.
    Offered {
        /// In this cart.
        cart: CartId,
        /// When the offer was made.
        at: Instant,
    },
    /// They took the offer: the cart is paid, or reserved for them.
    Served {
        /// The cart.
        cart: CartId,
    },
    /// They did not take the offer in time: the next in line has had it since.
    Lapsed {
        /// The cart.
        cart: CartId,
        /// When that was seen.
        at: Instant,
    },
    /// Somebody took them off the list.
    Removed {
        /// Who.
        operator: String,
        /// When.
        at: Instant,
    },
    /// The performance started, or was canceled.
    Closed {
        /// When that was seen.
        at: Instant,
    },
}

impl WaitState {
    /// Its one word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Offered { .. } => "offered",
            Self::Served { .. } => "served",
            Self::Lapsed { .. } => "lapsed",
            Self::Removed { .. } => "removed",
            Self::Closed { .. } => "closed",
        }
    }

    /// Whether they still stand in line or have an offer.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Waiting | Self::Offered { .. })
    }
}
