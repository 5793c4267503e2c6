//! Typed ids, and the only maker of random ones.
//!
//! Ids are version 7 uuids, so keys made together lie together. Many ids made within a second share their
//! first characters: people see, and may type, the *tail*.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Number of an id's last characters that are shown.
pub const TAIL_CHARS: usize = 6;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id, different from every other.
            pub fn random() -> Self {
                Self(make())
            }

            /// The last characters, by which people tell ids apart.
            pub fn tail(&self) -> String {
                tail(&self.to_string())
            }

            /// Short form, for texts that repeat it often.
            pub fn short(&self) -> Short {
                Short::of(self.0)
            }

            /// From its short form.
            pub fn from_short(text: &str) -> Result<Self, NotAnId> {
                Short::read(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(out)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{}(..{})", stringify!($name), self.tail())
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                Uuid::parse_str(text).map(Self).map_err(|_| NotAnId)
            }
        }
    )+};
}

ids! {
    /// A theater.
    TheaterId;
    /// One version of a theater's plan.
    PlanId;
    /// A performance.
    PerformanceId;
    /// A customer.
    CustomerId;
    /// A cart.
    CartId;
    /// A receipt; people use its number.
    ReceiptId;
    /// Seats kept by the house.
    KeepId;
    /// Cells taken by one act: a booking, a maintenance, a disable of seats or time, a performance in its hall.
    BookingId;
    /// Bookings that were made together by one repeat.
    SeriesId;
    /// An entry of a waiting list.
    WaitId;
    /// Something on the worklist.
    WorkId;
    /// A command, made by its caller: the same id is the same act.
    CommandId;
}

impl CommandId {
    /// The id of the one act on a receipt that a performance asks for, the same whoever makes it.
    pub fn of(performance: PerformanceId, receipt: ReceiptId) -> Self {
        Self(Uuid::new_v5(&performance.0, receipt.0.as_bytes()))
    }

    /// The id that a caller's own text means: the text itself if it is one, else always the same.
    pub fn of_text(text: &str) -> Self {
        text.parse().unwrap_or_else(|_| Self(Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes())))
    }
}

/// Characters of an id's short form.
pub const SHORT_CHARS: usize = 22;

/// An id in letters, digits, `-` and `_`: six bits each, where the usual form has four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short([u8; SHORT_CHARS]);

impl Short {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    pub(crate) fn of(id: Uuid) -> Self {
        let mut left = id.as_u128();
        let mut text = [0; SHORT_CHARS];
        for place in text.iter_mut().rev() {
            let digit = usize::try_from(left & 63).unwrap_or_default();
            *place = Self::DIGITS.get(digit).copied().unwrap_or_default();
            left >>= 6;
        }
        Self(text)
    }

    pub(crate) fn read(text: &str) -> Result<Uuid, NotAnId> {
        if text.len() != SHORT_CHARS {
            return Err(NotAnId);
        }
        let mut id: u128 = 0;
        for letter in text.bytes() {
            let digit = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'-' => 62,
                b'_' => 63,
                _ => return Err(NotAnId),
            };
            if id >> 122 != 0 {
                return Err(NotAnId);
            }
            id = id << 6 | u128::from(digit);
        }
        Ok(Uuid::from_u128(id))
    }
}

impl fmt::Display for Short {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(std::str::from_utf8(&self.0).unwrap_or_default())
    }
}

/// The text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is not an id")]
pub struct NotAnId;

#[expect(clippy::disallowed_methods, reason = "this is the one place that makes ids")]
fn make() -> Uuid {
    Uuid::now_v7()
}

/// The last [`TAIL_CHARS`] characters of a text.
pub fn tail(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(TAIL_CHARS);
    text.chars().skip(skip).collect()
}

/// A line of a cart, and later of its receipt: printed `CART/NUMBER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId {
    pub cart: CartId,
    /// Counted from 1 in that cart, never used twice.
    pub number: u32,
}

impl fmt::Display for LineId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.cart, self.number)
    }
}

impl FromStr for LineId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let (cart, number) = text.split_once('/').ok_or(NotAnId)?;
        Ok(Self { cart: cart.parse()?, number: number.parse().map_err(|_| NotAnId)? })
    }
}

stored_as_text!(LineId);

#[cfg(test)]
mod tests {
    use super::{CartId, LineId, NotAnId, SHORT_CHARS};

    #[test]
    fn a_line_keeps_its_id_as_text() {
        let line = LineId { cart: CartId::random(), number: 3 };
        assert_eq!(line.to_string().parse(), Ok(line));
        assert_eq!(line.cart.tail().len(), 6);
    }

    #[test]
    fn an_id_is_read_from_its_short_form_and_from_nothing_else() {
        let whole = |text: &str| text.parse::<CartId>().unwrap();
        for (id, short) in [
            ("00000000-0000-0000-0000-000000000000", "AAAAAAAAAAAAAAAAAAAAAA"),
            ("00000000-0000-0000-0000-000000000041", "AAAAAAAAAAAAAAAAAAAABB"),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", "D_____________________"),
            ("ffffffff-ffff-ffff-ffff-fffffffffffe", "D____________________-"),
        ] {
            assert_eq!(whole(id).short().to_string(), short);
            assert_eq!(CartId::from_short(short), Ok(whole(id)));
        }
        let id = CartId::random();
        assert_eq!(CartId::from_short(&id.short().to_string()), Ok(id));
        let too_large = format!("E{}", "A".repeat(SHORT_CHARS - 1));
        for text in ["", "A", &id.to_string(), "AAAAAAAAAAAAAAAAAAAA+/", &too_large, "é_AAAAAAAAAAAAAAAAAAA"] {
            assert_eq!(CartId::from_short(text), Err(NotAnId), "{text}");
        }
    }
}
