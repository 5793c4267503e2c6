//! Times of another calendar come into this one.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Cause, Details};
use crate::domain::cart::Cart;
use crate::domain::ids::BookingId;
use crate::domain::refusal::{Purpose, Refusal};
use crate::domain::resource::ResourceId;
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::ops::book_series::{Conflicts, Skipped, join, possible};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// The most times of one act.
pub const TIMES_MAX: usize = 2000;

/// How many names one query asks for.
const NAMES_PER_QUERY: usize = 400;

/// What follows a booking's id in its name in files of this house.
pub const OWN: &str = "@willcall";

/// Books times of another calendar for a resource, all or none. A time whose name is known from an import before
/// is left alone, whatever became of it since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportTimes {
    /// The resource.
    pub resource: ResourceId,
    /// What they are: bookings, maintenance, or another cause that asks first.
    pub cause: Cause,
    /// The times.
    pub times: Vec<ForeignTime>,
    /// What to do about those where something stands.
    pub conflicts: Conflicts,
    /// What to do about the past.
    pub past: Past,
}

/// A time of another calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignTime {
    /// Its name among all, the same each time it is read.
    pub uid: String,
    /// What people call it.
    pub title: String,
    /// More about it.
    pub note: String,
    /// When.
    pub slot: Slot,
}

/// What an import did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesImported {
    /// What was booked, in order.
    pub bookings: Vec<Booking>,
    /// What was left out, with why.
    pub skipped: Vec<Skipped>,
    /// How many were known before.
    pub known: u32,
}

impl Operation for ImportTimes {
    const VERB: &'static str = "import_times";
    type Answer = TimesImported;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<TimesImported, Failure> {
        if self.times.len() > TIMES_MAX {
            let problem =
                format!("one import takes at most {TIMES_MAX} times; ask for a shorter window");
            return Err(Refusal::BadValue {
                field: "times".into(),
                problem,
            }
            .into());
        }
        let mut known = self.known(work)?;
        let mut done = TimesImported {
            bookings: Vec::new(),
            skipped: Vec::new(),
            known: 0,
        };
        let mut refused: Option<Refusal> = None;
        for time in &self.times {
            // a name that comes twice in a file is one time
            if !known.insert(self.name(time)) || own(work, time)? {
                done.known += 1;
                continue;
            }
            match self.one(work, time)? {
                Ok(booking) => done.bookings.push(booking),
                Err(why) => {
                    if self.conflicts == Conflicts::Refuse {
                        refused = Some(join(refused, why.clone()));
                    }
                    done.skipped.push(Skipped {
                        slot: time.slot,
                        why: Some(why),
                    });
                }
            }
        }
        refused.map_or(Ok(done), |refusal| {
            Err(refusal.wanted_for(Purpose::Import).into())
        })
    }
}

impl ImportTimes {
    /// A time's name in this house: of one resource, so that a file may be imported for several.
    fn name(&self, time: &ForeignTime) -> String {
        format!("{}/{}", self.resource, clean(&time.uid))
    }

    /// Which of the times were imported before.
    fn known(&self, work: &mut UnitOfWork<'_>) -> Result<HashSet<String>, Failure> {
        let names: Vec<String> = self.times.iter().map(|time| self.name(time)).collect();
        let mut known = HashSet::new();
        for some in names.chunks(NAMES_PER_QUERY) {
            let marks: Vec<String> = (1..=some.len()).map(|at| format!("${at}")).collect();
            let sql = format!(
                "SELECT imported_as FROM booking WHERE imported_as IN ({})",
                marks.join(", ")
            );
            let params: Vec<_> = some.iter().map(|name| name.as_str().into()).collect();
            let rows = work.query(&sql, &params)?;
            known.extend(rows.iter().map(|row| row.text(0).to_owned()));
        }
        Ok(known)
    }

    fn one(
        &self,
        work: &mut UnitOfWork<'_>,
        time: &ForeignTime,
    ) -> Result<Result<Booking, Refusal>, Failure> {
        let details = Details {
            title: time.title.clone(),
            note: time.note.clone(),
            ..Details::default()
        };
        let request = Request {
            cause: self.cause.clone(),
            details: &details,
            series: None,
            past: self.past,
        };
        let wants = [Want::all(vec![self.resource.clone()], time.slot)];
        match possible(work, &wants, &request) {
            Ok(()) => {
                let mut booking = book(work, &wants, &request)?;
                booking.imported_as = Some(self.name(time));
                work.put(&booking)?;
                Ok(Ok(booking))
            }
            Err(Failure::Refused(refusal @ Refusal::NotFound { .. })) => Err(refusal.into()),
            Err(Failure::Refused(refusal)) => Ok(Err(refusal)),
            Err(fault @ Failure::Fault(_)) => Err(fault),
        }
    }
}

/// Whether a time is one of this house's own bookings or carts, come back.
fn own(work: &mut UnitOfWork<'_>, time: &ForeignTime) -> Result<bool, Failure> {
    let own = time.uid.strip_suffix(OWN);
    // of a booking in several stretches each is an event: `ID`, `ID.2`
    let id = own.and_then(|id| id.split('.').next()?.parse().ok());
    let Some(id) = id.map(|id: BookingId| id.to_string()) else {
        return Ok(false);
    };
    Ok(work.find::<Booking>(&id)?.is_some() || work.find::<Cart>(&id)?.is_some())
}
