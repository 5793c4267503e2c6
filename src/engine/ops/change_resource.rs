//! Changes what was entered of a resource, and retires it.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::is_default;
use crate::domain::job::JobKind;
use crate::domain::money::Price;
use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::resource::{Count, OpenHours, Policy, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Grid, Segment, Span};
use crate::engine::ops::changes::{Patched, Revised, only_one, other};
use crate::engine::ops::price_lists;
use crate::engine::ops::resources::{keep_open, make_sense, possible, recount, regrid};
use crate::engine::ops::retiring::{bring_back, retire};
use crate::engine::ops::texts::{filled, named};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes fields of a resource; its id stays. What was booked keeps its time and its price.
///
/// Time zone and segment change while it has neither stored days nor relatives. A retired resource is gone from all lists
/// and from the parts of its parent, and can't be booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeResource {
    pub resource: ResourceId,
    pub patch: ResourcePatch,
}

/// Fields of a resource; absent ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourcePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<Tz>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<Segment>,
    /// Hours; whether they are for hire is a field of its own.
    #[serde(skip_serializing_if = "Patched::is_kept")]
    pub hours: Patched<OpenHours>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hire: Option<bool>,
    /// Time needed before each booking made from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Span>,
    /// Time needed after each booking made from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Span>,
    #[serde(skip_serializing_if = "Patched::is_kept")]
    pub price: Patched<Price>,
    /// Price list, by name.
    #[serde(skip_serializing_if = "Patched::is_kept")]
    pub prices: Patched<String>,
    /// Number of units, not below what is claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Properties by name; those without a value go.
    #[serde(skip_serializing_if = "is_default")]
    pub properties: BTreeMap<String, Option<String>>,
    /// Number of days from today that a job keeps open.
    #[serde(skip_serializing_if = "Patched::is_kept")]
    pub roll_days: Patched<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired: Option<bool>,
}

impl Operation for ChangeResource {
    const VERB: &'static str = "change_resource";
    type Answer = Revised<Resource, ResourcePatch>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure> {
        let before: Resource = work.get(&self.resource)?;
        let (mut after, patch) = (before.clone(), &self.patch);
        if let Some(name) = &patch.name {
            after.name = named("name", name)?;
            only_one(work, "resource", (&after.name, after.id.as_str()))?;
        }
        if let Some(kind) = &patch.kind {
            after.kind = filled("kind", kind, Requirement::Kind)?.to_lowercase();
        }
        let Grid { zone, segment } = before.grid;
        let zone = patch.time_zone.unwrap_or(zone);
        regrid(work, &mut after, Grid { zone, segment: patch.segment.unwrap_or(segment) })?;
        if let Some(count) = &patch.count {
            recount(work, &mut after, count)?;
        }
        patch.open(&mut after)?;
        after.before = patch.before.unwrap_or(after.before);
        after.after = patch.after.unwrap_or(after.after);
        patch.price.apply(&mut after.price);
        patch.prices.apply(&mut after.prices);
        if let Patched::Set(list) = &patch.prices {
            price_lists::known(&*work.settings()?, list)?;
        }
        after.price = after.price.filter(|price| price.minor > 0);
        patch.set_properties(&mut after);
        make_sense(after.properties.iter().filter(|(name, value)| before.properties.get(*name) != Some(*value)))?;
        possible(&after)?;
        match (patch.retired, before.retired) {
            (Some(true), false) => retire(work, &mut after)?,
            (Some(false), true) => bring_back(work, &mut after)?,
            (Some(_) | None, _) => {}
        }
        work.put(&after)?;
        if !patch.roll_days.is_kept() {
            patch.roll(work, after)?;
        }
        let after = work.get(&self.resource)?;
        Ok(Revised { back: ResourcePatch::between(&after, &before), before, after })
    }
}

impl ResourcePatch {
    /// Patch that makes a version of a resource into another.
    pub fn between(before: &Resource, after: &Resource) -> Self {
        let gone = before.properties.keys().filter(|name| !after.properties.contains_key(*name));
        let gone = gone.map(|name| (name.clone(), None));
        let set = after.properties.iter().filter(|(name, value)| before.properties.get(*name) != Some(value));
        let set = set.map(|(name, value)| (name.clone(), Some(value.clone())));
        let hours = |one: &Resource| one.hours.map(|hours| OpenHours { hire: false, ..hours });
        Self {
            name: other(&before.name, &after.name),
            kind: other(&before.kind, &after.kind),
            time_zone: other(&before.grid.zone, &after.grid.zone),
            segment: other(&before.grid.segment, &after.grid.segment),
            hours: Patched::between(hours(before).as_ref(), hours(after).as_ref()),
            hire: other(&before.is_hire(), &after.is_hire()),
            before: other(&before.before, &after.before),
            after: other(&before.after, &after.after),
            price: Patched::between(before.price.as_ref(), after.price.as_ref()),
            prices: Patched::between(before.prices.as_ref(), after.prices.as_ref()),
            count: after.count.clone().filter(|count| before.count.as_ref() != Some(count)),
            properties: gone.chain(set).collect(),
            roll_days: Patched::between(before.roll_days().as_ref(), after.roll_days().as_ref()),
            retired: other(&before.retired, &after.retired),
        }
    }

    /// Changes the hours, and whether they are for hire; hire stays with other hours.
    fn open(&self, resource: &mut Resource) -> Result<(), Refusal> {
        let hire = self.hire.unwrap_or_else(|| resource.is_hire());
        self.hours.apply(&mut resource.hours);
        match &mut resource.hours {
            Some(hours) => hours.hire = hire,
            None if self.hire == Some(true) => return Err(Refusal::bad("hire", Problem::Missing(Requirement::Hours))),
            None => {}
        }
        Ok(())
    }

    fn set_properties(&self, resource: &mut Resource) {
        for (name, value) in &self.properties {
            let name = clean(name).to_lowercase();
            match value {
                Some(value) if !name.is_empty() => resource.properties.insert(name, clean(value)),
                Some(_) | None => resource.properties.remove(&name),
            };
        }
    }

    /// Changes the number of days that a job keeps open.
    fn roll(&self, work: &mut UnitOfWork<'_>, mut resource: Resource) -> Result<(), Failure> {
        let Policy::Preallocated { horizon, mut roll_days } = resource.policy else {
            let policy = "open-ended".into();
            return Err(Refusal::WrongPolicy { resource: resource.name, policy }.into());
        };
        self.roll_days.apply(&mut roll_days);
        resource.policy = Policy::Preallocated { horizon, roll_days };
        work.put(&resource)?;
        if roll_days.is_none() {
            work.end_job(JobKind::Horizon, &resource.id);
        }
        keep_open(work, &resource)
    }
}
