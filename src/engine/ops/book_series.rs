//! Repeating bookings.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{AnyOf, Booking, Cause, Details, Series};
use crate::domain::customer::Customer;
use crate::domain::ids::SeriesId;
use crate::domain::refusal::{Limit, Problem, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::ops::customers;
use crate::engine::ops::series::in_the_way;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most bookings of one repeat.
const SLOTS_MAX: usize = 1000;

/// Most availability checks of one repeat that chooses from a set.
const ASKED_MAX: usize = 10_000;

/// Books resources for each of several slots, as separate bookings of one repeat. Slots on the
/// house's closed days are left out.
///
/// From a set, the given number of free resources is chosen for each slot; those free on the most dates come first. So
/// a repeat keeps the same resources where it can, and changes as rarely as possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSeries {
    pub resources: Vec<ResourceId>,
    /// Set from which some more are chosen for each slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any: Option<AnyOf>,
    pub slots: Vec<Slot>,
    #[serde(default)]
    pub details: Details,
    #[serde(default)]
    pub conflicts: Conflicts,
    #[serde(default)]
    pub past: Past,
}

/// Treatment of the conflicting slots of a repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflicts {
    #[default]
    Refuse,
    Skip,
}

/// Result of a repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesBooked {
    pub series: Series,
    pub bookings: Vec<Booking>,
    pub skipped: Vec<Skipped>,
}

/// Slot left out of a repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub slot: Slot,
    /// Reason; `None` on a day when the house is closed.
    pub why: Option<Refusal>,
}

/// Books another slot under a repeat, for instance one that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddToSeries {
    pub series: SeriesId,
    pub slot: Slot,
    pub past: Past,
}

impl Operation for BookSeries {
    const VERB: &'static str = "book_series";
    type Answer = SeriesBooked;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<SeriesBooked, Failure> {
        if self.slots.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        if self.slots.len() > SLOTS_MAX {
            return Err(Refusal::bad("repeat", Problem::AtMost(SLOTS_MAX, Limit::Repeats)).into());
        }
        if self.conflicts == Conflicts::Refuse {
            self.apart(work)?;
        }
        let mut series = Series {
            id: SeriesId::random(),
            details: Details { customer: Customer::default(), ..self.details.clone() },
            customer: customers::named(work, &self.details.customer, None)?,
            resources: self.resources.clone(),
            any: None,
            skipped: Vec::new(),
        };
        series.any = self.preferred(work, &series)?;
        let (mut bookings, mut skipped) = (Vec::new(), Vec::new());
        let mut refused: Option<Refusal> = None;
        for slot in &self.slots {
            match self.one(work, &series, *slot)? {
                Ok(booking) => bookings.push(booking),
                Err(why) => {
                    series.skipped.push(*slot);
                    if let Some(why) = why.clone().filter(|_| self.conflicts == Conflicts::Refuse) {
                        refused = Some(Refusal::join(refused, why));
                    }
                    skipped.push(Skipped { slot: *slot, why });
                }
            }
        }
        if let Some(refusal) = refused.or_else(|| nothing(&bookings, &skipped)) {
            return Err(refusal.into());
        }
        work.create(&series)?;
        Ok(SeriesBooked { series, bookings, skipped })
    }
}

impl BookSeries {
    /// Checks that no two dates need the same time of a resource, including the time before and after.
    fn apart(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        for id in &self.resources {
            let resource: Resource = work.get(id)?;
            let mut before: Option<Slot> = None;
            for slot in &self.slots {
                if self.closed(work, self.resources.first(), *slot)? {
                    continue;
                }
                let meets = |other: &Slot| resource.taken(*other).1.overlaps(&resource.taken(*slot).1);
                if let Some(first) = before.filter(meets) {
                    return Err(Refusal::DatesOverlap {
                        resource: resource.name.clone(),
                        first,
                        second: *slot,
                        zone: resource.zone(),
                        nights: resource.grid.segment.is_day(),
                    }
                    .into());
                }
                before = Some(*slot);
            }
        }
        Ok(())
    }

    /// Books one slot, or returns the reason against it; then nothing is put.
    fn one(
        &self,
        work: &mut UnitOfWork<'_>,
        series: &Series,
        slot: Slot,
    ) -> Result<Result<Booking, Option<Refusal>>, Failure> {
        if self.closed(work, series.first(), slot)? {
            return Ok(Err(None));
        }
        let (wants, request) = (wants(series, slot), request(series, self.past));
        Ok(match in_the_way(work, &wants, &request)? {
            None => Ok(book(work, &wants, &request)?),
            refusal @ Some(_) => Err(refusal),
        })
    }

    /// Sorts the set by the number of dates on which each resource is free, counting dates on which
    /// enough of the set are free.
    fn preferred(&self, work: &mut UnitOfWork<'_>, series: &Series) -> Result<Option<AnyOf>, Failure> {
        let Some(any) = &self.any else {
            return Ok(None);
        };
        if any.of.len().saturating_mul(self.slots.len()) > ASKED_MAX {
            let problem = Problem::AtMost(ASKED_MAX, Limit::Choices);
            return Err(Refusal::bad("repeat", problem).into());
        }
        let request = request(series, self.past);
        let mut free_on = vec![0_usize; any.of.len()];
        for slot in &self.slots {
            if self.closed(work, any.of.first(), *slot)? {
                continue;
            }
            let mut free = Vec::new();
            for id in &any.of {
                let want = Want::all(vec![id.clone()], *slot);
                free.push(in_the_way(work, &[want], &request)?.is_none());
            }
            let found = free.iter().filter(|free| **free).count();
            if u32::try_from(found).is_ok_and(|found| found >= any.count) {
                let counts = free_on.iter_mut().zip(free);
                counts.for_each(|(count, free)| *count += usize::from(free));
            }
        }
        let mut order: Vec<(usize, &ResourceId)> = free_on.into_iter().zip(&any.of).collect();
        // stable: equal ones stay in the order given
        order.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        Ok(Some(AnyOf { of: order.into_iter().map(|(_, id)| id.clone()).collect(), count: any.count }))
    }

    /// Returns whether a slot is on a day when the house is closed.
    fn closed(&self, work: &mut UnitOfWork<'_>, first: Option<&ResourceId>, slot: Slot) -> Result<bool, Failure> {
        let settings = work.settings()?;
        let days = &settings.closed_days;
        match first.filter(|_| self.past != Past::Closed && !days.is_empty()) {
            Some(first) => Ok(work.get::<Resource>(first)?.closed_on(slot, days).is_some()),
            None => Ok(false),
        }
    }
}

/// Resources needed for a slot of a repeat.
fn wants(series: &Series, slot: Slot) -> Vec<Want> {
    let any = series.any.iter().map(|any| Want::any(any, slot));
    let all = Want::all(series.resources.clone(), slot);
    let all = Some(all).filter(|all| !all.of.is_empty() || series.any.is_none());
    all.into_iter().chain(any).collect()
}

fn request(series: &Series, past: Past) -> Request<'_> {
    Request {
        customer: series.customer,
        series: Some(series.id),
        ..Request::new(Cause::Booking, &series.details, past)
    }
}

fn nothing(bookings: &[Booking], skipped: &[Skipped]) -> Option<Refusal> {
    if !bookings.is_empty() {
        return None;
    }
    let told = skipped.iter().filter_map(|one| one.why.clone());
    Some(told.fold(None, |all, one| Some(Refusal::join(all, one))).unwrap_or(Refusal::NothingChosen))
}

impl Operation for AddToSeries {
    const VERB: &'static str = "add_to_series";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut series: Series = work.get(self.series)?;
        let booking = book(work, &wants(&series, self.slot), &request(&series, self.past))?;
        series.skipped.retain(|slot| *slot != self.slot);
        // an added date changes the repeat, even if it was never left out
        work.touch(&series)?;
        Ok(booking)
    }
}
