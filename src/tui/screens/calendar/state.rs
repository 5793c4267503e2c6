//! Parts of the calendar's state: cursor, marks, the ghost of a move, a refusal.

use crate::domain::ids::BookingId;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span};
use crate::tui::data::desk_act::Moving;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::geometry::of_resource;
use crate::tui::screens::calendar::places::FreePlaces;
use crate::tui::screens::calendar::resource_lines::LineKey;

/// Place on the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TimelineSpot {
    pub(super) line: LineKey,
    /// Time, in the screen's zone.
    pub(super) at: Instant,
}

/// Mark from an anchor to the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) anchor: TimelineSpot,
    /// Marked resources, in the order of the lines; a line that comes between later is not one of them.
    pub(super) resources: Vec<ResourceId>,
    /// Resources chosen one by one, instead of all lines in between.
    pub(super) only: Option<Vec<ResourceId>>,
}

/// Press of the mouse button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Press {
    /// Cell of the press.
    pub(super) at: TimelineSpot,
    /// True if a drag has begun.
    pub(super) dragged: bool,
}

/// Time and resources that an act applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Resources, in the order of the lines.
    pub(super) resources: Vec<Resource>,
    /// Start, in the screen's zone.
    pub(super) from: Instant,
    /// End, in the screen's zone.
    pub(super) until: Instant,
}

impl Choice {
    /// Slot of one of the resources, in its zone and on its grid.
    pub(super) fn slot(&self, one: &Resource, shared: &Shared) -> Option<Slot> {
        let zones = (one.zone(), shared.zone);
        let (from, until) = (of_resource(self.from, zones), of_resource(self.until, zones));
        Some(one.grid.normalise(Slot::new(from, until).ok()?))
    }

    /// Slot of the first resource, which the wording uses.
    pub(super) fn first_slot(&self, shared: &Shared) -> Option<Slot> {
        self.slot(self.resources.first()?, shared)
    }

    pub(super) fn slots(&self, shared: &Shared) -> Vec<(&Resource, Slot)> {
        self.resources.iter().filter_map(|one| Some((one, self.slot(one, shared)?))).collect()
    }
}

/// Ghost: target of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ghost {
    pub(super) booking: BookingId,
    /// Title of the booking.
    pub(super) title: String,
    /// Resource before the move.
    pub(super) resource: ResourceId,
    /// Slot before the move, in that resource's zone.
    pub(super) slot: Slot,
    /// Target resource.
    pub(super) to: ResourceId,
    /// Target start, in the screen's zone.
    pub(super) from: Instant,
    /// Distance from the booking's start to the grabbed cell.
    pub(super) grip: Span,
}

/// Refusal of the engine, or a conflict seen on the screen.
#[derive(Debug)]
pub(super) struct Refused {
    /// Sentence; empty before the answer.
    pub(super) sentence: String,
    pub(super) wanted: Wanted,
    pub(super) places: FreePlaces,
}

#[derive(Debug)]
pub(super) enum Wanted {
    /// Move of a booking.
    Move(Moving),
    /// Time for the cart.
    Hold(Resource, Slot),
}

impl Refused {
    /// Request in flight, in case it is refused.
    pub(super) fn of(wanted: Wanted) -> Self {
        Self { sentence: String::new(), wanted, places: FreePlaces::default() }
    }
}
