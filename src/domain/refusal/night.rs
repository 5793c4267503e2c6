//! Refusals about a performance that moves, and about its tickets.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal to move a performance, or to hand over tickets of its old start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NightRefusal {
    /// A canceled performance can't move.
    NightCanceled { performance: String },
    /// The performance is over.
    NightOver { performance: String, end: Instant },
    /// The performance starts at that time already.
    SameStart { performance: String, start: Instant },
    /// A performance is not played at a typed time, but at others.
    PlaysThen { performance: String, when: String, plays: Vec<Play> },
    /// More places of standing room are taken than it would have.
    CapacityTaken { area: String, wanted: u32, taken: u32 },
    /// As many wait as the house lets wait.
    WaitlistFull { performance: String, places: u32 },
    /// The tickets show a start that the performance no longer has.
    TicketsVoid { receipt: String, start: Instant },
    /// Another operator handed the tickets over.
    TicketsCollected { receipt: String, operator: String, at: Instant },
}

/// Start of a performance, in its theater's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Play {
    pub start: Instant,
    pub zone: Tz,
}

impl From<NightRefusal> for Refusal {
    fn from(refusal: NightRefusal) -> Self {
        Self::Night(refusal)
    }
}
