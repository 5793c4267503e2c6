//! Closed days of the house.

use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::calendar::State;
use crate::domain::house::Settings;
use crate::domain::ids::BookingId;
use crate::domain::owner::{Owner, Use};
use crate::domain::refusal::{CellName, Fact, Limit, Problem, Purpose, Refusal, WantedCells};
use crate::domain::resource::Resource;
use crate::domain::time::{Slot, joined};
use crate::engine::ops::claims::{self, Cells};
use crate::engine::ops::taking::claims_from;
use crate::engine::work::{Failure, Operation, UnitOfWork};

const CLOSED_DAYS_MAX: usize = 2000;

/// Changes the list of closed days, which repeats leave out and other bookings have to ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseDays {
    pub close: Vec<NaiveDate>,
    pub open: Vec<NaiveDate>,
    pub stands: WhatStands,
}

/// Treatment of what stands on a day that closes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhatStands {
    #[default]
    Refuse,
    Stays,
}

impl Operation for CloseDays {
    const VERB: &'static str = "close_days";
    type Answer = Settings;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Settings, Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let mut days = settings.closed_days.clone();
        days.extend(&self.close);
        days.retain(|day| !self.open.contains(day));
        days.sort_unstable();
        days.dedup();
        if days.len() > CLOSED_DAYS_MAX {
            let problem = Problem::AtMost(CLOSED_DAYS_MAX, Limit::ClosedDays);
            return Err(Refusal::bad("closed days", problem).into());
        }
        if self.stands == WhatStands::Refuse {
            let new = days.iter().filter(|day| !settings.closed_days.contains(day));
            nothing_stands(work, &new.copied().collect::<Vec<_>>())?;
        }
        settings.closed_days = days;
        work.put(&settings)?;
        Ok(settings)
    }
}

/// Refuses days on which time to come is booked or held, by a performance too.
fn nothing_stands(work: &mut UnitOfWork<'_>, days: &[NaiveDate]) -> Result<(), Failure> {
    let (now, nobody) = (work.now(), Owner::Booking(Use::Booking, BookingId::random()));
    let mut facts = Vec::new();
    for resource in work.select::<Resource>("ORDER BY key", &[])? {
        let ahead = |day: &NaiveDate| Some(resource.grid.normalise(resource.to_come(resource.open_on(*day)?, now)?));
        let slots = joined(days.iter().filter_map(ahead).collect());
        let cells = Cells::Time(vec![(&resource.id, slots.as_slice(), resource.units())]);
        let mut stands = claims::in_the_way(work, cells, (&nobody, Act::Book { until: None }))?;
        if resource.is_hire() && !stands.is_empty() {
            stands = handed_over(work, &resource, days)?;
        }
        facts.extend(stands.into_iter().filter(|fact| matches!(fact.state, State::Booked | State::Held)));
    }
    if facts.is_empty() {
        return Ok(());
    }
    Err(Refusal::taken(WantedCells::Time(Purpose::CloseDays), facts).into())
}

/// Claims on a hire that are handed over or returned on one of some days; the others only span them.
fn handed_over(work: &mut UnitOfWork<'_>, resource: &Resource, days: &[NaiveDate]) -> Result<Vec<Fact>, Failure> {
    let (now, late_at) = (work.now(), work.late_at());
    let mut claims = claims_from(work, resource, now)?;
    claims.retain(|(_, claim)| !claim.is_late(late_at));
    let mut facts = claims::told(work, (None, std::slice::from_ref(resource)), &claims)?;
    facts.retain(|fact| match &fact.what {
        CellName::Slot(at) => Slot::new(at.from, at.until).is_ok_and(|slot| resource.closed_on(slot, days).is_some()),
        CellName::Seat(_) => false,
    });
    Ok(facts)
}
