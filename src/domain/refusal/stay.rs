//! Refusals about guests who come and leave.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;

/// Refusal about a guest who comes, stays or left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StayRefusal {
    /// Nobody checks in before the first day.
    StayNotBegun { title: String, from: NaiveDate },
    /// A guest who was not checked in can't check out.
    NotCheckedIn { title: String },
    /// The booking of a guest who left stays as it is.
    GuestLeft { title: String },
    /// The booking of a guest who is in the house can't be canceled.
    GuestInHouse { title: String },
    /// An amount is open, in minor units; the guest leaves with it only on purpose.
    StayUnpaid { title: String, open: i64, currency: Currency },
}

impl From<StayRefusal> for Refusal {
    fn from(refusal: StayRefusal) -> Self {
        Self::Stay(refusal)
    }
}
