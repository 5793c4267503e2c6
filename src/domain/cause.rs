//! The purpose that time is taken for.

use serde::{Deserialize, Serialize};

use crate::domain::ids::{BookingId, PerformanceId};
use crate::domain::owner::{Owner, Use};

/// The purpose of taken time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Booking,
    /// Maintenance; asks first.
    Maintenance,
    /// Relocation; asks first.
    Relocation,
    /// Any other word, like cleaning; asks first.
    Other(String),
    /// Seats or time out of use by an operator, taken from any other owner.
    Disable,
    /// A performance has its hall.
    Performance(PerformanceId),
    /// Out of service until further notice: nobody can book it.
    OutOfService,
}

impl Cause {
    /// Performance that has the hall.
    pub fn performance(&self) -> Option<PerformanceId> {
        if let Self::Performance(id) = self { Some(*id) } else { None }
    }

    /// Returns whether it takes time out of use, without a booking.
    pub const fn is_out_of_use(&self) -> bool {
        match self {
            Self::Booking | Self::Performance(_) => false,
            Self::Maintenance | Self::Relocation | Self::Other(_) | Self::Disable | Self::OutOfService => true,
        }
    }

    /// Parses the typed word of a cause; booking, disable and out of service have verbs of their own.
    pub fn of_word(word: &str) -> Self {
        match word {
            "maintenance" => Self::Maintenance,
            "relocation" => Self::Relocation,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Word for programs.
    pub fn word(&self) -> &str {
        match self {
            Self::Booking => "booking",
            Self::Maintenance => "maintenance",
            Self::Relocation => "relocation",
            Self::Other(word) => word,
            Self::Disable => "disabled",
            Self::Performance(_) => "performance",
            Self::OutOfService => "out of service",
        }
    }

    /// The owner of cells that an act of an operator took for it.
    pub fn owner(&self, act: BookingId, operator: &str) -> Owner {
        if *self == Self::Disable { Owner::Disable(act, operator.to_owned()) } else { Owner::Booking(self.used(), act) }
    }

    /// The use that the calendar shows.
    pub const fn used(&self) -> Use {
        match self {
            Self::Booking => Use::Booking,
            Self::Maintenance => Use::Maintenance,
            Self::Relocation => Use::Relocation,
            Self::Other(_) | Self::Disable | Self::OutOfService => Use::Occupied,
            Self::Performance(_) => Use::Performance,
        }
    }
}
