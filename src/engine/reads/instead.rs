//! Alternatives after a refusal: other seats, or the same time elsewhere and then the next time in the same place.

use crate::domain::booking::AnyOf;
use crate::domain::refusal::{Alternative, SlotAt};
use crate::domain::resource::{Likeness, Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, common};
use crate::engine::ops::{HoldSeats, Want};
use crate::engine::reads::calendar::in_order;
use crate::engine::reads::free_time::{fits, free_of, whole};
use crate::engine::reads::resources::{ReadResources, ResourceFilter};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

mod dates;
mod seats;

/// Most alternative resources, and most alternative times.
const OFFERS_EACH: usize = 2;

/// Search range for other times; nights are searched farther ahead than hours.
const AHEAD: Span = Span::minutes(28 * 24 * 60);
const NIGHTS_AHEAD: Span = Span::minutes(120 * 24 * 60);

/// Finds free seats or time to replace a refused request, best first.
#[derive(Clone, Debug)]
pub enum ReadInstead {
    Seats {
        /// Refused request.
        wanted: Box<HoldSeats>,
        /// Unique names of the taken seats.
        refused: Vec<String>,
    },
    Time(WantedTime),
}

/// Refused request of time.
#[derive(Clone, Debug)]
pub struct WantedTime {
    /// Requested resources, all of them needed.
    pub resources: Vec<ResourceId>,
    /// Further resources of which any `count` were requested.
    pub any: Option<AnyOf>,
    /// Requested time: one slot, or each date of a repeat.
    pub slots: Vec<Slot>,
}

impl From<&HoldSeats> for ReadInstead {
    fn from(wanted: &HoldSeats) -> Self {
        Self::Seats { wanted: wanted.clone().into(), refused: Vec::new() }
    }
}

impl ReadInstead {
    /// Request for one slot of some resources.
    pub fn of(resources: &[ResourceId], slot: Slot) -> Self {
        Self::Time(WantedTime { resources: resources.to_vec(), any: None, slots: vec![slot] })
    }

    /// Request of one booking.
    pub fn of_wants(wants: &[Want]) -> Self {
        let mut instead = WantedTime { resources: Vec::new(), any: None, slots: Vec::new() };
        for want in wants {
            match want.any {
                Some(count) => {
                    let of = want.of.clone();
                    instead.any = Some(AnyOf { of, count });
                }
                None => instead.resources.extend(want.of.iter().cloned()),
            }
            if !instead.slots.contains(&want.slot) {
                instead.slots.push(want.slot);
            }
        }
        Self::Time(instead)
    }
}

impl Question for ReadInstead {
    type Answer = Vec<Alternative>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Alternative>, Failure> {
        let wanted = match self {
            Self::Seats { wanted, refused } => return seats::instead(snapshot, (wanted, refused)),
            Self::Time(wanted) => wanted,
        };
        let found = match (wanted.slots.as_slice(), &wanted.any) {
            ([slot], None) => instead_of_one(snapshot, &wanted.resources, *slot)?,
            _ => dates::instead(snapshot, wanted)?,
        };
        // an alternative to two of the resources is offered once
        let mut out: Vec<Alternative> = Vec::new();
        for one in found {
            if !out.contains(&one) {
                out.push(one);
            }
        }
        Ok(out)
    }
}

fn instead_of_one(
    snapshot: &mut Snapshot<'_>,
    resources: &[ResourceId],
    slot: Slot,
) -> Result<Vec<Alternative>, Failure> {
    let wanted = in_order(snapshot, resources)?;
    let mut out = Vec::new();
    for one in &wanted {
        if wanted.len() == 1 || !is_free(snapshot, one, slot)? {
            out.extend(elsewhere(snapshot, (one, resources), slot)?);
        }
    }
    out.extend(later(snapshot, &wanted, slot)?);
    Ok(out)
}

/// Resources that can replace a requested one, the most similar first.
fn stand_ins(snapshot: &mut Snapshot<'_>, (one, wanted): (&Resource, &[ResourceId])) -> Result<Vec<Resource>, Failure> {
    let filter = ResourceFilter { kind: Some(one.kind.clone()), ..ResourceFilter::default() };
    let mut found: Vec<(Likeness, Resource)> = Vec::new();
    let mut beside = Vec::new();
    for id in wanted.iter().filter(|id| **id != one.id) {
        beside.push(line_of(snapshot, id)?);
    }
    for other in ReadResources(filter).ask(snapshot)? {
        let likeness = one.likeness(&other).filter(|_| !wanted.contains(&other.id));
        let Some(likeness) = likeness else {
            continue;
        };
        if beside.is_empty() || !is_related(&line_of(snapshot, &other.id)?, &beside) {
            found.push((likeness, other));
        }
    }
    // a stable sort: equally similar ones stay in order of name
    found.sort_by_key(|(likeness, _)| *likeness);
    Ok(found.into_iter().map(|(_, resource)| resource).collect())
}

/// A resource with its ancestors, itself first.
fn line_of(snapshot: &mut Snapshot<'_>, id: &ResourceId) -> Result<Vec<ResourceId>, Failure> {
    let mut line = vec![id.clone()];
    let mut parent = snapshot.get::<Resource>(id)?.parent;
    while let Some(id) = parent {
        parent = snapshot.get::<Resource>(&id)?.parent;
        line.push(id);
    }
    Ok(line)
}

/// Returns whether a resource is part of one of the others, or the reverse, so that they cannot be booked together.
fn is_related(line: &[ResourceId], others: &[Vec<ResourceId>]) -> bool {
    let is_part = |one: &[ResourceId], of: &[ResourceId]| of.first().is_some_and(|of| one.contains(of));
    others.iter().any(|other| is_part(line, other) || is_part(other, line))
}

/// Alternatives free for the whole slot.
fn elsewhere(
    snapshot: &mut Snapshot<'_>,
    (one, wanted): (&Resource, &[ResourceId]),
    slot: Slot,
) -> Result<Vec<Alternative>, Failure> {
    let others = stand_ins(snapshot, (one, wanted))?;
    let mut out = Vec::new();
    let closed = snapshot.settings()?.closed_days;
    for (other, stretches) in free_of(snapshot, others, slot)? {
        let facts = whole(&other, slot, &stretches);
        let facts = facts.into_iter().filter(|core| other.closed_on(*core, &closed).is_none());
        out.extend(facts.map(|core| free(other.name.clone(), (core, &other), None)));
    }
    out.truncate(OFFERS_EACH);
    Ok(out)
}

/// Next times at which all requested resources are free for the same length.
fn later(snapshot: &mut Snapshot<'_>, wanted: &[Resource], slot: Slot) -> Result<Vec<Alternative>, Failure> {
    let Some(first) = wanted.first().cloned() else {
        return Ok(Vec::new());
    };
    let names: Vec<&str> = wanted.iter().map(|one| one.name.as_str()).collect();
    let names = names.join(" and ");
    let core = first.grid.normalise(slot);
    let ahead = if first.grid.segment.is_day() { NIGHTS_AHEAD } else { AHEAD };
    let Ok(window) = Slot::new(core.from(), core.until() + ahead) else {
        return Ok(Vec::new());
    };
    let mut all_free = vec![window];
    for (_, of_one) in free_of(snapshot, wanted.to_vec(), window)? {
        all_free = common(&all_free, &of_one);
    }
    let closed = snapshot.settings()?.closed_days;
    let is_open = |slot: &Slot| wanted.iter().all(|one| one.is_open(*slot) && one.closed_on(*slot, &closed).is_none());
    let next = all_free.iter().filter_map(|stretch| begin((&first, core), *stretch, is_open));
    Ok(next.take(OFFERS_EACH).map(|slot| free(names.clone(), (slot, &first), None)).collect())
}

fn free(resource: String, (slot, of): (Slot, &Resource), dates: Option<u32>) -> Alternative {
    let at = SlotAt { resource, ..SlotAt::of(of, slot) };
    Alternative::Slot { at, dates }
}

fn is_free(snapshot: &mut Snapshot<'_>, one: &Resource, slot: Slot) -> Result<bool, Failure> {
    let free = free_of(snapshot, vec![one.clone()], slot)?;
    Ok(free.iter().any(|(one, free)| fits(one, slot, free)))
}

/// First slot of a free stretch with the length of `like` that is open; nights are compared by number.
fn begin((one, like): (&Resource, Slot), stretch: Slot, is_open: impl Fn(&Slot) -> bool) -> Option<Slot> {
    let grid = one.grid;
    let next = |from: &Instant| Some(grid.border_from(*from + Span::from_millis(1)));
    let starts = std::iter::successors(Some(grid.border_from(stretch.from())), next);
    // a longer or shorter day may end with a short segment
    starts
        .map_while(|from| grid.like(like, from))
        .take_while(|slot| slot.from() < stretch.until())
        .find(|slot| stretch.covers(slot) && is_open(slot))
}
