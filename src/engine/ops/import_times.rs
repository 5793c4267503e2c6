//! Imports times of another calendar.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Cause, Details};
use crate::domain::cart::Cart;
use crate::domain::ids::BookingId;
use crate::domain::refusal::{Limit, Problem, Purpose, Refusal};
use crate::domain::resource::ResourceId;
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::ops::book_series::{Conflicts, Skipped};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::ops::series::in_the_way;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::Value;
use crate::store::document::by_keys;

const TIMES_MAX: usize = 2000;

/// Suffix of a booking's id in calendar files of this house.
pub const OWN: &str = "@willcall";

/// Books times of another calendar for a resource, all or none. A time known by name from an
/// earlier import is left alone, even if its booking has changed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportTimes {
    pub resource: ResourceId,
    /// Cause: bookings, maintenance, or another word that refuses conflicts.
    pub cause: Cause,
    pub times: Vec<ForeignTime>,
    pub conflicts: Conflicts,
    pub past: Past,
}

/// Time of another calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignTime {
    /// Unique name, the same on each import.
    pub uid: String,
    pub title: String,
    pub note: String,
    pub slot: Slot,
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesImported {
    pub bookings: Vec<Booking>,
    pub skipped: Vec<Skipped>,
    pub known: u32,
}

impl Operation for ImportTimes {
    const VERB: &'static str = "import_times";
    type Answer = TimesImported;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<TimesImported, Failure> {
        if self.times.len() > TIMES_MAX {
            let problem = Problem::AtMost(TIMES_MAX, Limit::ImportTimes);
            return Err(Refusal::bad("times", problem).into());
        }
        let mut known = self.known(work)?;
        let mut done = TimesImported { bookings: Vec::new(), skipped: Vec::new(), known: 0 };
        let mut refused: Option<Refusal> = None;
        for time in &self.times {
            // a name that appears twice in a file is one time
            if !known.insert(self.name(time)) || own(work, time)? {
                done.known += 1;
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
    /// Stored name of a time, which includes the resource, so that a file can be imported for several.
    fn name(&self, time: &ForeignTime) -> String {
        format!("{}/{}", self.resource, clean(&time.uid))
    }

    /// Names of the times imported before.
    fn known(&self, work: &mut UnitOfWork<'_>) -> Result<HashSet<String>, Failure> {
        let names: Vec<String> = self.times.iter().map(|time| self.name(time)).collect();
        let names: Vec<Value> = names.into_iter().map(Value::from).collect();
        let select = "SELECT imported_as FROM booking WHERE imported_as <> '' AND imported_as IN ";
        let sql = work.sql()?;
        let rows = by_keys(&mut |text, params| sql.query(text, params), select, &names)?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    fn one(&self, work: &mut UnitOfWork<'_>, time: &ForeignTime) -> Result<Result<Booking, Refusal>, Failure> {
        let details = Details { title: time.title.clone(), note: time.note.clone(), ..Details::default() };
        let request = Request::new(self.cause.clone(), &details, self.past);
        let wants = [Want::all(vec![self.resource.clone()], time.slot)];
        if let Some(refusal) = in_the_way(work, &wants, &request)? {
            return Ok(Err(refusal));
        }
        let mut booking = book(work, &wants, &request)?;
        booking.imported_as = Some(self.name(time));
        work.put(&booking)?;
        Ok(Ok(booking))
    }
}

/// Returns whether a time is one of this house's own bookings or carts, exported earlier.
fn own(work: &mut UnitOfWork<'_>, time: &ForeignTime) -> Result<bool, Failure> {
    let own = time.uid.strip_suffix(OWN);
    // a booking of several stretches has one event each: `ID`, `ID.2`
    let id = own.and_then(|id| id.split('.').next()?.parse().ok());
    let Some(id) = id.map(|id: BookingId| id.to_string()) else {
        return Ok(false);
    };
    Ok(work.find::<Booking>(&id)?.is_some() || work.find::<Cart>(&id)?.is_some())
}
