//! Keeps seats back for the house.

use serde::{Deserialize, Serialize};

use crate::domain::house::Keep;
use crate::domain::ids::PerformanceId;
use crate::domain::private;
use crate::domain::time::Instant;
use crate::engine::ops::keeps::{self, KeepTerms};
use crate::engine::ops::pricing::on_sale;
use crate::engine::ops::seats;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Keeps seats until a time: sold only by an explicit choice, and free to all afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepSeats {
    pub performance: PerformanceId,
    /// Unique names of the seats.
    pub seats: Vec<String>,
    /// Reason or person.
    #[serde(with = "private")]
    pub reason: String,
    /// Time they become free.
    pub until: Instant,
}

impl Operation for KeepSeats {
    const VERB: &'static str = "keep_seats";
    type Answer = Keep;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Keep, Failure> {
        let performance = on_sale(work, self.performance)?;
        let seating = work.seating(performance.plan)?;
        let seats = seats::named(work, (&seating, performance.id), &self.seats, seats::FREE)?;
        let terms = KeepTerms { reason: self.reason.clone(), until: self.until };
        keeps::keep(work, (performance.id, seats), &terms)
    }
}
