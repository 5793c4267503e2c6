//! The facts of a refusal that have parts of their own.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::calendar::State;
use crate::domain::is_default;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, LAST_BOOKABLE, Slot, Span, Wall};

/// The property that cells lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    InCart,
    InBooking,
    Kept,
    OutOfUse,
}

/// Kind of cells that were not free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WantedCells {
    Seats,
    Time(Purpose),
    AnyOf {
        count: u32,
        /// Names of the free ones.
        free: Vec<String>,
    },
}

/// The purpose of time that was not free; decides the sentence and the choices offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Book,
    Hold,
    Move,
    Import,
    Perform,
    /// To be out of use for a while: maintenance, relocation or another cause that asks first.
    TakeOut,
    OutOfService,
    Close,
    CloseDays,
}

/// Cells that were refused, with their state and owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub what: CellName,
    pub state: State,
    pub by: OwnerName,
    /// End of the claim: of a hold, or of a keep.
    pub until: Option<Instant>,
}

/// Refused cells as people name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellName {
    Seat(String),
    Slot(SlotAt),
}

/// Owner of refused cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnerName {
    Nobody,
    Station(String),
    /// Customer of a reservation.
    Customer(String),
    Receipt,
    /// Title of a booking.
    Booking(String),
    /// The house, with its reason to keep.
    House(String),
    /// Operator who took the cells out of use, who approved it, and the reason.
    Operator {
        operator: String,
        approved: Option<String>,
        reason: String,
    },
}

/// Slot of a resource, with all that its words need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotAt {
    pub resource: String,
    pub from: Instant,
    pub until: Instant,
    pub zone: Tz,
    /// True if the resource is booked by the night.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nights: bool,
}

/// Free cells to take instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Alternative {
    Seats(Vec<String>),
    Slot {
        #[serde(flatten)]
        at: SlotAt,
        /// Number of refused dates of a repeat; this is the first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dates: Option<u32>,
    },
}

impl Fact {
    /// Cells that an operator took out of use.
    pub fn disabled(what: CellName, (operator, approved): (&str, Option<&str>), reason: &str) -> Self {
        let by = OwnerName::operator((operator, approved), reason);
        Self { what, state: State::Disabled, by, until: None }
    }

    /// Seat that nobody has.
    pub const fn free(seat: String) -> Self {
        Self { what: CellName::Seat(seat), state: State::Free, by: OwnerName::Nobody, until: None }
    }

    /// Name of the seat; none of time.
    pub fn seat(&self) -> Option<&str> {
        match &self.what {
            CellName::Seat(name) => Some(name),
            CellName::Slot(_) => None,
        }
    }

    /// The slot; none of a seat.
    pub const fn slot(&self) -> Option<&SlotAt> {
        match &self.what {
            CellName::Seat(_) => None,
            CellName::Slot(at) => Some(at),
        }
    }

    /// Extends a slot by the next one of the same owner; `false` where they are apart.
    pub fn extend(&mut self, next: &Self) -> bool {
        let same = (&self.state, &self.by) == (&next.state, &next.by);
        match (&mut self.what, &next.what) {
            (CellName::Slot(last), CellName::Slot(next))
                if same && last.until == next.from && last.resource == next.resource =>
            {
                last.until = next.until;
                true
            }
            _ => false,
        }
    }

    /// State as programs read it: `held`, and of a seat also `reserved` or `kept`.
    pub fn state(&self) -> &'static str {
        match (&self.what, &self.by) {
            (CellName::Seat(_), OwnerName::Customer(_)) => "reserved",
            (CellName::Seat(_), OwnerName::House(_)) => "kept",
            _ => self.state.word(),
        }
    }
}

impl OwnerName {
    /// Operator who took cells out of use, with who approved it.
    pub fn operator((operator, approved): (&str, Option<&str>), reason: &str) -> Self {
        let (operator, reason) = (operator.to_owned(), reason.to_owned());
        Self::Operator { operator, approved: approved.map(str::to_owned), reason }
    }
}

impl SlotAt {
    /// Slot of a resource.
    pub fn of(resource: &Resource, slot: Slot) -> Self {
        Self {
            resource: resource.name.clone(),
            from: slot.from(),
            until: slot.until(),
            zone: resource.zone(),
            nights: resource.grid.segment.is_day(),
        }
    }

    /// Zone and form of its words.
    pub const fn wall(&self) -> Wall {
        let (zone, nights) = (self.zone, self.nights);
        Wall { zone, nights }
    }

    /// True without an end: until further notice.
    pub fn is_endless(&self) -> bool {
        self.until == LAST_BOOKABLE
    }
}

impl Alternative {
    /// Names of seats; none of time.
    pub fn seats(&self) -> &[String] {
        match self {
            Self::Seats(names) => names,
            Self::Slot { .. } => &[],
        }
    }

    /// The slot; none of seats.
    pub const fn slot(&self) -> Option<&SlotAt> {
        match self {
            Self::Seats(_) => None,
            Self::Slot { at, .. } => Some(at),
        }
    }
}

/// A slot that was to be given back or moved, and what can be named instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotWhole {
    pub resource: String,
    pub segment: Span,
    pub from: Instant,
    pub until: Instant,
    /// The slot that can be named instead: whole segments, with all that they need before and after.
    pub whole: Slot,
    pub zone: Tz,
}

/// Resource that is out of service, or out of use for another cause, until further notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedResource {
    pub resource: String,
    pub from: Instant,
    pub operator: String,
    /// Operator who approved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    pub reason: String,
    #[serde(default)]
    pub cause: String,
    pub zone: Tz,
}

/// Names of refused seats, or of the resources of refused time; neighbours of one name once.
pub fn names(facts: &[Fact]) -> Vec<String> {
    let name = |fact: &Fact| match &fact.what {
        CellName::Seat(name) => name.clone(),
        CellName::Slot(at) => at.resource.clone(),
    };
    let mut names: Vec<String> = facts.iter().map(name).collect();
    names.dedup();
    names
}

/// Operators who took refused cells out of use, each once, sorted.
pub fn operators(facts: &[Fact]) -> Vec<String> {
    let operators = facts.iter().filter_map(|fact| match &fact.by {
        OwnerName::Operator { operator, .. } => Some(operator.clone()),
        OwnerName::Nobody
        | OwnerName::Station(_)
        | OwnerName::Customer(_)
        | OwnerName::Receipt
        | OwnerName::Booking(_)
        | OwnerName::House(_) => None,
    });
    let each: BTreeSet<String> = operators.collect();
    each.into_iter().collect()
}
