//! Adds a theater with its plan, or a new version of the plan.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{PlanId, TheaterId};
use crate::domain::performance::Theater;
use crate::domain::plan::Plan;
use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::engine::ops::changes::only_one;
use crate::engine::ops::halls;
use crate::engine::ops::texts::named;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::kinds::PlanVersion;

/// Adds a theater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddTheater {
    /// Name, unique in the house.
    pub name: String,
    pub plan: Plan,
    /// Time zone; the house's if `None`.
    pub time_zone: Option<Tz>,
}

impl Operation for AddTheater {
    const VERB: &'static str = "add_theater";
    type Answer = Theater;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Theater, Failure> {
        let name = named("theater", &self.name)?;
        only_one(work, "theater", (&name, ""))?;
        let settings = work.settings()?;
        let id = TheaterId::random();
        let time_zone = self.time_zone.unwrap_or(settings.time_zone);
        let theater = Theater {
            id,
            plan: add_plan(work, id, &self.plan)?,
            hall: halls::make(work, &name, time_zone)?,
            name,
            time_zone,
            out_of_use: Vec::new(),
            retired: false,
        };
        work.create(&theater)?;
        Ok(theater)
    }
}

/// Replaces the plan of a theater. Open performances keep their version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePlan {
    pub theater: TheaterId,
    pub plan: Plan,
}

impl Operation for ChangePlan {
    const VERB: &'static str = "change_plan";
    type Answer = Theater;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Theater, Failure> {
        let mut theater: Theater = work.get(self.theater)?;
        theater.plan = add_plan(work, theater.id, &self.plan)?;
        work.put(&theater)?;
        Ok(theater)
    }
}

fn add_plan(work: &mut UnitOfWork<'_>, theater: TheaterId, plan: &Plan) -> Result<PlanId, Failure> {
    if plan.seat_count() == 0 {
        return Err(Refusal::bad("plan", Problem::Missing(Requirement::Seats)).into());
    }
    plan.checked().map_err(|problem| Refusal::bad("plan", problem))?;
    let version = PlanVersion { id: PlanId::random(), theater, plan: plan.clone() };
    work.create(&version)?;
    Ok(version.id)
}
