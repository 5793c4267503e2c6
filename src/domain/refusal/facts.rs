//! The facts of a refusal that have parts of their own.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::time::{Instant, Slot, Span, Wall};

/// The property that a seat lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// In the cart.
    InCart,
    /// Kept by the house.
    Kept,
    /// Out of use.
    OutOfUse,
}

/// The purpose of time that was not free; decides the sentence and the choices offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To be booked.
    #[default]
    Book,
    /// To be held in a cart.
    Hold,
    /// To be moved to.
    Move,
    /// To be booked as another calendar has it.
    Import,
    /// To be a performance's, with its hall.
    Perform,
    /// To be out of use for a while: maintenance, relocation or another cause that asks first.
    TakeOut,
    /// To be out of use until further notice.
    OutOfService,
    /// To be closed.
    Close,
}

/// Facts of a slot that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotFact {
    /// The resource's name.
    pub resource: String,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub until: Instant,
    /// The resource's local time.
    pub zone: Tz,
    /// Whether it is booked by the night.
    #[serde(default, skip_serializing_if = "is_not")]
    pub nights: bool,
    /// As the calendar says: `held`, `booked`, `maintenance`, `disabled`, `not_open`.
    pub state: String,
    /// The owner in words: a booking's title, a station, an operator.
    pub by: String,
    /// The deadline of a hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Instant>,
    /// Whether it is out of use until further notice: then it has no end.
    #[serde(default, skip_serializing_if = "is_not")]
    pub until_further_notice: bool,
}

impl SlotFact {
    /// The wall that it is told by.
    #[must_use]
    pub const fn wall(&self) -> Wall {
        let (zone, nights) = (self.zone, self.nights);
        Wall { zone, nights }
    }
}

impl FreeFact {
    /// The wall that it is told by.
    #[must_use]
    pub const fn wall(&self) -> Wall {
        let (zone, nights) = (self.zone, self.nights);
        Wall { zone, nights }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
pub(super) const fn is_not(flag: &bool) -> bool {
    !*flag
}

/// A slot that is free instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeFact {
    /// The resource's name.
    pub resource: String,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub until: Instant,
    /// The resource's local time.
    pub zone: Tz,
    /// Whether it is booked by the night.
    #[serde(default, skip_serializing_if = "is_not")]
    pub nights: bool,
    /// How many dates of a repeat are so, of which this is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dates: Option<u32>,
}

/// Facts of a seat that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFact {
    /// The seat's name.
    pub seat: String,
    /// `held`, `reserved`, `booked`, `kept` or `disabled`.
    pub state: String,
    /// The owner in words: a station, the house, an operator.
    pub by: String,
    /// Until when, when that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
}

/// A slot that was to be given back or moved, and what can be named instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotWhole {
    /// The resource's name.
    pub resource: String,
    /// How long its segments are.
    pub segment: Span,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub until: Instant,
    /// The slot that can be named instead: whole segments, with all that they need before and after.
    pub whole: Slot,
    /// The resource's local time.
    pub zone: Tz,
}
