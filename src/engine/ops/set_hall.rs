//! A theater gets the hall that its performances take.

use serde::Serialize;

use crate::domain::ids::TheaterId;
use crate::domain::performance::Theater;
use crate::domain::resource::{Resource, ResourceId};
use crate::engine::work::{Failure, Operation, Work};

/// Says which resource is the hall of a theater. Performances opened from then on take it; those that are open keep
/// what they have.
#[derive(Clone, Debug, Serialize)]
pub struct SetHall {
    /// The theater.
    pub theater: TheaterId,
    /// Its hall; none when not said.
    pub hall: Option<ResourceId>,
}

impl Operation for SetHall {
    const VERB: &'static str = "set_hall";
    type Answer = Theater;

    fn run(&self, work: &mut Work<'_>) -> Result<Theater, Failure> {
        let mut theater: Theater = work.get(self.theater)?;
        if let Some(hall) = &self.hall {
            work.get::<Resource>(hall)?;
        }
        theater.hall.clone_from(&self.hall);
        work.put(&theater)?;
        Ok(theater)
    }
}
