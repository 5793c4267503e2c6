//! Bookings that repeat.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, Cause, Details, Series};
use crate::domain::ids::SeriesId;
use crate::domain::refusal::{Refusal, SlotFact};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, Request, Want, book, bookable, new_booking, not_past};
use crate::engine::ops::taking;
use crate::engine::work::{Failure, Operation, Work};

/// The most bookings of one repeat.
pub const SLOTS_MAX: usize = 1000;

/// Books resources for each of some slots, each a booking of its own under one repeat. The slots on the house's
/// closed days are left out.
#[derive(Clone, Debug, Serialize)]
pub struct BookSeries {
    /// The resources, all for each slot.
    pub resources: Vec<ResourceId>,
    /// The slots, in order.
    pub slots: Vec<Slot>,
    /// What is known of each.
    pub details: Details,
    /// What to do about those where something stands.
    pub conflicts: Conflicts,
    /// What to do about the past.
    pub past: Past,
}

/// What to do about the slots of a repeat where something stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflicts {
    /// Nothing is booked, and all of them are told.
    #[default]
    Refuse,
    /// They are left out, and told.
    Skip,
}

/// What a repeat did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesBooked {
    /// The repeat.
    pub series: Series,
    /// What was booked, in order.
    pub bookings: Vec<Booking>,
    /// What was left out, with why.
    pub skipped: Vec<Skipped>,
}

/// A slot of a repeat that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The slot.
    pub slot: Slot,
    /// Why; nothing on a day when the house is closed.
    pub why: Option<Refusal>,
}

/// Books a slot of a repeat that was left out, or another one, under the same repeat.
#[derive(Clone, Debug, Serialize)]
pub struct AddToSeries {
    /// The repeat.
    pub series: SeriesId,
    /// The slot.
    pub slot: Slot,
    /// What to do about the past.
    pub past: Past,
}

impl Operation for BookSeries {
    const VERB: &'static str = "book_series";
    type Answer = SeriesBooked;

    fn run(&self, work: &mut Work<'_>) -> Result<SeriesBooked, Failure> {
        if self.slots.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        if self.slots.len() > SLOTS_MAX {
            return Err(Refusal::BadValue {
                field: "repeat".into(),
                problem: format!("it makes more than {SLOTS_MAX} bookings; give it an end"),
            }
            .into());
        }
        let mut series = Series {
            id: SeriesId::random(),
            details: self.details.clone(),
            resources: self.resources.clone(),
            skipped: Vec::new(),
        };
        let (mut bookings, mut skipped) = (Vec::new(), Vec::new());
        let mut refused: Option<Refusal> = None;
        for slot in &self.slots {
            match self.one(work, &series, *slot)? {
                Ok(booking) => bookings.push(booking),
                Err(why) => {
                    series.skipped.push(*slot);
                    if let Some(why) = why.clone().filter(|_| self.conflicts == Conflicts::Refuse) {
                        refused = Some(join(refused, why));
                    }
                    skipped.push(Skipped { slot: *slot, why });
                }
            }
        }
        if let Some(refusal) = refused.or_else(|| nothing(&bookings, &skipped)) {
            return Err(refusal.into());
        }
        work.create(&series)?;
        Ok(SeriesBooked {
            series,
            bookings,
            skipped,
        })
    }
}

impl BookSeries {
    /// Books one slot, or says why not; nothing is put then.
    fn one(
        &self,
        work: &mut Work<'_>,
        series: &Series,
        slot: Slot,
    ) -> Result<Result<Booking, Option<Refusal>>, Failure> {
        if closed(work, &self.resources, slot)? {
            return Ok(Err(None));
        }
        let request = Request {
            cause: Cause::Booking,
            details: &self.details,
            series: Some(series.id),
            past: self.past,
        };
        match possible(work, (&self.resources, slot), &request) {
            Ok(()) => {
                let wants = [Want::all(self.resources.clone(), slot)];
                Ok(Ok(book(work, &wants, &request)?))
            }
            Err(Failure::Refused(
                refusal @ (Refusal::NotFound { .. } | Refusal::NothingChosen),
            )) => Err(refusal.into()),
            Err(Failure::Refused(refusal)) => Ok(Err(Some(refusal))),
            Err(fault @ Failure::Fault(_)) => Err(fault),
        }
    }
}

/// Whether a slot starts on a day when the house is closed.
fn closed(work: &mut Work<'_>, resources: &[ResourceId], slot: Slot) -> Result<bool, Failure> {
    let days = work.settings()?.closed_days;
    if days.is_empty() {
        return Ok(false);
    }
    let Some(first) = resources.first() else {
        return Ok(false);
    };
    let resource: Resource = work.get(first)?;
    Ok(days.contains(&resource.grid.day_at(slot.from()).date))
}

/// Whether a slot of resources can be booked; nothing is put.
pub(super) fn possible(
    work: &mut Work<'_>,
    (resources, slot): (&[ResourceId], Slot),
    request: &Request<'_>,
) -> Result<(), Failure> {
    not_past(work, (resources, slot), request.past)?;
    let mut taken = Vec::new();
    for id in resources {
        taken.extend(bookable(work, (id, slot), &request.cause)?);
    }
    let owner = new_booking(work, request).owner();
    taking::would_do(work, &taken, (&owner, Act::Book { until: None }))
}

/// The refusal of a repeat of which nothing is left.
fn nothing(bookings: &[Booking], skipped: &[Skipped]) -> Option<Refusal> {
    if !bookings.is_empty() {
        return None;
    }
    let told = skipped.iter().filter_map(|one| one.why.clone());
    Some(
        told.fold(None, |all, one| Some(join(all, one)))
            .unwrap_or(Refusal::NothingChosen),
    )
}

/// Refusals as one, naming everything that stands in the way.
pub(super) fn join(before: Option<Refusal>, more: Refusal) -> Refusal {
    let slots_of = |refusal: &Refusal| -> Option<Vec<SlotFact>> {
        if let Refusal::SlotTaken { slots, .. } = refusal {
            Some(slots.clone())
        } else {
            None
        }
    };
    match before {
        None => more,
        Some(before) => match (slots_of(&before), slots_of(&more)) {
            (Some(mut slots), Some(others)) => {
                slots.extend(others);
                Refusal::SlotTaken {
                    slots,
                    alternatives: Vec::new(),
                }
            }
            _ => before,
        },
    }
}

impl Operation for AddToSeries {
    const VERB: &'static str = "add_to_series";
    type Answer = Booking;

    fn run(&self, work: &mut Work<'_>) -> Result<Booking, Failure> {
        let mut series: Series = work.get(self.series)?;
        let details = series.details.clone();
        let request = Request {
            cause: Cause::Booking,
            details: &details,
            series: Some(series.id),
            past: self.past,
        };
        let wants = [Want::all(series.resources.clone(), self.slot)];
        let booking = book(work, &wants, &request)?;
        series.skipped.retain(|slot| *slot != self.slot);
        // a date that is added is a change of the repeat, also when it was not left out
        work.touch(&series)?;
        Ok(booking)
    }
}
