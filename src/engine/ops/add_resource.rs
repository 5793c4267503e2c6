//! Adds a resource booked by time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::money::Price;
use crate::domain::refusal::{CountRefusal, Problem, Refusal, Requirement};
use crate::domain::resource::{Count, OpenHours, Policy, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Grid, Span};
use crate::engine::ops::price_lists;
use crate::engine::ops::resource_ids::free_id;
use crate::engine::ops::resources::{join, keep_open, make_sense, possible};
use crate::engine::ops::texts::{filled, named};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Adds a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default)]
    pub before: Span,
    /// Time needed after each booking.
    #[serde(default)]
    pub after: Span,
    /// Price of a segment.
    pub price: Option<Price>,
    /// Price list that prices it.
    #[serde(default)]
    pub prices: Option<String>,
    /// Number of equal units, of which a booking takes some; such a resource has no parts and is none.
    #[serde(default)]
    pub count: Option<Count>,
    #[serde(default)]
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
            prices: self.prices.clone(),
            count: self.count.clone(),
            properties: self.properties(),
            marks: Vec::new(),
            retired: false,
        };
        if let Some(list) = &self.prices {
            price_lists::known(&*work.settings()?, list)?;
        }
        make_sense(resource.properties.iter())?;
        possible(&resource)?;
        if resource.count.is_some() && self.parent.is_some() {
            return Err(Refusal::from(CountRefusal::CountedPart { resource: resource.name }).into());
        }
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
