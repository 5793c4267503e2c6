//! Refusals about counted resources.

use serde::{Deserialize, Serialize};

use crate::domain::refusal::{Refusal, SlotAt};

/// A number of units is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CountRefusal {
    /// Fewer are free than were asked for.
    UnitsShort {
        #[serde(flatten)]
        at: SlotAt,
        unit: String,
        wanted: u32,
        free: u32,
        of: u32,
    },
    /// The number would be below what is claimed; the first time with the most.
    UnitsClaimed {
        #[serde(flatten)]
        at: SlotAt,
        unit: String,
        claimed: u32,
    },
    /// The units of a resource of which some are claimed stay what they are.
    UnitStays {
        #[serde(flatten)]
        at: SlotAt,
        unit: String,
        claimed: u32,
    },
    /// Several of a resource that is not counted.
    NotCounted { resource: String },
    /// A counted resource has no parts and is none.
    CountedPart { resource: String },
    /// A resource with stored days or relatives does not become counted, and one that is stays so.
    CountStays { resource: String },
}

impl From<CountRefusal> for Refusal {
    fn from(refusal: CountRefusal) -> Self {
        Self::Count(refusal)
    }
}
