//! Open-ended marks on a resource and all its parts.

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Claim, Grip};
use crate::domain::booking::{Booking, Cause};
use crate::domain::calendar::State;
use crate::domain::house::WorkItem;
use crate::domain::ids::{BookingId, CartId};
use crate::domain::refusal::{CellName, Fact, Purpose, Refusal, SlotAt, WantedCells};
use crate::domain::resource::{Mark, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, LAST_BOOKABLE};
use crate::engine::ops::booking::Past;
use crate::engine::ops::claims;
use crate::engine::ops::displacement::{Displaced, displace_time};
use crate::engine::ops::seat_acts::Whose;
use crate::engine::ops::standing::claims_from;
use crate::engine::ops::taking::family;
use crate::engine::work::{Failure, UnitOfWork};

/// Treatment of existing claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Displace {
    /// Refuse, with a list of them.
    #[default]
    Ask,
    /// Displace them to the worklist.
    Take,
}

/// Properties of a new mark.
pub(super) struct Marking<'a> {
    pub(super) cause: Cause,
    pub(super) from: Instant,
    pub(super) reason: &'a str,
    pub(super) displace: Displace,
    pub(super) past: Past,
}

/// Marks resources and all their parts from the border of a segment on. All of them are written, so
/// that a concurrent booking is a conflict.
pub(super) fn mark(
    work: &mut UnitOfWork<'_>,
    ids: &[ResourceId],
    marking: &Marking<'_>,
) -> Result<OutOfUse, Failure> {
    let id = BookingId::random();
    let mut first = None;
    let mut displaced = Displaced::default();
    for whole in ids {
        for resource in family(work, whole)? {
            let from = resource.grid.border_until(marking.from);
            if marking.past == Past::Refuse && from < resource.grid.border_until(work.now()) {
                return Err(Refusal::InThePast { at: marking.from }.into());
            }
            let mark = Mark {
                id,
                cause: marking.cause.clone(),
                from,
                operator: work.actor().operator.clone(),
                reason: clean(marking.reason),
                of: whole.clone(),
            };
            displaced.add(mark_one(work, resource, (&mark, marking.displace))?);
            first.get_or_insert(mark);
        }
    }
    match first {
        Some(mark) => Ok(OutOfUse::Marked {
            mark,
            displaced: displaced.items,
            carts: displaced.carts,
        }),
        None => Err(Refusal::NothingChosen.into()),
    }
}

fn mark_one(
    work: &mut UnitOfWork<'_>,
    mut resource: Resource,
    (mark, displace): (&Mark, Displace),
) -> Result<Displaced, Failure> {
    if resource.marks.iter().any(|other| other.id == mark.id) {
        return Err(Refusal::RepeatedResource {
            resource: resource.name,
        }
        .into());
    }
    let beside: Vec<&Mark> = resource
        .marks
        .iter()
        .filter(|other| asks_of(mark, other))
        .collect();
    let now = work.now();
    let claims = claims_from(work, &resource, mark.from)?;
    let (late, live): (Vec<_>, Vec<_>) = claims
        .into_iter()
        .partition(|(_, claim)| claim.is_late(now));
    let (disabled, others): (Vec<_>, Vec<_>) = live
        .into_iter()
        .partition(|(_, claim)| claim.grip == Grip::Disabled);
    let stands = !(disabled.is_empty() && others.is_empty() && beside.is_empty());
    if displace == Displace::Ask && stands {
        let all: Vec<(CellRange, Claim)> = [disabled, others].concat();
        return Err(Refusal::Taken {
            wanted: WantedCells::Time(match mark.cause {
                Cause::OutOfService => Purpose::OutOfService,
                Cause::Booking
                | Cause::Maintenance
                | Cause::Relocation
                | Cause::Other(_)
                | Cause::Disable
                | Cause::Performance(_) => Purpose::TakeOut,
            }),
            facts: [
                beside
                    .iter()
                    .map(|other| endless(&resource, other))
                    .collect(),
                claims::told(work, &resource, &all)?,
            ]
            .concat(),
            instead: Vec::new(),
        }
        .into());
    }
    let foreign = |claim: &Claim| claim.owner.operator() != Some(mark.operator.as_str());
    let disabled: Vec<(CellRange, Claim)> = disabled
        .into_iter()
        .filter(|(_, claim)| foreign(claim))
        .collect();
    if !disabled.is_empty() {
        let facts = claims::told(work, &resource, &disabled)?;
        return Err(Refusal::DisabledByAnother { facts }.into());
    }
    work.end_later(late.into_iter().map(|(_, claim)| claim.owner));
    // displaced claims are freed here, and removed from the live slots of their owners below
    let mut chunks = work.chunks(&keys(&others))?;
    for (cells, claim) in &others {
        if let Ok(cells) = crate::domain::availability::CellSet::new(vec![cells.clone()]) {
            crate::domain::availability::free_of(&mut chunks, &cells, &claim.owner);
        }
    }
    work.put_chunks(&chunks)?;
    let items = displace_time(work, &others, &mark.reason)?;
    resource.marks.push(mark.clone());
    work.put(&resource)?;
    Ok(items)
}

/// Returns whether a mark conflicts with another: out-of-service marks can coexist.
fn asks_of(mark: &Mark, other: &Mark) -> bool {
    !(mark.cause == Cause::OutOfService && other.cause == Cause::OutOfService)
}

/// Describes a mark as a conflict.
fn endless(resource: &Resource, mark: &Mark) -> Fact {
    let at = SlotAt {
        resource: resource.name.clone(),
        from: mark.from,
        until: LAST_BOOKABLE,
        zone: resource.zone(),
        nights: resource.grid.segment.is_day(),
    };
    Fact {
        state: State::of_mark(mark),
        ..Fact::disabled(CellName::Slot(at), &mark.operator, &mark.reason)
    }
}

fn keys(claims: &[(CellRange, Claim)]) -> Vec<crate::domain::availability::ChunkKey> {
    let mut keys: Vec<_> = claims
        .iter()
        .map(|(cells, _)| cells.chunk.clone())
        .collect();
    keys.dedup();
    keys
}

/// Removes marks from a resource and all its parts: one by its id, or all out-of-service marks.
///
/// # Errors
/// Another operator's mark, unless [`Whose::Anybody`] is given; or no mark.
pub(super) fn unmark(
    work: &mut UnitOfWork<'_>,
    (of, id): (&ResourceId, Option<BookingId>),
    whose: Whose,
) -> Result<(), Failure> {
    let me = work.actor().operator.clone();
    let mut found = false;
    for mut resource in family(work, of)? {
        let named = |mark: &Mark| mark.of == *of && id.is_none_or(|id| mark.id == id);
        let mine = resource
            .marks
            .iter()
            .any(|mark| named(mark) && mark.operator == me);
        // of several marks an operator removes only their own
        let only_mine = mine && whose == Whose::Mine;
        let meant = |mark: &Mark| named(mark) && (!only_mine || mark.operator == me);
        let foreign = |mark: &&Mark| meant(mark) && mark.operator != me;
        let others = resource.marks.iter().filter(foreign);
        let facts: Vec<Fact> = others.map(|mark| endless(&resource, mark)).collect();
        if whose == Whose::Mine && !facts.is_empty() {
            return Err(Refusal::DisabledByAnother { facts }.into());
        }
        found |= resource.marks.iter().any(meant);
        resource.marks.retain(|mark| !meant(mark));
        work.put(&resource)?;
    }
    if found {
        Ok(())
    } else {
        let name = work.get::<Resource>(of)?.name;
        Err(Refusal::InService { resource: name }.into())
    }
}

/// Resources marked by one act.
pub(super) fn marked_by(
    work: &mut UnitOfWork<'_>,
    id: BookingId,
) -> Result<Vec<ResourceId>, Failure> {
    let mut out: Vec<ResourceId> = Vec::new();
    for resource in work.select::<Resource>("WHERE marks > 0 ORDER BY key", &[])? {
        for mark in resource.marks.iter().filter(|mark| mark.id == id) {
            if !out.contains(&mark.of) {
                out.push(mark.of.clone());
            }
        }
    }
    Ok(out)
}

/// Out-of-use time of resources: a slot, or an open-ended mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfUse {
    /// Slot.
    Slot {
        /// Booking of the slot.
        booking: Box<Booking>,
        /// Worklist items of displaced owners.
        displaced: Vec<WorkItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
    /// Open-ended.
    Marked {
        /// Mark, placed on the resources and all their parts.
        mark: Mark,
        /// Worklist items of displaced owners.
        displaced: Vec<WorkItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
}

impl OutOfUse {
    /// Worklist items of displaced owners.
    #[must_use]
    pub fn displaced(&self) -> &[WorkItem] {
        match self {
            Self::Slot { displaced, .. } | Self::Marked { displaced, .. } => displaced,
        }
    }

    /// Open carts that lost time.
    #[must_use]
    pub fn carts(&self) -> &[CartId] {
        match self {
            Self::Slot { carts, .. } | Self::Marked { carts, .. } => carts,
        }
    }
}
