//! Free time: in one resource, in several, common to all of them, or for a stay.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Grid, Instant, Slot, Span, common, hull, subtract};
use crate::engine::reads::calendar::{in_order, views};
use crate::engine::reads::resources::{ReadResources, ResourceFilter};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Finds resources free in a window: for all of it, or for a given length.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadFree {
    pub filter: ResourceFilter,
    /// Window; for nights, from arrival to departure.
    pub window: Slot,
    /// Least free length; the whole window if `None`.
    pub span: Option<Span>,
    /// Number of units of counted resources; one if `None`.
    #[serde(default)]
    pub count: Option<u32>,
}

/// Resource with its free time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FreeResource {
    pub resource: Resource,
    /// Long enough free stretches of the window, in order.
    pub slots: Vec<Slot>,
}

/// Finds the first free slot of a length in any of some resources.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
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
        let closed = snapshot.settings()?.closed_days;
        let mut out = Vec::new();
        for (resource, free) in free_units(snapshot, resources, (self.window, self.count.unwrap_or(1)))? {
            let slots: Vec<Slot> = match self.span {
                Some(span) => {
                    let free = on_open_days(&resource, free, &closed).into_iter();
                    free.filter(|slot| first_in(&resource, *slot, (span, &closed)).is_some()).collect()
                }
                None if resource.closed_on(self.window, &closed).is_some() => Vec::new(),
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
    resource.is_open(needed) && free.iter().any(|stretch| stretch.covers(&needed))
}

/// Free stretches without the house's closed days, which a hire may span.
fn on_open_days(resource: &Resource, free: Vec<Slot>, closed: &[NaiveDate]) -> Vec<Slot> {
    if closed.is_empty() || resource.is_hire() {
        return free;
    }
    let closed: Vec<Slot> = closed.iter().filter_map(|date| resource.open_on(*date)).collect();
    subtract(&free, &closed)
}

/// The first slot of a length in a free stretch: at its start, and of a hire at the first segment from which it begins and
/// ends in the opening hours of open days.
fn first_in(resource: &Resource, stretch: Slot, (span, closed): (Span, &[NaiveDate])) -> Option<Slot> {
    let next = |from: &Instant| Some(resource.grid.border_from(*from + Span::from_millis(1)));
    let slots = std::iter::successors(Some(stretch.from()), next).map_while(|from| Slot::new(from, from + span).ok());
    let mut slots = slots.take_while(|slot| stretch.covers(slot));
    slots.find(|slot| !resource.is_hire() || resource.is_open(*slot) && resource.closed_on(*slot, closed).is_none())
}

impl Question for ReadFirstFree {
    type Answer = Option<FreeSlot>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<FreeSlot>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let now = snapshot.now();
        let closed = snapshot.settings()?.closed_days;
        let mut best: Option<FreeSlot> = None;
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            let next = resource.grid.border_from(now);
            // a short slot of the running segment may already be over
            let first = on_open_days(&resource, free, &closed).into_iter().find_map(|stretch| {
                let later = Slot::new(stretch.from().max(next), stretch.until()).ok();
                let firsts = [Some(stretch), later].into_iter().flatten();
                let mut slots = firsts.filter_map(|part| first_in(&resource, part, (self.span, &closed)));
                slots.find(|slot| slot.until() > now)
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
        let closed = snapshot.settings()?.closed_days;
        let mut all = vec![self.window];
        for (resource, free) in free_of(snapshot, resources, self.window)? {
            all = common(&all, &on_open_days(&resource, free, &closed));
        }
        all.retain(|slot| slot.span() >= self.span);
        Ok(all)
    }
}

/// Bookable stretches of each resource in a window: a slot that is not over can be booked exactly if it lies inside one
/// of them, including the time needed before and after, and on an open day; a hire if it also begins and ends in the
/// opening hours. Past time is never free.
pub(super) fn free_of(
    snapshot: &mut Snapshot<'_>,
    resources: Vec<Resource>,
    window: Slot,
) -> Result<Vec<(Resource, Vec<Slot>)>, Failure> {
    free_units(snapshot, resources, (window, 1))
}

/// Stretches as of [`free_of`] in which a number of units can be booked.
fn free_units(
    snapshot: &mut Snapshot<'_>,
    resources: Vec<Resource>,
    (window, units): (Slot, u32),
) -> Result<Vec<(Resource, Vec<Slot>)>, Failure> {
    let now = snapshot.now();
    // the arithmetic of a calendar is dear, and most resources have the same one
    let calendars: HashMap<(Grid, Span, Span), &Resource> =
        resources.iter().map(|one| ((one.grid, one.before, one.after), one)).collect();
    let around: Vec<Slot> = calendars.into_values().map(|one| one.taken(window).1).collect();
    let wide = hull(&around).unwrap_or(window);
    let views = views(snapshot, &resources, wide)?;
    Ok(resources
        .into_iter()
        .zip(views)
        .map(|(resource, mut view)| {
            view.need(units);
            let room = view.clear();
            let room =
                room.iter().filter_map(|clear| room_in(&resource, *clear, wide)?.meet(&window)).collect::<Vec<_>>();
            let open = if resource.is_hire() { view.clear() } else { view.free() };
            let free = common(&room, &open).into_iter();
            let free = free.filter(|_| !resource.retired).filter_map(|slot| resource.to_come(slot, now));
            let free = free.collect();
            (resource, free)
        })
        .collect())
}

/// Shrinks an unclaimed stretch to its bookable part, if the time needed before and after must fit in it too.
fn room_in(resource: &Resource, clear: Slot, wide: Slot) -> Option<Slot> {
    let grid = resource.grid;
    let has_margin = resource.before != Span::default() || resource.after != Span::default();
    // its own claims end on its grid; marks and claims of its parts may not
    if !has_margin && resource.marks.is_empty() && resource.children.is_empty() {
        return Some(clear);
    }
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
