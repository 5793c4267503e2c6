//! Who has a cell.
//!
//! The owner is the line, the keep or the disable, never the person: two bookings of one customer are two
//! owners. Owners are kept in chunks as short text, `line:CART/2`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::domain::ids::{DisableId, KeepId, LineId, NotAnId};

/// Who has a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A line of a cart or, after checkout, of its receipt.
    Line(LineId),
    /// Seats kept by the house.
    Keep(KeepId),
    /// An operator who took cells out of use; the id names the act, the operator owns it.
    Disable(DisableId, String),
}

impl Owner {
    /// Whether this claim's owner answers to `asking`: a disable belongs to its operator, all else to itself.
    #[must_use]
    pub fn acts_as(&self, asking: &Self) -> bool {
        match (self, asking) {
            (Self::Disable(_, operator), Self::Disable(_, other)) => operator == other,
            (mine, theirs) => mine == theirs,
        }
    }

    /// The operator of a disable; the other owners belong to nobody.
    #[must_use]
    pub fn operator(&self) -> Option<&str> {
        match self {
            Self::Disable(_, operator) => Some(operator),
            Self::Line(_) | Self::Keep(_) => None,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line:{line}"),
            Self::Keep(keep) => write!(out, "keep:{keep}"),
            Self::Disable(disable, operator) => write!(out, "disable:{disable}:{operator}"),
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
            _ => Err(NotAnId),
        }
    }
}

impl Serialize for Owner {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Owner {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
