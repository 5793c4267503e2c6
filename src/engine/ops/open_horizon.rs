//! Opens and closes days of a preallocated resource.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::domain::availability::{Chunk, ChunkKey};
use crate::domain::refusal::{Purpose, Refusal, WantedCells};
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::engine::ops::claims;
use crate::engine::ops::horizon::{DAYS_MAX, Horizon, horizon_of, open};
use crate::engine::ops::taking::claims_from;
use crate::engine::ops::taking::family;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens the days of a resource and its parts from today to before a day; open days stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenHorizon {
    pub resource: ResourceId,
    /// Day after the last one to open.
    pub until: NaiveDate,
}

/// Closes the days of a resource and its parts from a day on; refused if there are claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseHorizon {
    pub resource: ResourceId,
    /// First day to close.
    pub from: NaiveDate,
}

impl Operation for OpenHorizon {
    const VERB: &'static str = "open_horizon";
    type Answer = Vec<Horizon>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Horizon>, Failure> {
        let mut left = DAYS_MAX;
        let family = preallocated(work, &self.resource)?;
        let mut out = Vec::with_capacity(family.len());
        for resource in family {
            out.push(open(work, resource, (self.until, &mut left))?);
        }
        Ok(out)
    }
}

/// Resource and its parts, without open-ended ones.
fn preallocated(work: &mut UnitOfWork<'_>, id: &ResourceId) -> Result<Vec<Resource>, Failure> {
    let family = family(work, id)?;
    let name = family.first().map(|whole| whole.name.clone());
    let days: Vec<Resource> =
        family.into_iter().filter(|one| matches!(one.policy, Policy::Preallocated { .. })).collect();
    if days.is_empty() {
        return Err(Refusal::WrongPolicy { resource: name.unwrap_or_default(), policy: "open-ended".into() }.into());
    }
    Ok(days)
}

impl Operation for CloseHorizon {
    const VERB: &'static str = "close_horizon";
    type Answer = Vec<Horizon>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Horizon>, Failure> {
        let mut out = Vec::new();
        for resource in preallocated(work, &self.resource)? {
            out.push(self.close(work, resource)?);
        }
        Ok(out)
    }
}

impl CloseHorizon {
    fn close(&self, work: &mut UnitOfWork<'_>, mut resource: Resource) -> Result<Horizon, Failure> {
        let start = resource.grid.day(self.from).start;
        let claims = claims_from(work, &resource, start)?;
        let live = claims::live(work, claims);
        if !live.is_empty() {
            let facts = claims::told(work, (None, &[resource]), &live)?;
            return Err(Refusal::taken(WantedCells::Time(Purpose::Close), facts).into());
        }
        let Policy::Preallocated { horizon, roll_days } = resource.policy else {
            return Ok(horizon_of(&resource, 0));
        };
        let end = horizon.unwrap_or(self.from);
        let wanted = u64::try_from((end - self.from).num_days()).unwrap_or(0);
        let dates = (0..wanted).filter_map(|day| self.from.checked_add_days(Days::new(day)));
        let keys: Vec<ChunkKey> = dates.map(|date| resource.id.chunk(date)).collect();
        let mut days = 0;
        for (key, chunk) in work.chunks(&keys)? {
            if chunk.cells > 0 {
                // chunks are never deleted: a chunk without cells is a closed day
                work.put(&Chunk::empty(key, 0))?;
                days += 1;
            }
        }
        resource.policy = Policy::Preallocated { horizon: horizon.map(|old| old.min(self.from)), roll_days };
        work.touch(&resource)?;
        Ok(horizon_of(&resource, days))
    }
}
