//! Owners of cells.
//!
//! The owner is the line, the keep, the booking or the disable, never the person: two bookings of one customer are two
//! owners. Owners are written as text, `line:CART/2`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::ids::{BookingId, CartId, KeepId, LineId, NotAnId};

/// The owner of a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A line of a cart or, after checkout, of its receipt.
    Line(LineId),
    Keep(KeepId),
    /// An operator who took seats or time out of use; the id names the act, the operator owns it.
    Disable(BookingId, String),
    /// A slot of resources, and what it is used for.
    Booking(Use, BookingId),
}

/// The use of a slot, as the calendar shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Use {
    Booking,
    Maintenance,
    Relocation,
    /// Any other cause, as a word.
    Occupied,
    /// A performance has its hall.
    Performance,
}

worded!(Use);

impl Use {
    /// All of them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;
}

impl Owner {
    /// Returns whether `asking` may act for this owner: a disable belongs to its operator, any other claim to itself.
    pub fn acts_as(&self, asking: &Self) -> bool {
        match (self, asking) {
            (Self::Disable(_, operator), Self::Disable(_, other)) => operator == other,
            (mine, theirs) => mine == theirs,
        }
    }

    /// Operator of a disable; `None` for other owners.
    pub fn operator(&self) -> Option<&str> {
        match self {
            Self::Disable(_, operator) => Some(operator),
            Self::Line(_) | Self::Keep(_) | Self::Booking(..) => None,
        }
    }

    /// The booking of an owner that is one.
    pub const fn booking(&self) -> Option<BookingId> {
        match self {
            Self::Booking(_, id) | Self::Disable(id, _) => Some(*id),
            Self::Line(_) | Self::Keep(_) => None,
        }
    }

    /// The keep of a house seat.
    pub const fn keep(&self) -> Option<KeepId> {
        match self {
            Self::Keep(id) => Some(*id),
            Self::Line(_) | Self::Disable(..) | Self::Booking(..) => None,
        }
    }

    /// Number of a line in its cart.
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Line(line) => Some(line.number),
            Self::Keep(_) | Self::Disable(..) | Self::Booking(..) => None,
        }
    }

    /// The cart of a line.
    pub const fn cart(&self) -> Option<CartId> {
        match self {
            Self::Line(line) => Some(line.cart),
            Self::Keep(_) | Self::Disable(..) | Self::Booking(..) => None,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line:{line}"),
            Self::Keep(keep) => write!(out, "keep:{keep}"),
            Self::Disable(disable, operator) => write!(out, "disable:{disable}:{operator}"),
            Self::Booking(used, booking) => write!(out, "{}:{booking}", used.word()),
        }
    }
}

impl FromStr for Owner {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let (kind, rest) = text.split_once(':').ok_or(NotAnId)?;
        match kind {
            "line" => Ok(Self::Line(rest.parse()?)),
            "keep" => Ok(Self::Keep(rest.parse()?)),
            "disable" => {
                let (id, operator) = rest.split_once(':').ok_or(NotAnId)?;
                Ok(Self::Disable(id.parse()?, operator.to_owned()))
            }
            word => {
                let used = word.parse().map_err(|_| NotAnId)?;
                Ok(Self::Booking(used, rest.parse()?))
            }
        }
    }
}

stored_as_text!(Owner);
