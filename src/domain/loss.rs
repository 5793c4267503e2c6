//! Groups of cells of one resource; and losses of such cells: on the worklist, and in a cart that lost some.

use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::seat_runs;
use crate::domain::time::{Slot, common, joined, subtract};

/// A loss to a disable, a mark, or a performance that was canceled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    pub cells: CellGroup,
    /// Number of units of a counted resource, the same at each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u32>,
    /// Number of units that the owner had there, where it keeps some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    #[serde(with = "private")]
    pub reason: String,
}

impl Loss {
    /// Name of its resource, with the number of its units where that is counted.
    pub fn told(&self, resource: &Resource) -> String {
        match (self.units, self.of) {
            (None, _) => resource.name.clone(),
            (Some(units), None) => resource.told(units),
            (Some(units), Some(of)) => resource.told(format_args!("{units} of {of}")),
        }
    }
}

/// Cells of one resource: lost, returned, or named by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellGroup {
    Seats {
        performance: PerformanceId,
        #[serde(with = "seat_runs")]
        seats: Vec<SeatRef>,
    },
    Time {
        resource: ResourceId,
        /// The stretches; on the worklist with the time needed before and after.
        slots: Vec<Slot>,
    },
}

impl CellGroup {
    /// Adds cells of the same resource.
    pub fn add(&mut self, more: Self) {
        match (self, more) {
            (Self::Seats { seats, .. }, Self::Seats { seats: more, .. }) => seats.extend(more),
            (Self::Time { slots, .. }, Self::Time { slots: more, .. }) => {
                *slots = joined([slots.as_slice(), &more].concat());
            }
            (Self::Seats { .. }, Self::Time { .. }) | (Self::Time { .. }, Self::Seats { .. }) => {}
        }
    }

    /// The cells that both have; none of another resource.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        let mut met = self.clone();
        match (&mut met, other) {
            (Self::Seats { performance, seats }, Self::Seats { performance: of, seats: others })
                if performance == of =>
            {
                seats.retain(|seat| others.contains(seat));
            }
            (Self::Time { resource, slots }, Self::Time { resource: of, slots: others }) if resource == of => {
                *slots = common(slots, others);
            }
            (Self::Seats { seats, .. }, _) => seats.clear(),
            (Self::Time { slots, .. }, _) => slots.clear(),
        }
        met
    }

    /// The cells that the other one does not have.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        match (&mut rest, &self.meet(other)) {
            (Self::Seats { seats, .. }, Self::Seats { seats: gone, .. }) => {
                seats.retain(|seat| !gone.contains(seat));
            }
            (Self::Time { slots, .. }, Self::Time { slots: gone, .. }) => {
                *slots = subtract(slots, gone);
            }
            (Self::Seats { .. }, Self::Time { .. }) | (Self::Time { .. }, Self::Seats { .. }) => {}
        }
        rest
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Seats { seats, .. } => seats.is_empty(),
            Self::Time { slots, .. } => slots.is_empty(),
        }
    }

    /// The lost seats of a performance.
    pub fn seats_of(&self, wanted: PerformanceId) -> &[SeatRef] {
        match self {
            Self::Seats { performance, seats } if *performance == wanted => seats,
            Self::Seats { .. } | Self::Time { .. } => &[],
        }
    }
}
