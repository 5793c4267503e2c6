//! Free time: in one resource, in several, common to all of them, or for a stay.

use serde::{Deserialize, Serialize};

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, common, hull};
use crate::engine::reads::calendar::{in_order, views};
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Finds resources free in a window: for all of it, or for a given length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFree {
    pub filter: Filter,
    /// Window; for nights, from arrival to departure.
    pub window: Slot,
    /// Least free length; the whole window if `None`.
    pub span: Option<Span>,
}

/// Resource with its free time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeResource {
    pub resource: Resource,
    /// Long enough free stretches of the window, in order.
    pub slots: Vec<Slot>,
}

/// Finds the first free slot of a length in any of some resources.
#[derive(Clone, Debug)]
pub struct ReadFirstFree {
    /// Resources; the first one listed wins a tie.
    pub resources: Vec<ResourceId>,
    pub span: Span,
    pub window: Slot,
}

/// Free slot of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeSlot {
    pub resource: ResourceId,
    pub slot: Slot,
}

/// Finds slots of at least a length in which all of some resources are free.
#[derive(Clone, Debug)]
pub struct ReadCommonSlots {
    pub resources: Vec<ResourceId>,
    /// Least length.
    pub span: Span,
    pub window: Slot,
}

impl Question for ReadFree {
    type Answer = Vec<FreeResource>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeResource>, Failure> {
        let resources = ReadResources(self.filter.clone()).ask(snapshot)?;
        let mut out = Vec::new();
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            let slots: Vec<Slot> = match self.span {
                Some(span) => free.into_iter().filter(|slot| slot.span() >= span).collect(),
                None => whole(&resource, self.window, &free),
            };
            if !slots.is_empty() {
                out.push(FreeResource { resource, slots });
            }
        }
        Ok(out)
    }
}

/// Returns the window, on the grid where the opening hours allow it, if it can be booked.
pub(super) fn whole(resource: &Resource, window: Slot, free: &[Slot]) -> Vec<Slot> {
    let core = resource.grid.normalise(window);
    let told = if resource.is_open(core) { core } else { window };
    fits(resource, window, free).then_some(told).into_iter().collect()
}

/// Returns whether a slot can be booked within one of a resource's free stretches; a stay is compared by its days.
pub(super) fn fits(resource: &Resource, slot: Slot, free: &[Slot]) -> bool {
    let core = resource.grid.normalise(slot);
    let needed = slot.meet(&core).unwrap_or(core);
    free.iter().any(|stretch| stretch.covers(&needed))
}

impl Question for ReadFirstFree {
    type Answer = Option<FreeSlot>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<FreeSlot>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let now = snapshot.now();
        let mut best: Option<FreeSlot> = None;
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            let next = resource.grid.border_from(now);
            // a short slot of the running segment may already be over
            let first = free.iter().find_map(|stretch| {
                let at = |from: Instant| Slot::new(from, from + self.span).ok();
                let starts = [stretch.from(), stretch.from().max(next)];
                let slots = starts.into_iter().filter_map(at);
                let mut slots = slots.filter(|slot| slot.until() > now && stretch.covers(slot));
                slots.next()
            });
            let earlier = |slot: &Slot| best.as_ref().is_none_or(|best| slot.from() < best.slot.from());
            if let Some(slot) = first.filter(earlier) {
                best = Some(FreeSlot { resource: resource.id, slot });
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

/// Bookable stretches of each resource in a window: a slot that is not over can be booked exactly if it lies inside one
/// of them, including the time needed before and after. Past time is never free.
pub(super) fn free_of(
    snapshot: &mut Snapshot<'_>,
    resources: Vec<Resource>,
    window: Slot,
) -> Result<Vec<(Resource, Vec<Slot>)>, Failure> {
    let now = snapshot.now();
    let around: Vec<Slot> = resources.iter().map(|one| one.taken(window).1).collect();
    let wide = hull(&around).unwrap_or(window);
    let views = views(snapshot, &resources, wide)?;
    Ok(resources
        .into_iter()
        .zip(views)
        .map(|(resource, view)| {
            let room = view.clear();
            let room =
                room.iter().filter_map(|clear| room_in(&resource, *clear, wide)?.meet(&window)).collect::<Vec<_>>();
            let free = common(&room, &view.free()).into_iter();
            let free = free.filter(|_| !resource.retired).filter_map(|slot| resource.to_come(slot, now));
            let free = free.collect();
            (resource, free)
        })
        .collect())
}

/// Shrinks an unclaimed stretch to its bookable part, if the time needed before and after must fit in it too.
fn room_in(resource: &Resource, clear: Slot, wide: Slot) -> Option<Slot> {
    let grid = resource.grid;
    // at the edge of the examined window no margin is needed
    let from = if clear.from() > wide.from() { grid.border_from(clear.from() + resource.before) } else { clear.from() };
    let until = if clear.until() < wide.until() {
        // the time needed after a stay ends with the day before
        let last =
            if grid.segment.is_day() { grid.day_at(clear.until()).end - Span::from_millis(1) } else { clear.until() };
        grid.border_until(last - resource.after).min(clear.until())
    } else {
        clear.until()
    };
    Slot::new(from, until).ok()
}
