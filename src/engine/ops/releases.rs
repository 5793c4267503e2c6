//! Release of a part of a booking's time: shared by the operations that shorten or cancel one.

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, Taken};
use crate::domain::loss::CellGroup;
use crate::domain::refusal::{Lack, NotWhole, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, Span, common, joined, subtract};
use crate::engine::ops::claims;
use crate::engine::ops::taking::family;
use crate::engine::work::{Failure, UnitOfWork};

/// Frees the whole segments of a booking inside a slot, with the time that only they needed before and after; returns
/// the resources. The booking is not put. Refuses a slot that is not all the booking's, or has no whole segment.
pub(super) fn give_back(
    work: &mut UnitOfWork<'_>,
    booking: &mut Booking,
    (resource, slot): (Option<&ResourceId>, Slot),
) -> Result<Vec<ResourceId>, Failure> {
    let mut meant: Vec<ResourceId> = match resource {
        Some(id) => family(work, id)?.into_iter().map(|one| one.id).collect(),
        None => booking.taken.iter().map(|taken| taken.resource.clone()).collect(),
    };
    meant.sort_unstable();
    meant.dedup();
    let owner = booking.owner();
    let mut freed = Vec::new();
    for id in &meant {
        let resource: Resource = work.get(id)?;
        let reached = reached(booking, (id, slot));
        let inside = resource.grid.inside(reached);
        let asked = inside.unwrap_or_else(|| resource.grid.normalise(slot));
        let asked = of(id, vec![asked]);
        let foreign = claims::in_the_way(work, &asked, (&owner, Act::Release))?;
        if !foreign.is_empty() {
            return Err(Refusal::NotYours { lack: Lack::InBooking, facts: foreign }.into());
        }
        let slots = inside.map_or_else(Vec::new, |inside| spare(&mut booking.taken, &resource, inside));
        if slots.is_empty() {
            return Err(no_whole(&resource, slot).into());
        }
        freed.push(of(id, slots));
    }
    for cells in &freed {
        claims::free(work, cells, &owner)?;
    }
    Ok(meant)
}

pub(super) fn of(id: &ResourceId, slots: Vec<Slot>) -> CellGroup {
    CellGroup::Time { resource: id.clone(), slots }
}

/// Extends a slot to the border of the resource's segment where it reaches the start or end of the requested time.
fn reached(booking: &Booking, (id, named): (&ResourceId, Slot)) -> Slot {
    let (mut from, mut until) = (named.from(), named.until());
    for taken in booking.taken.iter().filter(|taken| taken.resource == *id) {
        for stretch in taken.kept() {
            let wanted = taken.as_wanted(stretch);
            if named.has(wanted.from()) {
                from = from.min(stretch.from());
            }
            if named.from() < wanted.until() && wanted.until() <= named.until() {
                until = until.max(stretch.until());
            }
        }
    }
    Slot::new(from, until).unwrap_or(named)
}

/// Removes whole segments from taken time on a resource; returns the freed time, including time before and after that is
/// no longer needed.
pub(super) fn spare(all: &mut [Taken], resource: &Resource, inside: Slot) -> Vec<Slot> {
    let mut freed = Vec::new();
    let mine = |taken: &&mut Taken| taken.resource == resource.id;
    for taken in all.iter_mut().filter(mine) {
        let asked = taken.asked_for();
        let given = common(&asked, &[inside]);
        if given.is_empty() {
            continue;
        }
        let rest = subtract(&taken.kept(), &[inside]);
        let needed = joined(rest.iter().map(|slot| resource.around(*slot)).collect());
        let live = common(&taken.live, &needed);
        freed.extend(subtract(&taken.live, &live));
        taken.given = joined([taken.given.as_slice(), given.as_slice()].concat());
        taken.live = live;
    }
    freed
}

pub(super) fn no_whole(resource: &Resource, named: Slot) -> Refusal {
    let whole = resource.grid.normalise(named);
    Refusal::NoWholeSegment(NotWhole {
        resource: resource.name.clone(),
        segment: Span::minutes(i64::from(resource.grid.segment.minutes())),
        from: named.from(),
        until: named.until(),
        whole,
        zone: resource.zone(),
    })
}
