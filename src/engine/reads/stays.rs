//! Stays: bookings of nights by arrival, by departure, and of those who are in the house.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::domain::booking::Cause;
use crate::domain::time::{Instant, Slot, day_start, hull};
use crate::engine::reads::bookings::{BookingView, ReadAnsweredBookings, ReadBookings};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Days around a date whose bookings may arrive or depart on it, in any time zone.
const AROUND: Days = Days::new(2);

/// Lists the stays of a day by the guest's name; each resource of nights that a booking has is a stay of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadStays {
    pub date: NaiveDate,
    pub which: WhichStays,
}

/// Stays to list of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichStays {
    /// Those whose first night it is.
    Arrivals,
    /// Those whose guest left on it, or is to leave.
    Departures,
    /// Those that have its night, without guests who left.
    InHouse,
}

/// Stay of a guest: the booking with one resource of nights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stay {
    pub view: BookingView,
    /// Name of the room.
    pub room: String,
    /// Date of arrival.
    pub from: NaiveDate,
    /// Date of departure.
    pub until: NaiveDate,
    /// Date on which the guest left.
    pub left: Option<NaiveDate>,
}

impl Stay {
    /// The guest, last name first; the title of a booking for nobody.
    pub fn name(&self) -> String {
        match self.view.customer.last_first() {
            name if name.is_empty() => self.view.title().to_owned(),
            name => name,
        }
    }
}

impl Question for ReadStays {
    type Answer = Vec<Stay>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Stay>, Failure> {
        let zone = snapshot.settings()?.time_zone;
        let window = Slot::new(day_start(self.date - AROUND, zone), day_start(self.date + AROUND, zone)).ok();
        let bookings = ReadBookings { window, ..ReadBookings::default() }.ask(snapshot)?;
        let views = ReadAnsweredBookings(bookings).ask(snapshot)?;
        let guests = views.iter().filter(|view| view.booking.cause == Cause::Booking);
        let mut stays: Vec<Stay> = guests.flat_map(stays_of).filter(|stay| self.is_meant(stay)).collect();
        stays.sort_by_key(|stay| (stay.name().to_lowercase(), stay.room.to_lowercase()));
        Ok(stays)
    }
}

impl ReadStays {
    fn is_meant(self, stay: &Stay) -> bool {
        match self.which {
            WhichStays::Arrivals => stay.from == self.date,
            WhichStays::Departures => stay.left.unwrap_or(stay.until) == self.date,
            WhichStays::InHouse => {
                (stay.from..stay.until).contains(&self.date) && stay.view.booking.checked_out_at.is_none()
            }
        }
    }
}

fn stays_of(view: &BookingView) -> Vec<Stay> {
    let nights = view.taken.iter().filter(|one| one.wall.nights);
    let stay = nights.filter_map(|one| {
        let slot = hull(&view.booking.listed(&one.taken))?;
        let date = |at: Instant| at.in_zone(one.wall.zone).date_naive();
        Some(Stay {
            room: one.name.clone(),
            view: BookingView { taken: vec![one.clone()], ..view.clone() },
            from: date(slot.from()),
            until: date(slot.until()),
            left: view.booking.checked_out_at.map(date),
        })
    });
    stay.collect()
}
