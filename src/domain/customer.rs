//! Customers: name and phone as given, and the stored record.
//!
//! A cart, receipt, booking, repeat or waiting list entry names a customer by id; name, phone, mail and note are in the
//! record alone, so that a changed spelling shows everywhere, and a deleted record leaves no text behind.

use serde::{Deserialize, Serialize};

use crate::domain::ids::CustomerId;
use crate::domain::text::{digits, folded};

/// Name and phone of a customer; both may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phone: String,
}

impl Customer {
    /// Returns whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.name.is_empty() && self.phone.is_empty()
    }

    /// Form for searching: the name without case and accents, then the digits of the phone.
    pub fn searched(&self) -> String {
        let both = format!("{} {}", folded(&self.name), digits(&self.phone));
        both.trim().to_owned()
    }
}

/// Record of a customer, which documents name by its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerRecord {
    pub id: CustomerId,
    /// Random text: the journal's hash of the record cannot be found by guessing names.
    pub salt: String,
    #[serde(flatten)]
    pub customer: Customer,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mail: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
