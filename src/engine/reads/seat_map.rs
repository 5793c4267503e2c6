//! Which seat of a performance is free, and what stands on the others.

use std::sync::Arc;

use chrono_tz::Tz;

use crate::domain::ids::{CartId, LineId, PerformanceId};
use crate::domain::performance::Performance;
use crate::domain::plan::{Plan, SeatRef};
use crate::domain::time::Instant;

/// The whole house of one performance, seat by seat, from one snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatMap {
    /// The performance.
    pub performance: Performance,
    /// Its theater's name.
    pub theater: String,
    /// Its theater's local time.
    pub zone: Tz,
    /// The plan version it sells.
    pub plan: Arc<Plan>,
    /// When the snapshot was taken; deadlines were judged then.
    pub at: Instant,
    /// How many seats can be taken.
    pub free: u32,
    /// Rows of the plan in chunk order, each with its seats.
    pub rows: Vec<Vec<SeatState>>,
}

/// What stands on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatState {
    /// Nothing.
    Free,
    /// A cart holds it.
    Held(Holder),
    /// The house keeps it.
    Kept {
        /// For whom or why.
        reason: String,
        /// From then on it is free.
        until: Instant,
    },
    /// It is sold.
    Booked {
        /// The line of its receipt.
        line: LineId,
    },
    /// It is out of use.
    Disabled {
        /// By whom.
        operator: String,
        /// Why.
        reason: String,
        /// Whether somebody who had bought it waits on the worklist.
        displaced: bool,
    },
}

/// Whose hold a seat is, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The cart.
    pub cart: CartId,
    /// Its line, by number.
    pub line: u32,
    /// Who works on it.
    pub operator: String,
    /// Where.
    pub station: String,
    /// Whether it is set aside.
    pub set_aside: bool,
    /// The deadline.
    pub until: Instant,
}

impl SeatMap {
    /// What stands on a seat; `None` outside the plan.
    #[must_use]
    pub fn state(&self, seat: SeatRef) -> Option<&SeatState> {
        self.rows
            .get(usize::try_from(seat.row).ok()?)?
            .get(usize::try_from(seat.seat).ok()?)
    }

    /// Whether a seat can be taken.
    #[must_use]
    pub fn is_free(&self, seat: SeatRef) -> bool {
        matches!(self.state(seat), Some(SeatState::Free))
    }
}

/// Asks for the seat map of a performance.
#[derive(Clone, Copy, Debug)]
pub struct ReadSeatMap(pub PerformanceId);
