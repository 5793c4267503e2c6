//! Refusals about customers.

use serde::{Deserialize, Serialize};

use crate::domain::ids::CustomerId;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal of an act on a customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum CustomerRefusal {
    #[serde(rename = "customer_forgotten")]
    Forgotten,
    #[serde(rename = "customer_merged")]
    Merged { into: CustomerId },
    /// A customer can't be merged with itself.
    #[serde(rename = "customer_same")]
    Same,
    /// A name and a phone or mail: one of them has to stay.
    #[serde(rename = "customer_without_words")]
    WithoutWords,
    /// The customer has something that is not over.
    #[serde(rename = "customer_open")]
    Open { what: Vec<OpenMatter> },
}

/// Open matter of a customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum OpenMatter {
    /// Cart that is held or reserved.
    Cart { id: String, until: Instant },
    /// Booking that is not over.
    Booking { id: String, until: Instant },
    /// Entry of a waiting list.
    Waiting { id: String },
    /// Credit with money left.
    Credit { code: String },
    /// Item on the worklist.
    Work { id: String },
}

impl From<CustomerRefusal> for Refusal {
    fn from(refusal: CustomerRefusal) -> Self {
        Self::Customer(refusal)
    }
}
