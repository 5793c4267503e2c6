//! Keeps seats back for the house.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::house::Keep;
use crate::domain::ids::{KeepId, PerformanceId};
use crate::domain::job::JobKind;
use crate::domain::owner::Owner;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::ops::claims;
use crate::engine::ops::pricing::on_sale;
use crate::engine::ops::texts::reasoned;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Keeps seats until a time: sold only by an explicit choice, and free to all afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeepSeats {
    pub performance: PerformanceId,
    /// Unique names of the seats.
    pub seats: Vec<String>,
    /// Reason or person.
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
        let seats = seating.seats(&self.seats)?;
        if self.until <= work.now() {
            return Err(Refusal::InThePast { at: self.until }.into());
        }
        let id = KeepId::random();
        let act = Act::Book {
            until: Some(self.until),
        };
        claims::act(work, (performance.id, &seats), (&Owner::Keep(id), act))?;
        let operator = work.actor().operator.clone();
        let keep = Keep {
            id,
            performance: performance.id,
            live: seats,
            reason: reasoned(&self.reason)?,
            operator,
            until: self.until,
        };
        work.put_job(JobKind::KeepRelease, keep.id, keep.until)?;
        work.create(&keep)?;
        Ok(keep)
    }
}
