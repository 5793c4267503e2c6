//! Takes time of resources out of use: disables, service, maintenance, relocation, or any word.

use std::slice;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Claim, Grip};
use crate::domain::booking::{Booking, Cause, Details};
use crate::domain::house::WorklistItem;
use crate::domain::ids::{BookingId, CartId};
use crate::domain::private;
use crate::domain::refusal::{CountRefusal, Fact, Problem, Purpose, Refusal, Requirement, WantedCells};
use crate::domain::resource::{Mark, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::booking::{Past, Request, Want, book, planned};
use crate::engine::ops::claims::{self, none_foreign};
use crate::engine::ops::displacement::{Displaced, take_away};
use crate::engine::ops::outages::{disable, endless};
use crate::engine::ops::taking::{claims_from, family, slot};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes time of resources and their parts out of use, of all or none. Without an end it is open-ended.
///
/// A disable takes claimed time too. Time out of service, which has no end, asks before it does; all other causes are
/// refused where there are claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeOut {
    pub resources: Vec<ResourceId>,
    /// Number of units of a single counted resource, until the end; all if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Start; now if `None`.
    #[serde(default)]
    pub from: Option<Instant>,
    /// End; open-ended if `None`.
    #[serde(default)]
    pub until: Option<Instant>,
    /// Cause: disable, out of service, maintenance, relocation, or any other word.
    pub cause: Cause,
    #[serde(default, with = "private")]
    pub reason: String,
    /// Treatment of existing claims by time out of service.
    #[serde(default)]
    pub displace: Displace,
    #[serde(default)]
    pub past: Past,
}

/// Treatment of existing claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Displace {
    #[default]
    Ask,
    /// Displace them to the worklist.
    Take,
}

/// Out-of-use time of resources: a slot, or an open-ended mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfUse {
    Slot {
        booking: Box<Booking>,
        displaced: Vec<WorklistItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
    /// Open-ended.
    Marked {
        /// Mark, placed on the resources and all their parts.
        mark: Mark,
        displaced: Vec<WorklistItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
}

impl OutOfUse {
    /// Worklist items of displaced owners.
    pub fn displaced(&self) -> &[WorklistItem] {
        match self {
            Self::Slot { displaced, .. } | Self::Marked { displaced, .. } => displaced,
        }
    }

    /// Open carts that lost time.
    pub fn carts(&self) -> &[CartId] {
        match self {
            Self::Slot { carts, .. } | Self::Marked { carts, .. } => carts,
        }
    }
}

impl TakeOut {
    /// Time of resources for a cause, without a reason.
    pub fn of(cause: Cause, resources: Vec<ResourceId>, slot: Slot) -> Self {
        let (from, until) = (Some(slot.from()), Some(slot.until()));
        let (reason, displace, past) = (String::new(), Displace::Ask, Past::Refuse);
        Self { resources, count: None, from, until, cause, reason, displace, past }
    }
}

impl Operation for TakeOut {
    const VERB: &'static str = "take_out";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let cause = self.cause()?;
        if self.count.is_some() {
            self.counted(work)?;
        }
        let from = self.from.unwrap_or_else(|| work.now());
        let Some(until) = self.until else {
            return self.mark(work, (&cause, from));
        };
        let details = Details { title: self.reason.clone(), ..Details::default() };
        let request = Request::new(cause, &details, self.past);
        let wants = [Want { any: self.count, ..Want::all(self.resources.clone(), slot(from, until)?) }];
        let (booking, displaced) = if self.cause == Cause::Disable {
            let mut booking = planned(work, &wants, &request)?;
            booking.taken.iter_mut().for_each(|taken| taken.live.clear());
            disable(work, booking)?
        } else {
            (book(work, &wants, &request)?, Displaced::default())
        };
        Ok(OutOfUse::Slot {
            booking: Box::new(booking),
            displaced: displaced.items,
            carts: displaced.carts.into_iter().collect(),
        })
    }
}

impl TakeOut {
    /// Checks the cause, and cleans a word of the caller's own.
    fn cause(&self) -> Result<Cause, Refusal> {
        let other_cause = || Refusal::bad("cause", Problem::OtherCause(self.cause.word().to_owned()));
        match &self.cause {
            Cause::Other(word) => {
                let word = clean(word).to_lowercase();
                if word.is_empty() || word.chars().count() > 40 {
                    return Err(Refusal::bad("cause", Problem::Missing(Requirement::Cause)));
                }
                Ok(Cause::of_word(&word))
            }
            Cause::OutOfService if self.until.is_some() => Err(other_cause()),
            Cause::Booking | Cause::Performance(_) => Err(other_cause()),
            Cause::Maintenance | Cause::Relocation | Cause::Disable | Cause::OutOfService => Ok(self.cause.clone()),
        }
    }

    /// Refuses a number of units of anything but one counted resource, and until further notice.
    fn counted(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        for id in &self.resources {
            let resource: Resource = work.get(id)?;
            if resource.count.is_none() || self.resources.len() > 1 {
                return Err(Refusal::from(CountRefusal::NotCounted { resource: resource.name }).into());
            }
        }
        match self.until {
            Some(_) => Ok(()),
            None => Err(Refusal::bad("until", Problem::Missing(Requirement::End)).into()),
        }
    }

    /// Marks resources and all their parts from the border of a segment on. All of them are written, so
    /// that a concurrent booking is a conflict.
    fn mark(&self, work: &mut UnitOfWork<'_>, (cause, at): (&Cause, Instant)) -> Result<OutOfUse, Failure> {
        let id = BookingId::random();
        let mut first = None;
        let displace = if self.cause == Cause::Disable { Displace::Take } else { self.displace };
        let mut displaced = Displaced::default();
        for whole in &self.resources {
            for resource in family(work, whole)? {
                let from = resource.grid.border_until(at);
                if self.past != Past::Record && from < resource.grid.border_until(work.now()) {
                    return Err(Refusal::InThePast { at }.into());
                }
                let mark = Mark {
                    id,
                    cause: cause.clone(),
                    from,
                    operator: work.actor().operator.clone(),
                    approved: work.approved().map(str::to_owned),
                    reason: clean(&self.reason),
                    of: whole.clone(),
                };
                displaced.add(mark_one(work, resource, (&mark, displace))?);
                first.get_or_insert(mark);
            }
        }
        match first {
            Some(mark) => {
                Ok(OutOfUse::Marked { mark, displaced: displaced.items, carts: displaced.carts.into_iter().collect() })
            }
            None => Err(Refusal::NothingChosen.into()),
        }
    }
}

fn mark_one(
    work: &mut UnitOfWork<'_>,
    mut resource: Resource,
    (mark, displace): (&Mark, Displace),
) -> Result<Displaced, Failure> {
    if resource.marks.iter().any(|other| other.id == mark.id) {
        return Err(Refusal::RepeatedResource { resource: resource.name }.into());
    }
    let beside = resource.marks.iter();
    let mut beside = beside.filter(|other| asks_of(mark, other)).peekable();
    let claims = claims_from(work, &resource, mark.from)?;
    let live = claims::live(work, claims);
    let (disabled, others): (Vec<_>, Vec<_>) = live.into_iter().partition(|(_, claim)| claim.grip == Grip::Disabled);
    let stands = !(disabled.is_empty() && others.is_empty() && beside.peek().is_none());
    if displace == Displace::Ask && stands {
        let mut facts: Vec<Fact> = beside.map(|other| endless(&resource, other)).collect();
        facts.extend(claims::told(work, (None, slice::from_ref(&resource)), &[disabled, others].concat())?);
        let purpose = if mark.cause == Cause::OutOfService { Purpose::OutOfService } else { Purpose::TakeOut };
        return Err(Refusal::taken(WantedCells::Time(purpose), facts).into());
    }
    let foreign = |claim: &Claim| claim.owner.operator() != Some(mark.operator.as_str());
    let disabled: Vec<(CellRange, Claim)> = disabled.into_iter().filter(|(_, claim)| foreign(claim)).collect();
    none_foreign(claims::told(work, (None, slice::from_ref(&resource)), &disabled)?)?;
    let items = take_away(work, &others, &mark.reason)?;
    resource.marks.push(mark.clone());
    work.put(&resource)?;
    Ok(items)
}

/// Returns whether a mark conflicts with another: out-of-service marks can coexist.
fn asks_of(mark: &Mark, other: &Mark) -> bool {
    !(mark.cause == Cause::OutOfService && other.cause == Cause::OutOfService)
}
