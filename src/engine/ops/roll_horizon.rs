//! Job that keeps a resource open for a number of days from today. A day that it has not opened yet is
//! refused as not open.

use chrono::{Days, NaiveDate};
use serde::Serialize;

use crate::domain::job::Outcome;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::engine::ops::horizon::{ROLL_DAYS_MAX, open};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens a resource's days up to its rolling horizon; due again at the start of the next day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
        let Policy::Preallocated { horizon, roll_days: Some(days) } = resource.policy else {
            return Ok(Outcome::Gone);
        };
        let today = resource.grid.day_at(work.now());
        let later = |date: NaiveDate, days: u32| date.checked_add_days(Days::new(u64::from(days)));
        let until = later(today.date, days);
        let most = later(horizon.unwrap_or(today.date), ROLL_DAYS_MAX);
        let next = today.end;
        let mut left = u64::from(ROLL_DAYS_MAX);
        if let Some(until) = until.min(most) {
            open(work, resource, (until, &mut left))?;
        }
        Ok(Outcome::Deadline(next))
    }
}
