//! What is on, how it sells, and what needs somebody.

use chrono_tz::Tz;

use crate::domain::ids::{KeepId, PerformanceId};
use crate::domain::money::Currency;
use crate::domain::time::Instant;
use crate::engine::reads::worklist::WorkView;

/// A performance with how it sells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerformanceRow {
    /// Its id.
    pub id: PerformanceId,
    /// Its title.
    pub title: String,
    /// Its theater's name.
    pub theater: String,
    /// Its theater's local time.
    pub zone: Tz,
    /// Its start.
    pub start: Instant,
    /// Its end.
    pub end: Instant,
    /// Whether it was canceled.
    pub canceled: bool,
    /// How many seats it has.
    pub seats: u32,
    /// How many can be taken.
    pub free: u32,
}

/// Asks for performances by start.
#[derive(Clone, Debug, Default)]
pub struct ReadPerformances {
    /// Starting at or after this.
    pub from: Option<Instant>,
    /// Starting before this.
    pub before: Option<Instant>,
    /// Only those after this one.
    pub after: Option<PerformanceId>,
}

/// Seats of a part of the house, by state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Can be taken.
    pub free: u32,
    /// Held by carts.
    pub held: u32,
    /// Kept by the house.
    pub kept: u32,
    /// Sold.
    pub booked: u32,
    /// Out of use.
    pub disabled: u32,
    /// Free seats of each category of the plan, by its index.
    pub free_by_category: Vec<u32>,
}

/// Something that needs an operator, with when it bites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// When; `None` means now.
    pub at: Option<Instant>,
    /// What.
    pub what: NeedKind,
}

/// What needs an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeedKind {
    /// Something on the worklist.
    Work(WorkView),
    /// Carts run out before long.
    CartsRunOut {
        /// How many.
        carts: usize,
        /// Seats in them.
        seats: usize,
    },
    /// Seats that the house keeps go on sale.
    KeepEnds {
        /// The keep.
        keep: KeepId,
        /// The performance.
        performance: PerformanceId,
        /// Its title.
        title: String,
        /// Names of the seats.
        seats: Vec<String>,
        /// For whom or why they are kept.
        reason: String,
    },
}

/// What a station has sold since the day began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takings {
    /// The station.
    pub station: String,
    /// Receipts issued.
    pub receipts: u32,
    /// Seats sold.
    pub seats: u32,
    /// Money taken, in minor units, by currency.
    pub totals: Vec<(Currency, i64)>,
}

/// The desk's front page, from one snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tonight {
    /// When the snapshot was taken.
    pub at: Instant,
    /// The house's local time.
    pub zone: Tz,
    /// Performances of the window asked for, by start.
    pub performances: Vec<PerformanceRow>,
    /// What needs an operator, soonest first, unissued payments before all else.
    pub needs: Vec<Need>,
    /// What each station sold today.
    pub takings: Vec<Takings>,
}

/// Asks for the front page.
#[derive(Clone, Copy, Debug)]
pub struct ReadTonight {
    /// Performances starting at or after this.
    pub from: Instant,
    /// Performances starting before this.
    pub before: Instant,
}
