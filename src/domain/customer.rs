//! Customers: name and phone as given, and the stored record.
//!
//! A cart, receipt, booking, repeat or waiting list entry names a customer by id; name, phone, mail and note are in the
//! record alone, so that a changed spelling shows everywhere, and a deleted record leaves no text behind.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::ids::CustomerId;
use crate::domain::is_default;
use crate::domain::private;
use crate::domain::text::{digits, folded};

mod line;
mod sought;

pub use line::{CustomerLine, LineProblem, LineRefused};
pub use sought::Sought;

/// Name shown for a customer who was forgotten.
pub const FORGOTTEN: &str = "(forgotten)";

/// Fewest digits by which two spellings of a phone are compared: fewer are part of one.
const PHONE_LEAST: usize = 6;

/// Digits of a phone from its end that no spelling changes.
pub const PHONE_END: usize = 7;

/// Name, phone and mail of a customer; each may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub phone: String,
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub mail: String,
}

impl Customer {
    /// Returns whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.name.is_empty() && self.phone.is_empty() && self.mail.is_empty()
    }

    /// Name with the last name first, as lists at a counter are sorted: `Weber, Ida`.
    pub fn last_first(&self) -> String {
        match self.name.trim().rsplit_once(' ') {
            Some((first, last)) if !self.name.contains([',', '(']) => format!("{last}, {}", first.trim()),
            Some(_) | None => self.name.clone(),
        }
    }

    /// Form for searching: the name without case and accents, then the digits of the phone.
    pub fn searched(&self) -> String {
        let both = format!("{} {}", folded(&self.name), digits(&self.phone));
        both.trim().to_owned()
    }
}

impl fmt::Display for Customer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(format!("{} {}", self.name, self.phone).trim())
    }
}

/// Record of a customer, which documents name by its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerRecord {
    pub id: CustomerId,
    #[serde(flatten)]
    pub customer: Customer,
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub note: String,
    /// Why the record has no words any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<Gone>,
    /// Documents of others and public texts that still named a forgotten customer, each as kind and key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_in: Vec<String>,
    /// The bytes of a forgotten customer's words are still in the database.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scrub_due: bool,
}

/// Reason why a record has no words any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gone {
    Forgotten,
    /// Part of another record now.
    Merged(CustomerId),
}

impl CustomerRecord {
    /// Name, phone and mail as shown.
    pub fn shown(&self) -> Customer {
        match self.gone {
            Some(Gone::Forgotten) => Customer { name: FORGOTTEN.to_owned(), ..Customer::default() },
            Some(Gone::Merged(_)) | None => self.customer.clone(),
        }
    }

    /// Fills empty fields from another record.
    pub fn fill(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.customer.name, &other.customer.name),
            (&mut self.customer.phone, &other.customer.phone),
            (&mut self.customer.mail, &other.customer.mail),
            (&mut self.note, &other.note),
        ] {
            if mine.is_empty() {
                mine.clone_from(theirs);
            }
        }
    }

    /// The record of the same id without words.
    #[must_use]
    pub fn emptied(&self, gone: Gone) -> Self {
        Self {
            id: self.id,
            customer: Customer::default(),
            note: String::new(),
            gone: Some(gone),
            named_in: Vec::new(),
            scrub_due: gone == Gone::Forgotten,
        }
    }
}

/// Returns whether a text is an address of mail.
pub fn is_mail(text: &str) -> bool {
    let is_whole = |(name, place): (&str, &str)| !name.is_empty() && place.contains('.');
    text.split_once('@').is_some_and(is_whole) && !text.contains(' ')
}

/// Returns whether a word is part of a phone number: digits and the usual signs.
pub fn is_number(word: &str) -> bool {
    let signs = |letter: char| letter.is_ascii_digit() || "+-/().".contains(letter);
    word.chars().all(signs) && !digits(word).is_empty()
}

/// Returns whether two texts are spellings of one phone: with or without a country code, zeros and signs.
pub fn is_same_phone(one: &str, other: &str) -> bool {
    let (one, other) = (digits(one), digits(other));
    let bare = |digits: &str| digits.trim_start_matches('0').to_owned();
    let (short, long) = (bare(&one), bare(&other));
    one == other || short.len().min(long.len()) >= PHONE_LEAST && (short.ends_with(&long) || long.ends_with(&short))
}

#[cfg(test)]
mod tests {
    use super::is_same_phone;

    #[test]
    fn a_phone_is_known_in_any_spelling() {
        for (one, other) in [
            ("0171 555 1234", "+49 (171) 555-1234"),
            ("0049171/5551234", "01715551234"),
            ("07700 900417", "+44 7700 900417"),
            ("110", "110"),
        ] {
            assert!(is_same_phone(one, other) && is_same_phone(other, one), "{one}");
        }
        for (one, other) in [("0171 555 1234", "0172 555 1234"), ("0417", "07700 900417")] {
            assert!(!is_same_phone(one, other) && !is_same_phone(other, one), "{one}");
        }
    }
}
