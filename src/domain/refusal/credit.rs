//! Refusals about credits.

use serde::{Deserialize, Serialize};

use crate::domain::credit::CreditCode;
use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal of a payment with a credit. Amounts are in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum CreditRefusal {
    /// Less is left of it.
    #[serde(rename = "credit_short")]
    Short { code: CreditCode, left: i64, currency: Currency },
    #[serde(rename = "credit_expired")]
    Expired { code: CreditCode, until: Instant },
    #[serde(rename = "credit_currency")]
    OtherCurrency { code: CreditCode, currency: Currency, due: Currency },
    /// More than what is due would be paid.
    #[serde(rename = "credit_over")]
    Over { due: i64, currency: Currency },
}

impl From<CreditRefusal> for Refusal {
    fn from(refusal: CreditRefusal) -> Self {
        Self::Credit(refusal)
    }
}
