//! Refusals about tills, and about comps.

use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal of an act on a till, or of a sale without one. Amounts are in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TillRefusal {
    TillOpen {
        station: String,
        operator: String,
        since: Instant,
    },
    TillClosed {
        station: String,
    },
    /// More would be taken out of it than is in.
    MoreThanInTill {
        left: i64,
        currency: Currency,
    },
    /// More cash would go back than is in it.
    TillShort {
        station: String,
        left: i64,
        back: i64,
        currency: Currency,
    },
    /// Cash was moved too often.
    TillFull {
        station: String,
        most: usize,
    },
    /// Drawers whose cash nobody counted.
    NotCounted {
        currencies: Vec<Currency>,
    },
    /// A cart is being sold at its station.
    SaleUnderWay {
        station: String,
        seats: usize,
        pays_by_card: bool,
    },
    /// Comps are given without a reason.
    CompReason {
        types: Vec<String>,
    },
}

impl From<TillRefusal> for Refusal {
    fn from(refusal: TillRefusal) -> Self {
        Self::Till(refusal)
    }
}
