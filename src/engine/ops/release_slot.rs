//! A booking gives back a part of its time.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Taken};
use crate::domain::ids::BookingId;
use crate::domain::refusal::{NotWhole, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, Span, common, joined, subtract};
use crate::engine::ops::booking::{allowed, price, price_follows, standing};
use crate::engine::ops::claims;
use crate::engine::ops::enable_seats::Whose;
use crate::engine::ops::taking::family;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives back the whole segments inside a slot of a booking, or nothing; what it has beside that stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReleaseSlot {
    /// The booking.
    pub booking: BookingId,
    /// Of which of its resources, with its parts; of all when not said.
    pub resource: Option<ResourceId>,
    /// What it gives back.
    pub slot: Slot,
    /// Whose act may be changed, of what is out of use.
    pub whose: Whose,
}

impl Operation for ReleaseSlot {
    const VERB: &'static str = "release_slot";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        allowed(work, &booking, self.whose)?;
        let follows = price_follows(work, &booking)?;
        give_back(work, &mut booking, (self.resource.as_ref(), self.slot))?;
        if !booking.is_live() {
            booking.state = BookingState::Canceled;
        } else if follows {
            booking.price = price(work, &booking.taken)?;
        }
        work.put(&booking)?;
        Ok(booking)
    }
}

/// Frees the whole segments inside a slot of a booking, in each of its resources that are meant, with what only they
/// needed before and after; gives those resources. The booking is not put.
///
/// # Errors
/// Some of it is not the booking's, or no whole segment of it can be spared.
pub(super) fn give_back(
    work: &mut UnitOfWork<'_>,
    booking: &mut Booking,
    (resource, slot): (Option<&ResourceId>, Slot),
) -> Result<Vec<ResourceId>, Failure> {
    let mut meant: Vec<ResourceId> = match resource {
        Some(id) => family(work, id)?.into_iter().map(|one| one.id).collect(),
        None => booking
            .taken
            .iter()
            .map(|taken| taken.resource.clone())
            .collect(),
    };
    meant.sort_unstable();
    meant.dedup();
    let owner = booking.owner();
    let mut freed = Vec::new();
    for id in &meant {
        let resource: Resource = work.get(id)?;
        let reached = reached(booking, (id, slot));
        let inside = resource.grid.inside(reached);
        let asked = of(id, inside.unwrap_or_else(|| resource.grid.normalise(slot)));
        let foreign = claims::in_the_way(work, &[asked], (&owner, Act::Release))?;
        if !foreign.is_empty() {
            return Err(Refusal::SlotNotYours { slots: foreign }.into());
        }
        let slots = inside.map_or_else(Vec::new, |inside| spared(booking, &resource, inside));
        if slots.is_empty() {
            return Err(no_whole(&resource, slot).into());
        }
        freed.push(Taken {
            live: slots,
            ..of(id, slot)
        });
    }
    claims::free(work, &freed, &owner)?;
    Ok(meant)
}

/// A slot on a resource with nothing before or after it.
fn of(id: &ResourceId, slot: Slot) -> Taken {
    Taken {
        resource: id.clone(),
        wanted: slot,
        core: slot,
        live: vec![slot],
        part_of: None,
        given: Vec::new(),
    }
}

/// A named slot, out to the border where it names the first or the last that is wanted: nothing beyond that is
/// wanted there.
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

/// Takes whole segments out of what a booking has of a resource; gives what it frees, with what nothing needs any
/// more before or after, and without what the rest needs there.
fn spared(booking: &mut Booking, resource: &Resource, inside: Slot) -> Vec<Slot> {
    let mut freed = Vec::new();
    let mine = |taken: &&mut Taken| taken.resource == resource.id;
    for taken in booking.taken.iter_mut().filter(mine) {
        let kept = taken.kept();
        let rest = subtract(&kept, &[inside]);
        if rest == kept {
            continue;
        }
        let needed = joined(rest.iter().map(|slot| resource.around(*slot)).collect());
        let live = common(&taken.live, &needed);
        freed.extend(subtract(&taken.live, &live));
        let given = common(&kept, &[inside]);
        taken.given = joined([taken.given.as_slice(), given.as_slice()].concat());
        taken.live = live;
    }
    freed
}

fn no_whole(resource: &Resource, named: Slot) -> Refusal {
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
