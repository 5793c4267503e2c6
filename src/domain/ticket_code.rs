//! Codes of tickets: 20 letters that only a house with its key can make, and that say where to look.
//!
//! The first seven letters are the time in the receipt's id, to 16 ms: the few receipts made then lie together, so neither a
//! row nor an index is kept for a ticket. The other thirteen are 65 bits of a keyed hash of receipt, line, seat and issue. A
//! reprint has the same code; the next issue has another, and the one before is dead.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use crate::domain::ids::ReceiptId;
use crate::domain::plan::SeatRef;
use crate::domain::private;

/// Letters of a code, five bits each.
pub const CODE_LETTERS: usize = 20;

/// Bits of the keyed hash.
const HASH_BITS: u32 = 65;

/// Bits of the time of a receipt, in units of 16 ms: it comes again after 17 years.
const TIME_BITS: u32 = 35;

/// Digits of an id that are its time in units of 16 ms.
const TIME_DIGITS: usize = 11;

/// Digits and letters that look apart, as Crockford wrote them.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Secret of the house by which its codes are made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketKey {
    #[serde(with = "private")]
    key: String,
}

impl fmt::Debug for TicketKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TicketKey")
    }
}

/// Ticket of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketPlace {
    pub receipt: ReceiptId,
    /// Number of the line.
    pub line: u32,
    pub seat: SeatRef,
}

/// Code of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicketCode(u128);

stored_as_text!(TicketCode);

impl TicketKey {
    /// A new key, of 244 random bits.
    pub fn random() -> Self {
        Self { key: format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()) }
    }

    /// Code of an issue of a ticket, counted from 1; `None` if the key has no text.
    pub fn code(&self, place: &TicketPlace, issue: usize) -> Option<TicketCode> {
        if self.key.is_empty() {
            return None;
        }
        let mut hash = Hmac::<Sha256>::new_from_slice(self.key.as_bytes()).ok()?;
        let id = place.receipt.to_string();
        hash.update(format!("{id} {} {} {} {issue}", place.line, place.seat.row, place.seat.seat).as_bytes());
        let bytes = hash.finalize().into_bytes();
        let hashed = bytes.iter().take(16).fold(0_u128, |all, byte| all << 8 | u128::from(*byte));
        let time = time(place.receipt) & low(TIME_BITS);
        Some(TicketCode(time << HASH_BITS | hashed & low(HASH_BITS)))
    }
}

/// Time in an id, in units of 16 ms.
fn time(receipt: ReceiptId) -> u128 {
    let digits: String = receipt.to_string().replace('-', "").chars().take(TIME_DIGITS).collect();
    u128::from_str_radix(&digits, 16).unwrap_or_default()
}

/// The lowest bits, so many.
const fn low(bits: u32) -> u128 {
    (1 << bits) - 1
}

impl TicketCode {
    /// First digits of the ids of the receipts it can be of, within 8 years of now.
    pub fn receipt_begin(self) -> String {
        let latest = time(ReceiptId::random()) + (1 << (TIME_BITS - 1));
        let time = latest - (latest.wrapping_sub(self.0 >> HASH_BITS) & low(TIME_BITS));
        let digits = format!("{time:0TIME_DIGITS$x}");
        let (seconds, rest) = digits.split_at(8);
        format!("{seconds}-{rest}")
    }

    /// Its letters in one word, as a scanner reads them.
    pub fn letters(self) -> String {
        self.to_string().replace('-', "")
    }
}

impl fmt::Display for TicketCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |place: usize| {
            let value = usize::try_from(self.0 >> (5 * place) & 31).unwrap_or_default();
            char::from(ALPHABET.get(value).copied().unwrap_or(b'0'))
        };
        let group = |group: usize| (0..4).map(|at| letter(CODE_LETTERS - 1 - 4 * group - at)).collect::<String>();
        out.pad(&(0..CODE_LETTERS / 4).map(group).collect::<Vec<_>>().join("-"))
    }
}

/// The text is not the code of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATicketCode {
    #[error("the code of a ticket has 20 letters, as 4K7Q-9C2M-XR0B-VT1H-8N5D; this has {0}")]
    Letters(usize),
    #[error("the code of a ticket has digits and letters without I, L, O and U, and no {0:?}")]
    Letter(char),
}

impl FromStr for TicketCode {
    type Err = NotATicketCode;

    /// Reads a code as it is scanned or typed: in small letters too, in groups, and with letters for the digits that
    /// they look like.
    fn from_str(text: &str) -> Result<Self, NotATicketCode> {
        let signs = text.chars().filter(|sign| !sign.is_whitespace() && *sign != '-');
        let (mut code, mut count) = (0_u128, 0);
        for sign in signs {
            let letter = match sign.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            };
            let value = (0_u128..).zip(ALPHABET).find(|(_, known)| char::from(**known) == letter);
            code = code << 5 | value.ok_or(NotATicketCode::Letter(sign))?.0;
            count += 1;
        }
        if count == CODE_LETTERS { Ok(Self(code)) } else { Err(NotATicketCode::Letters(count)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{NotATicketCode, TicketCode, TicketKey, TicketPlace};
    use crate::domain::ids::ReceiptId;
    use crate::domain::plan::SeatRef;

    fn place() -> TicketPlace {
        TicketPlace { receipt: ReceiptId::random(), line: 1, seat: SeatRef { row: 2, seat: 3 } }
    }

    #[test]
    fn a_code_is_read_as_it_is_scanned_or_typed() {
        let place = place();
        let code = TicketKey::random().code(&place, 1).unwrap();
        let text = code.to_string();
        assert_eq!((text.len(), code.letters().len()), (24, 20));
        assert!(place.receipt.to_string().starts_with(&code.receipt_begin()));
        let typed = format!(" {} ", text.to_lowercase().replace('0', "o").replace('1', "l"));
        assert_eq!([text.parse(), typed.parse(), code.letters().parse()], [Ok(code); 3]);
        let more = format!("{text}0");
        for (wrong, problem) in [
            ("", NotATicketCode::Letters(0)),
            (&text[..9], NotATicketCode::Letters(8)),
            (&more, NotATicketCode::Letters(21)),
            ("4K7U", NotATicketCode::Letter('U')),
            ("ü", NotATicketCode::Letter('ü')),
        ] {
            assert_eq!(wrong.parse::<TicketCode>(), Err(problem), "{wrong}");
        }
        assert_eq!("Z".repeat(9999).parse::<TicketCode>(), Err(NotATicketCode::Letters(9999)));
    }

    #[test]
    fn a_code_names_a_receipt_of_years_ago_and_of_a_clock_that_is_ahead() {
        let now = super::time(ReceiptId::random());
        let years = |years: u128| years * 366 * 24 * 3_600 * 1_000 / 16;
        for time in [now - years(8), now - years(1), now - 1, now + 225_000, now + years(8)] {
            let id = format!("{time:011x}0700080000000000000000");
            let receipt: ReceiptId =
                format!("{}-{}-{}-8000-{}", &id[..8], &id[8..12], &id[12..16], &id[16..28]).parse().unwrap();
            let code = TicketKey::random().code(&TicketPlace { receipt, ..place() }, 1).unwrap();
            assert!(receipt.to_string().starts_with(&code.receipt_begin()), "{receipt} {}", code.receipt_begin());
        }
    }

    #[test]
    fn another_issue_place_or_house_has_another_code() {
        let (one, key) = (place(), TicketKey::random());
        let code = key.code(&one, 1);
        assert_eq!(key.code(&one, 1), code, "a reprint has the same one");
        assert_ne!(key.code(&one, 2), code);
        assert_ne!(TicketKey::random().code(&one, 1), code);
        for other in [TicketPlace { line: 2, ..one }, TicketPlace { seat: SeatRef { row: 3, seat: 2 }, ..one }] {
            assert_ne!(key.code(&other, 1), code);
        }
        assert_eq!(TicketKey { key: String::new() }.code(&one, 1), None);
        assert_eq!(format!("{key:?}"), "TicketKey");
    }
}
