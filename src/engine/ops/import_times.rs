//! Imports times of another calendar.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, BookingState, Brought, Cause, Details};
use crate::domain::followed::imported_as;
use crate::domain::private;
use crate::domain::refusal::{Limit, Problem, Purpose, Refusal, TimeDiffers};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::ops::book_series::{Conflicts, Skipped};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::ops::foreign::{imported, own};
use crate::engine::ops::series::in_the_way;
use crate::engine::work::{Failure, Operation, UnitOfWork};

const TIMES_MAX: usize = 2000;

/// Books times of another calendar for a resource, all or none. A time known by name from an
/// earlier import is left alone, even if its booking has changed since; if the calendar has another time for it, the
/// import is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportTimes {
    pub resource: ResourceId,
    /// Cause: bookings, maintenance, or another word that refuses conflicts.
    pub cause: Cause,
    pub times: Vec<ForeignTime>,
    pub conflicts: Conflicts,
    pub past: Past,
    /// Number of units of a counted resource that each event takes; one if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// Time of another calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignTime {
    /// Unique name, the same on each import.
    pub uid: String,
    #[serde(with = "private")]
    pub title: String,
    #[serde(with = "private")]
    pub note: String,
    pub slot: Slot,
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesImported {
    pub bookings: Vec<Booking>,
    pub skipped: Vec<Skipped>,
    /// Number of those booked by an earlier import.
    pub known: u32,
    /// Number of those that the house exported itself.
    #[serde(default)]
    pub own: u32,
}

impl Operation for ImportTimes {
    const VERB: &'static str = "import_times";
    type Answer = TimesImported;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<TimesImported, Failure> {
        if self.times.len() > TIMES_MAX {
            let problem = Problem::AtMost(TIMES_MAX, Limit::ImportTimes);
            return Err(Refusal::bad("times", problem).into());
        }
        let known = self.known(work)?;
        self.as_imported(work, &known)?;
        let mut done = TimesImported { bookings: Vec::new(), skipped: Vec::new(), known: 0, own: 0 };
        let mut refused: Option<Refusal> = None;
        let mut names = HashSet::new();
        for time in &self.times {
            let name = self.name(time);
            if known.contains_key(&name) {
                done.known += 1;
                continue;
            }
            if own(work, &time.uid)? {
                done.own += 1;
                continue;
            }
            // a name that appears twice in a file is one time
            if !names.insert(name) {
                continue;
            }
            match self.one(work, time)? {
                Ok(booking) => done.bookings.push(booking),
                Err(why) => {
                    if self.conflicts == Conflicts::Refuse {
                        refused = Some(Refusal::join(refused, why.clone()));
                    }
                    done.skipped.push(Skipped { slot: time.slot, why: Some(why) });
                }
            }
        }
        refused.map_or(Ok(done), |refusal| Err(refusal.wanted_for(Purpose::Import).into()))
    }
}

impl ImportTimes {
    fn name(&self, time: &ForeignTime) -> String {
        imported_as(&self.resource, &clean(&time.uid))
    }

    /// Bookings of earlier imports by their names.
    fn known(&self, work: &mut UnitOfWork<'_>) -> Result<HashMap<String, Booking>, Failure> {
        imported(work, &self.times.iter().map(|time| self.name(time)).collect::<Vec<_>>())
    }

    /// Refuses times that the calendar had otherwise when they were imported.
    fn as_imported(&self, work: &mut UnitOfWork<'_>, known: &HashMap<String, Booking>) -> Result<(), Failure> {
        let differs = |time: &ForeignTime| {
            let booking = known.get(&self.name(time)).filter(|booking| booking.state == BookingState::Active)?;
            let brought = booking.brought.as_ref().map(|brought| brought.slot);
            let here = brought.or_else(|| booking.extent())?;
            (here != time.slot).then_some(TimeDiffers { here, there: time.slot })
        };
        let times: Vec<TimeDiffers> = self.times.iter().filter_map(differs).collect();
        if times.is_empty() {
            return Ok(());
        }
        let resource: Resource = work.get(&self.resource)?;
        let (zone, nights) = (resource.zone(), resource.grid.segment.is_day());
        Err(Refusal::TimesDiffer { resource: resource.name, times, zone, nights }.into())
    }

    fn one(&self, work: &mut UnitOfWork<'_>, time: &ForeignTime) -> Result<Result<Booking, Refusal>, Failure> {
        let details = Details { title: time.title.clone(), note: time.note.clone(), ..Details::default() };
        let request = Request::new(self.cause.clone(), &details, self.past);
        let wants = [Want { of: vec![self.resource.clone()], any: self.count, slot: time.slot }];
        if let Some(refusal) = in_the_way(work, &wants, &request)? {
            return Ok(Err(refusal));
        }
        let mut booking = book(work, &wants, &request)?;
        booking.imported_as = Some(self.name(time));
        booking.brought = Some(Brought { calendar: String::new(), slot: time.slot });
        work.put(&booking)?;
        Ok(Ok(booking))
    }
}
