//! Refusals about prices by rule.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal of a price that no rule can work out, or of a list that something is priced by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PriceRefusal {
    /// The rule multiplies by a property that the resource lacks.
    RuleLacks { rule: String, resource: String, needs: String },
    /// No rule of the list fits a segment, and the resource has no price of its own.
    NoRuleFits { resource: String, list: String, from: Instant, zone: Tz },
    /// The rule has prices in other currencies only.
    NotInCurrency { rule: String, wanted: Currency, currencies: Vec<Currency> },
    /// Resources are priced by the list.
    ListInUse { list: String, resources: Vec<String> },
    /// The ticket type is meant where none is named.
    UsualType { ticket_type: String },
}

impl From<PriceRefusal> for Refusal {
    fn from(refusal: PriceRefusal) -> Self {
        Self::Price(refusal)
    }
}
