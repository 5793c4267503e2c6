//! What is free: in one resource, among several, in all of them at once, for a stay.

use serde::{Deserialize, Serialize};

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, common};
use crate::engine::reads::calendar::{in_order, views};
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Asks which resources are free in a window: all of it, or for some length of it.
#[derive(Clone, Debug)]
pub struct ReadFree {
    /// Which resources.
    pub filter: Filter,
    /// From when until when; for nights, from arrival to departure.
    pub window: Slot,
    /// How long they have to be free; the whole window when not said.
    pub span: Option<Span>,
}

/// A resource and when it is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeResource {
    /// The resource.
    pub resource: Resource,
    /// The stretches of the window that are long enough, in order.
    pub slots: Vec<Slot>,
}

/// Asks for the first slot of a length that is free in any of some resources.
#[derive(Clone, Debug)]
pub struct ReadFirstFree {
    /// The resources; the first named wins a draw.
    pub resources: Vec<ResourceId>,
    /// How long.
    pub span: Span,
    /// Where it may lie.
    pub window: Slot,
}

/// A free slot of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeSlot {
    /// The resource.
    pub resource: ResourceId,
    /// The slot.
    pub slot: Slot,
}

/// Asks for the slots of at least a length in which all of some resources are free.
#[derive(Clone, Debug)]
pub struct ReadCommonSlots {
    /// The resources.
    pub resources: Vec<ResourceId>,
    /// How long at least.
    pub span: Span,
    /// Where they may lie.
    pub window: Slot,
}

impl Question for ReadFree {
    type Answer = Vec<FreeResource>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeResource>, Failure> {
        let resources = ReadResources(self.filter.clone()).ask(snapshot)?;
        let mut out = Vec::new();
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            let slots: Vec<Slot> = match self.span {
                Some(span) => free
                    .into_iter()
                    .filter(|slot| slot.span() >= span)
                    .collect(),
                None => whole(&resource, self.window, &free),
            };
            if !slots.is_empty() {
                out.push(FreeResource { resource, slots });
            }
        }
        Ok(out)
    }
}

/// The window itself when all that it takes is free.
pub(super) fn whole(resource: &Resource, window: Slot, free: &[Slot]) -> Vec<Slot> {
    let core = resource.grid.normalise(window);
    let needed = window.meet(&core).unwrap_or(core);
    let is_free = free.iter().any(|slot| slot.covers(&needed));
    is_free.then_some(core).into_iter().collect()
}

impl Question for ReadFirstFree {
    type Answer = Option<FreeSlot>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<FreeSlot>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let mut best: Option<FreeSlot> = None;
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            let first = free.iter().find(|slot| slot.span() >= self.span);
            let earlier = |slot: &&Slot| {
                best.as_ref()
                    .is_none_or(|best| slot.from() < best.slot.from())
            };
            if let Some(found) = first.filter(earlier) {
                best = Slot::new(found.from(), found.from() + self.span)
                    .ok()
                    .map(|slot| FreeSlot {
                        resource: resource.id,
                        slot,
                    });
            }
        }
        Ok(best)
    }
}

impl Question for ReadCommonSlots {
    type Answer = Vec<Slot>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Slot>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let mut all = vec![self.window];
        for (_, free) in free_of(snapshot, resources, self.window)? {
            all = common(&all, &free);
        }
        all.retain(|slot| slot.span() >= self.span);
        Ok(all)
    }
}

/// When each resource is free in a window, with room for what it needs before and after; the past is free to
/// nobody.
pub(super) fn free_of(
    snapshot: &mut Snapshot<'_>,
    resources: Vec<Resource>,
    window: Slot,
) -> Result<Vec<(Resource, Vec<Slot>)>, Failure> {
    let now = snapshot.now();
    let longest = |of: fn(&Resource) -> Span| resources.iter().map(of).max().unwrap_or_default();
    let (before, after) = (longest(|one| one.before), longest(|one| one.after));
    let wide = Slot::new(window.from() - before, window.until() + after).unwrap_or(window);
    let views = views(snapshot, &resources, wide)?;
    Ok(resources
        .into_iter()
        .zip(views)
        .map(|(resource, view)| {
            let free = view.free();
            let slots = free
                .iter()
                .filter_map(|slot| room(&resource, *slot, (wide, window)));
            let slots = slots
                .filter_map(|slot| to_come(&resource, slot, now))
                .collect();
            (resource, slots)
        })
        .collect())
}

/// What of a free stretch can be booked, when what is needed before and after has to be free too.
fn room(resource: &Resource, free: Slot, (wide, window): (Slot, Slot)) -> Option<Slot> {
    // at the edge of what was looked at nothing more is asked for
    let from = if free.from() > wide.from() {
        free.from() + resource.before
    } else {
        free.from()
    };
    let until = if free.until() < wide.until() {
        free.until() - resource.after
    } else {
        free.until()
    };
    Slot::new(from, until).ok()?.meet(&window)
}

fn to_come(resource: &Resource, slot: Slot, now: Instant) -> Option<Slot> {
    if slot.from() >= now {
        return Some(slot);
    }
    let day = resource.grid.day_at(now);
    let running = day.cell_start(day.cell_at(now));
    Slot::new(slot.from().max(running), slot.until()).ok()
}
