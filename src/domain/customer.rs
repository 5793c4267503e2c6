//! The customer of a cart, a receipt or a booking.

use serde::{Deserialize, Serialize};

/// For whom a cart or receipt is; both may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The phone number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phone: String,
}

impl Customer {
    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.name.is_empty() && self.phone.is_empty()
    }
}
