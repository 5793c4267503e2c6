//! Adds a resource booked by time.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::availability::Grip;
use crate::domain::job::JobKind;
use crate::domain::money::Price;
use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::resource::{OpenHours, Policy, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Grid, Span};
use crate::engine::ops::changes::retired;
use crate::engine::ops::claims::owner_of;
use crate::engine::ops::horizon::{self, ROLL_DAYS_MAX};
use crate::engine::ops::resource_ids::free_id;
use crate::engine::ops::taking::claims_from;
use crate::engine::ops::texts::{filled, named};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Longest time needed before or after a booking.
const AROUND_MAX: Span = Span::minutes(7 * 24 * 60);

/// Greatest depth of nested parts.
const DEPTH_MAX: usize = 8;

/// Adds a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AddResource {
    /// Name; the id is derived from it, once.
    pub name: String,
    /// Kind: hall, room, hotel, hotel-room, car, equipment, or any word.
    pub kind: String,
    pub parent: Option<ResourceId>,
    pub grid: Grid,
    /// Policy of its days: open-ended or preallocated.
    pub policy: Policy,
    pub hours: Option<OpenHours>,
    /// Time needed before each booking.
    pub before: Span,
    /// Time needed after each booking.
    pub after: Span,
    /// Price of a segment.
    pub price: Option<Price>,
    pub properties: BTreeMap<String, String>,
}

impl Operation for AddResource {
    const VERB: &'static str = "add_resource";
    type Answer = Resource;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Resource, Failure> {
        let name = named("name", &self.name)?;
        if let Some(parent) = &self.parent {
            no_circle(work, &name, parent)?;
        }
        let kind = filled("kind", &self.kind, Requirement::Kind)?.to_lowercase();
        let mut resource = Resource {
            id: free_id(work, &name, &kind)?,
            kind,
            name,
            parent: None,
            children: Vec::new(),
            grid: self.grid,
            policy: opened_by_hand(self.policy),
            hours: self.hours,
            before: self.before,
            after: self.after,
            price: self.price.filter(|price| price.minor > 0),
            properties: self.properties(),
            marks: Vec::new(),
            retired: false,
        };
        possible(&resource)?;
        if let Some(parent) = &self.parent {
            join(work, &mut resource, parent)?;
        }
        work.put(&resource)?;
        keep_open(work, &resource)?;
        work.get(&resource.id)
    }
}

impl AddResource {
    fn properties(&self) -> BTreeMap<String, String> {
        self.properties
            .iter()
            .map(|(name, value)| (clean(name).to_lowercase(), clean(value)))
            .filter(|(name, _)| !name.is_empty())
            .collect()
    }
}

/// Refuses opening hours of days, and too much time before and after.
pub(super) fn possible(resource: &Resource) -> Result<(), Refusal> {
    if resource.hours.is_some() && resource.grid.segment.is_day() {
        return Err(Refusal::bad("open-hours", Problem::HoursOfDays));
    }
    if resource.before > AROUND_MAX || resource.after > AROUND_MAX {
        return Err(Refusal::bad("before", Problem::LongBuffer));
    }
    Ok(())
}

/// Opens the days that a job keeps open, and schedules it; does nothing for a resource without such a job.
pub(super) fn keep_open(work: &mut UnitOfWork<'_>, resource: &Resource) -> Result<(), Failure> {
    let Policy::Preallocated { roll_days: Some(days), .. } = resource.policy else {
        return Ok(());
    };
    if days == 0 || days > ROLL_DAYS_MAX {
        return Err(Refusal::bad("roll", Problem::Between(1, ROLL_DAYS_MAX)).into());
    }
    let next = horizon::roll(work, resource.clone(), days)?;
    work.put_job(JobKind::Horizon, &resource.id, next)
}

/// Initial policy: a preallocated resource has no open days.
fn opened_by_hand(policy: Policy) -> Policy {
    match policy {
        Policy::OpenEnded => Policy::OpenEnded,
        Policy::Preallocated { roll_days, .. } => Policy::Preallocated { horizon: None, roll_days },
    }
}

/// Refuses a part that is its own ancestor, and a name that already exists among its ancestors.
fn no_circle(work: &mut UnitOfWork<'_>, name: &str, parent: &ResourceId) -> Result<(), Failure> {
    let itself = Problem::PartOfItself(name.to_owned());
    if ResourceId::of_name(name).as_ref() == Some(parent) {
        return Err(Refusal::bad("parent", itself).into());
    }
    let whole: Resource = work.get(parent)?;
    let mut next = Some(whole.clone());
    while let Some(one) = next {
        if one.name.to_lowercase() == name.to_lowercase() {
            let problem =
                if one.id == whole.id { itself } else { Problem::PartOfPart { whole: whole.name, part: one.name } };
            return Err(Refusal::bad("parent", problem).into());
        }
        next = one.parent.map(|id| work.get(id)).transpose()?;
    }
    Ok(())
}

/// Makes a resource part of another: both share zone and segment, and the part gets the parent's open-ended marks.
pub(super) fn join(work: &mut UnitOfWork<'_>, part: &mut Resource, whole: &ResourceId) -> Result<(), Failure> {
    let mut parent: Resource = work.get(whole)?;
    if parent.retired {
        return Err(retired("resource", &parent.name).into());
    }
    if parent.grid != part.grid {
        let problem =
            Problem::OtherGrid { zone: parent.zone(), minutes: parent.grid.segment.minutes(), parent: parent.name };
        return Err(Refusal::bad("segment", problem).into());
    }
    let mut depth = 1;
    let mut above = parent.parent.clone();
    while let Some(next) = above {
        depth += 1;
        above = work.get::<Resource>(next)?.parent;
    }
    if depth >= DEPTH_MAX {
        return Err(Refusal::bad("parent", Problem::TooDeep).into());
    }
    let now = work.now();
    let standing = claims_from(work, &parent, now)?;
    let late_at = work.late_at();
    // a claim on the whole includes all its parts, and would not include a later one
    if let Some((_, claim)) = standing.iter().find(|(_, claim)| claim.grip != Grip::Held || !claim.is_late(late_at)) {
        let by = owner_of(work, claim)?;
        let problem = Problem::TakenWhole(parent.name, by);
        return Err(Refusal::bad("parent", problem).into());
    }
    part.parent = Some(parent.id.clone());
    part.marks.clone_from(&parent.marks);
    parent.children.push(part.id.clone());
    work.put(&parent)
}
