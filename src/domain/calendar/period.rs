//! Periods of a calendar: neighbouring instants of one state and one owner.

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Claim, Grip};
use crate::domain::booking::Cause;
use crate::domain::owner::{Owner, Use};
use crate::domain::resource::Mark;
use crate::domain::time::{Instant, Slot};

/// The state of a resource at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    Free,
    /// In a cart, until its deadline.
    Held,
    /// Booked, sold, or a performance has it.
    Booked,
    Maintenance,
    Relocation,
    /// Taken for any other cause.
    Occupied,
    Disabled,
    /// Outside the opening hours.
    Closed,
    NotOpen,
    OutOfService,
}

worded!(State);

impl State {
    /// All states.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The state of the time from a mark's start on.
    pub const fn of_mark(mark: &Mark) -> Self {
        match &mark.cause {
            Cause::Maintenance => Self::Maintenance,
            Cause::Relocation => Self::Relocation,
            Cause::Disable => Self::Disabled,
            Cause::OutOfService => Self::OutOfService,
            Cause::Other(_) | Cause::Booking | Cause::Performance(_) => Self::Occupied,
        }
    }

    /// The state of a claim's cells.
    pub const fn of(claim: &Claim) -> Self {
        match (claim.grip, &claim.owner) {
            (Grip::Held, _) => Self::Held,
            (Grip::Disabled, _) => Self::Disabled,
            (Grip::Booked, Owner::Booking(Use::Maintenance, _)) => Self::Maintenance,
            (Grip::Booked, Owner::Booking(Use::Relocation, _)) => Self::Relocation,
            (Grip::Booked, Owner::Booking(Use::Occupied, _)) => Self::Occupied,
            (Grip::Booked, _) => Self::Booked,
        }
    }
}

/// Neighbouring instants of one state and one owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and they occur in all mixtures")]
pub struct Period {
    /// From when until when, clipped at the window's edges.
    pub slot: Slot,
    /// The unclipped slot, from the owner's document; the clipped slot where no document tells.
    pub whole: Slot,
    pub state: State,
    /// The owner; none when free, closed or not open. A mark's id stands as a booking's.
    pub owner: Option<Owner>,
    /// Owners of other parts of the resource at the same time; their titles stand behind the owner's.
    pub beside: Vec<Owner>,
    /// Units of a counted resource: those that are left, or that its owner has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<u32>,
    /// Units that the resource has; none of one that is not counted, or where an owner's are told.
    #[serde(skip)]
    pub of_units: Option<u32>,
    /// The deadline of a hold.
    pub until: Option<Instant>,
    /// The owner's title; empty when words were not requested.
    pub title: String,
    pub customer: String,
    /// The operator who took it out of use; empty where none did.
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    /// Followed calendar that it is from; empty for all else.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub calendar: String,
    pub wanted: Option<Slot>,
    /// True for the buffer before or after a booking.
    pub is_buffer: bool,
    /// True for a booking with a price that is not paid.
    #[serde(skip)]
    pub unpaid: bool,
    /// True for a booking without a price, of the house itself.
    #[serde(skip)]
    pub ours: bool,
    /// True for a date of a series.
    #[serde(skip)]
    pub repeats: bool,
    pub from_before: bool,
    pub until_after: bool,
}

impl Period {
    /// Units that are left, of how many, where some are taken and no owner is told.
    pub fn part_taken(&self) -> Option<(u32, u32)> {
        self.units.zip(self.of_units).filter(|(left, all)| self.owner.is_none() && left < all)
    }

    pub(super) fn bare(slot: Slot, state: State) -> Self {
        Self {
            slot,
            whole: slot,
            state,
            owner: None,
            beside: Vec::new(),
            units: None,
            of_units: None,
            until: None,
            title: String::new(),
            customer: String::new(),
            operator: String::new(),
            approved: None,
            calendar: String::new(),
            wanted: None,
            is_buffer: false,
            unpaid: false,
            ours: false,
            repeats: false,
            from_before: false,
            until_after: false,
        }
    }

    /// A part of it; only a part at an edge goes on beyond the window.
    pub(super) fn part(&self, slot: Slot) -> Self {
        let is_first = slot.from() == self.slot.from();
        let is_last = slot.until() == self.slot.until();
        let from = if is_first { self.whole.from() } else { slot.from() };
        let until = if is_last { self.whole.until() } else { slot.until() };
        Self {
            slot,
            whole: Slot::new(from, until).unwrap_or(slot),
            from_before: self.from_before && is_first,
            until_after: self.until_after && is_last,
            ..self.clone()
        }
    }

    /// Returns whether it is a mark to the window's end: out of use until further notice.
    pub const fn is_endless(&self) -> bool {
        self.until_after && self.wanted.is_none() && !self.operator.is_empty()
    }

    /// Joins the next period if both have the same owner.
    pub fn joined(&self, next: &Self) -> Option<Self> {
        let slot = Slot::new(self.slot.from(), next.slot.until()).ok()?;
        self.goes_on_as(next).then(|| Self { until_after: next.until_after, ..self.part(slot) })
    }

    pub(super) fn goes_on_as(&self, next: &Self) -> bool {
        self.slot.until() == next.slot.from()
            && self.state == next.state
            && self.owner == next.owner
            && self.beside == next.beside
            && self.units == next.units
            && self.is_buffer == next.is_buffer
            && self.wanted == next.wanted
            && self.title == next.title
    }
}

/// Words and slots of an owner of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerFacts {
    pub title: String,
    pub customer: String,
    /// The operator who took it out of use; empty where none did.
    pub operator: String,
    pub approved: Option<String>,
    /// Followed calendar that it is from; empty for all else.
    pub calendar: String,
    /// True for a booking with a price that is not paid.
    pub unpaid: bool,
    /// True for a booking without a price, of the house itself.
    pub ours: bool,
    /// True for a date of a series.
    pub repeats: bool,
    /// Slots on the resource: the requested one, that one on the grid without buffers, and all slots taken.
    pub slots: Vec<(Slot, Slot, Vec<Slot>)>,
}
