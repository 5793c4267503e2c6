//! Credits: money that the house owes a customer, under a code that the slip of a correcting receipt has.
//!
//! Its entries name the receipts that owed money and those that were paid with it; their sum is what is left, never below zero.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::ids::ReceiptId;
use crate::domain::money::Currency;
use crate::domain::time::Instant;

/// Letters of a code.
pub const CODE_LETTERS: usize = 12;

/// Letters that look and sound apart; without vowels, so that no code is a word.
const ALPHABET: &[u8; 16] = b"BCDFGHJKLMPRTWXZ";

/// Code of a credit: twelve letters, printed in groups of four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CreditCode([u8; CODE_LETTERS]);

/// Money that the house owes a customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credit {
    pub code: CreditCode,
    pub currency: Currency,
    /// Changes by receipts, oldest first.
    pub entries: Vec<CreditEntry>,
    /// Expiry; `None` never expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
}

/// Change of a credit by a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditEntry {
    pub receipt: ReceiptId,
    /// Amount in minor units: above zero what became owed, below zero what was paid with it.
    pub minor: i64,
}

impl Credit {
    /// Amount that is left, in minor units.
    pub fn left(&self) -> i64 {
        self.entries.iter().map(|entry| entry.minor).sum()
    }

    /// Amount that became owed, in minor units.
    pub fn owed(&self) -> i64 {
        let owed = self.entries.iter().map(|entry| entry.minor.max(0));
        owed.sum()
    }

    /// Returns whether it can pay: something is left, and it has not expired.
    pub fn is_open(&self, now: Instant) -> bool {
        self.left() > 0 && !self.is_over(now)
    }

    /// Returns whether it expired.
    pub fn is_over(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

impl CreditCode {
    /// A new code, different from every other.
    pub fn random() -> Self {
        let random = Uuid::new_v4().into_bytes();
        // bytes 6 and 8 of such an id are not all random
        let random = random.iter().enumerate().filter(|(at, _)| ![6, 8].contains(at));
        let mut code = [b'B'; CODE_LETTERS];
        for (place, (_, byte)) in code.iter_mut().zip(random) {
            let letter = ALPHABET.get(usize::from(byte & 15));
            *place = letter.copied().unwrap_or(*place);
        }
        Self(code)
    }
}

impl fmt::Display for CreditCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.0.chunks(4).map(String::from_utf8_lossy);
        out.pad(&groups.collect::<Vec<_>>().join("-"))
    }
}

impl fmt::Debug for CreditCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The text is not the code of a credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no code of a credit: it has twelve letters, as BCDF-GHJK-LMPR")]
pub struct NotACode;

impl FromStr for CreditCode {
    type Err = NotACode;

    /// Reads a code in any case, with or without the signs between its groups.
    fn from_str(text: &str) -> Result<Self, NotACode> {
        let letters: Vec<u8> = text
            .bytes()
            .filter(|byte| !matches!(byte, b'-' | b' ' | b'.'))
            .map(|byte| byte.to_ascii_uppercase())
            .collect();
        let known = letters.iter().all(|letter| ALPHABET.contains(letter));
        let code = letters.try_into().map_err(|_| NotACode)?;
        if known { Ok(Self(code)) } else { Err(NotACode) }
    }
}

stored_as_text!(CreditCode);

#[cfg(test)]
mod tests {
    use super::{CreditCode, NotACode};

    #[test]
    fn a_code_is_read_as_it_is_printed_and_as_it_is_typed() {
        let code = CreditCode::random();
        let printed = code.to_string();
        assert_eq!(printed.len(), 14, "{printed}");
        let typed = printed.replace('-', " ").to_lowercase();
        assert_eq!((printed.parse(), typed.parse()), (Ok(code), Ok(code)));
        assert_ne!(code, CreditCode::random());
        for wrong in ["", "BCDF", "BCDF-GHJK-LMPRT", "BCDF-GHJK-LMPO", "ß"] {
            assert_eq!(wrong.parse::<CreditCode>(), Err(NotACode), "{wrong}");
        }
    }
}
