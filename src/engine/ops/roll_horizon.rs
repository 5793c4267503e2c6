//! Job that keeps a resource open for a number of days from today. A day that it has not opened yet is
//! refused as not open.

use serde::{Deserialize, Serialize};

use crate::domain::job::Outcome;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::engine::ops::horizon;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens a resource's days up to its rolling horizon; due again at the start of the next day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollHorizon {
    pub resource: ResourceId,
}

impl Operation for RollHorizon {
    const VERB: &'static str = "roll_horizon";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let Some(resource) = work.find::<Resource>(self.resource.as_str())? else {
            return Ok(Outcome::Gone);
        };
        let Policy::Preallocated { roll_days: Some(days), .. } = resource.policy else {
            return Ok(Outcome::Gone);
        };
        horizon::roll(work, resource, days).map(Outcome::Deadline)
    }
}
