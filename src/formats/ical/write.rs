//! The house's own calendar as a file: one event for each booking. Each date of a repeat is a booking, which is moved,
//! paid and canceled by itself and keeps its name when it is: so it is an event of its own, without a rule that
//! would bind it to the others again.
//!
//! The library folds and escapes. It is handed everything that it would otherwise make up from a clock or from
//! dice, so the same bookings give the same bytes.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use icalendar::{Calendar, CalendarDateTime, Component as _, DatePerhapsTime, Event, EventLike as _, Property};

use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot, day_start};

const MAKER: &str = "-//Willcall//Booking desk//EN";

/// The details that an export shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Titles, customers and notes.
    Open,
    /// Only that it is taken.
    Busy,
}

/// A booking as a calendar file has it.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Unique id, always the same for the same booking.
    pub uid: String,
    pub slot: Slot,
    pub title: String,
    pub note: String,
    /// The names of what it takes.
    pub place: String,
    /// Kind: booking, maintenance, relocation.
    pub category: String,
    pub changed_at: Instant,
    pub sequence: u32,
}

/// A calendar file of bookings, in their order. Whole local days of the zone are written as dates.
pub fn write(name: &str, zone: Tz, (bookings, privacy): (&[Exported], Privacy)) -> String {
    let mut calendar = Calendar::empty();
    calendar.append_property(Property::new("VERSION", "2.0"));
    calendar.append_property(Property::new("PRODID", MAKER));
    calendar.append_property(Property::new("CALSCALE", "GREGORIAN"));
    calendar.append_property(Property::new("X-WR-CALNAME", clean(name)));
    calendar.append_property(Property::new("X-WR-TIMEZONE", zone.name()));
    for booking in bookings {
        calendar.push(event(booking, zone, privacy));
    }
    calendar.to_string()
}

fn event(booking: &Exported, zone: Tz, privacy: Privacy) -> Event {
    let mut event = Event::new();
    event.uid(&clean(&booking.uid)).timestamp(utc(booking.changed_at));
    event.sequence(booking.sequence);
    if let Some((from, until)) = whole_days(booking.slot, zone) {
        event.starts(DatePerhapsTime::Date(from)).ends(DatePerhapsTime::Date(until));
    } else {
        let at = |at: Instant| DatePerhapsTime::DateTime(CalendarDateTime::Utc(utc(at)));
        event.starts(at(booking.slot.from())).ends(at(booking.slot.until()));
    }
    event.add_property("TRANSP", "OPAQUE");
    match privacy {
        Privacy::Busy => {
            event.summary("busy").add_property("CLASS", "PRIVATE");
        }
        Privacy::Open => {
            event.summary(&clean(&booking.title)).location(&clean(&booking.place));
            if !booking.note.is_empty() {
                event.description(&clean(&booking.note));
            }
            event.add_property("CATEGORIES", booking.category.to_uppercase());
        }
    }
    event.done()
}

fn utc(at: Instant) -> DateTime<Utc> {
    at.in_zone(Tz::UTC).with_timezone(&Utc)
}

/// The first and the day after the last of the whole local days that a slot is.
fn whole_days(slot: Slot, zone: Tz) -> Option<(chrono::NaiveDate, chrono::NaiveDate)> {
    let date = |at: Instant| {
        let date = at.in_zone(zone).date_naive();
        (day_start(date, zone) == at).then_some(date)
    };
    Some((date(slot.from())?, date(slot.until())?))
}
