//! Refusals to change or to retire what was entered.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::refusal::{Fact, Refusal};
use crate::domain::time::{Instant, Segment};

/// Refusal of a change, or of the use of what is retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeRefusal {
    /// A performance with taken seats is moved, and those who have them are told.
    StartStays {
        performance: String,
        facts: Vec<Fact>,
    },
    /// The currency of a performance with taken seats.
    CurrencyStays {
        performance: String,
        currency: Currency,
        facts: Vec<Fact>,
    },
    /// A ticket type that somebody has seats as.
    TypeStays {
        performance: String,
        ticket_type: String,
        seats: Vec<String>,
    },
    /// Time zone and segment of a resource with stored days, or of a family.
    GridStays {
        resource: String,
        zone: Tz,
        segment: Segment,
    },
    /// Time zone of a theater that has performances.
    ZoneStays {
        theater: String,
        zone: Tz,
    },
    Retired {
        what: String,
        name: String,
    },
    /// Something ahead is in the way of retiring.
    StandsAhead {
        what: String,
        name: String,
        ahead: Vec<Ahead>,
    },
    /// Some of several performances, which therefore all stay.
    NightsStay {
        nights: Vec<RefusedNight>,
    },
}

/// Performance whose change is refused, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedNight {
    pub performance: String,
    pub start: Instant,
    pub zone: Tz,
    pub why: Box<Refusal>,
}

/// Something ahead that is in the way of retiring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ahead {
    /// Seats or time that somebody has.
    Taken(Fact),
    Performance {
        title: String,
        start: Instant,
        zone: Tz,
    },
    /// Theater that it is the hall of.
    HallOf(String),
    Part(String),
    /// Calendar that is followed for it.
    Followed(String),
    /// Open items on the worklist.
    Items(usize),
    /// Guests on the waiting list.
    Waiting(usize),
}

impl Ahead {
    /// Taken seats or time; none of others.
    pub const fn fact(&self) -> Option<&Fact> {
        match self {
            Self::Taken(fact) => Some(fact),
            Self::Performance { .. }
            | Self::HallOf(_)
            | Self::Part(_)
            | Self::Followed(_)
            | Self::Items(_)
            | Self::Waiting(_) => None,
        }
    }
}

impl From<ChangeRefusal> for Refusal {
    fn from(refusal: ChangeRefusal) -> Self {
        Self::Change(refusal)
    }
}
