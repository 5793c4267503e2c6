//! Changes the hall of a theater.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::ids::TheaterId;
use crate::domain::performance::{Performance, Theater};
use crate::domain::resource::{Resource, ResourceId};
use crate::engine::ops::halls;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sets the hall of a theater. Its performances to come move there, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetHall {
    pub theater: TheaterId,
    pub hall: ResourceId,
}

impl Operation for SetHall {
    const VERB: &'static str = "set_hall";
    type Answer = Theater;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Theater, Failure> {
        let mut theater: Theater = work.get(self.theater)?;
        work.get::<Resource>(&self.hall)?;
        if theater.hall == self.hall {
            return Ok(theater);
        }
        let (mut whole, mut cut) = (Vec::new(), Vec::new());
        for mut performance in halls::to_come(work, &theater)? {
            let all = has_all(work, &performance)?;
            halls::free(work, &performance, "the theater has another hall")?;
            performance.hall = None;
            work.put(&performance)?;
            if all { &mut whole } else { &mut cut }.push(performance);
        }
        theater.hall.clone_from(&self.hall);
        work.put(&theater)?;
        for mut performance in whole {
            performance.hall = Some(halls::take(work, &self.hall, &performance)?);
            work.put(&performance)?;
        }
        for performance in cut {
            halls::settle(work, &theater, performance)?;
        }
        Ok(theater)
    }
}

/// Returns whether a performance has all its time in its hall.
fn has_all(work: &mut UnitOfWork<'_>, performance: &Performance) -> Result<bool, Failure> {
    let Some(id) = performance.hall else {
        return Ok(false);
    };
    let booking: Booking = work.get(id)?;
    let mut taken = booking.taken.iter();
    Ok(taken.all(|one| one.live.iter().any(|live| live.covers(&one.core))))
}
