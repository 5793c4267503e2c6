//! Horizon: the days that a preallocated resource is open.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::domain::availability::ChunkKey;
use crate::domain::refusal::{Limit, Problem, Refusal};
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::Instant;
use crate::engine::work::{Failure, UnitOfWork};

/// Longest rolling horizon, in days from today.
pub(super) const ROLL_DAYS_MAX: u32 = 1_100;

/// Most days opened by one operation, over all resources.
pub(super) const DAYS_MAX: u64 = 50_000;

/// Opens the days of one resource to before a day.
pub(super) fn open(
    work: &mut UnitOfWork<'_>,
    mut resource: Resource,
    (until, left): (NaiveDate, &mut u64),
) -> Result<Horizon, Failure> {
    let today = resource.grid.day_at(work.now()).date;
    let Policy::Preallocated { horizon, roll_days } = resource.policy else {
        return Ok(horizon_of(&resource, 0));
    };
    // not from today: a clock that is ahead would leave days before the horizon that nothing opens
    let from = horizon.unwrap_or(today);
    let wanted = u64::try_from((until - from).num_days()).unwrap_or(0);
    if wanted > *left {
        let most = usize::try_from(DAYS_MAX).unwrap_or(usize::MAX);
        return Err(Refusal::bad("until", Problem::AtMost(most, Limit::OpenDays)).into());
    }
    *left -= wanted;
    let dates = (0..wanted).filter_map(|day| from.checked_add_days(Days::new(day)));
    let keys: Vec<ChunkKey> = dates.clone().map(|date| resource.id.chunk(date)).collect();
    let known = work.chunks(&keys)?;
    let mut days = 0;
    for (date, key) in dates.zip(keys) {
        if known.get(&key).is_none_or(|chunk| chunk.cells == 0) {
            work.put(&resource.free_day(date))?;
            days += 1;
        }
    }
    resource.policy = Policy::Preallocated { horizon: Some(from.max(until)), roll_days };
    work.touch(&resource)?;
    Ok(horizon_of(&resource, days))
}

/// Opens the days of a resource that keeps a number of them open; returns the start of the next day, when one more opens.
pub(super) fn roll(work: &mut UnitOfWork<'_>, resource: Resource, days: u32) -> Result<Instant, Failure> {
    let today = resource.grid.day_at(work.now());
    let later = |date: NaiveDate, days: u32| date.checked_add_days(Days::new(u64::from(days)));
    let horizon = horizon_of(&resource, 0).horizon.unwrap_or(today.date);
    let mut left = u64::from(ROLL_DAYS_MAX);
    if let Some(until) = later(today.date, days).min(later(horizon, ROLL_DAYS_MAX)) {
        open(work, resource, (until, &mut left))?;
    }
    Ok(today.end)
}

pub(super) fn horizon_of(resource: &Resource, days: u32) -> Horizon {
    let horizon = match resource.policy {
        Policy::Preallocated { horizon, .. } => horizon,
        Policy::OpenEnded => None,
    };
    Horizon { resource: resource.id.clone(), horizon, days }
}

/// Horizon of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Horizon {
    pub resource: ResourceId,
    /// First day that is not open.
    pub horizon: Option<NaiveDate>,
    /// Number of days opened or closed.
    pub days: u32,
}
