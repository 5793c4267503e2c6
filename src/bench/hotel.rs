//! `willcall bench hotel`: the free rooms of a hotel on a date, found in two ways.
//!
//! Preallocated: nights are stored, and free ones are a filter over them. By subtracting: bookings are read, and taken
//! away from the rooms. Both ways have to name the same rooms.

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use serde::Serialize;

use super::{BenchError, median_ms, open_house, pages_of, stage, temporary_folder};
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{Segment, Slot, day_start, parse_date};
use crate::engine::ops::{AddResource, OpenHorizon, Past};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::free_time::ReadFree;
use crate::engine::reads::resources::{ReadChunks, ReadResources, ResourceFilter};
use crate::engine::verify::Verify;
use crate::engine::{Config, Desk, Failure};

/// Days that are open.
const NIGHTS: u64 = 365;

/// Options of the measurement.
#[derive(Clone, Debug, clap::Args)]
pub struct HotelArgs {
    /// Rooms of the hotel.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rooms: u32,
    /// Interval of nights at which each room is booked for one.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=365))]
    pub every: u32,
    /// The night to search (default: tonight).
    #[arg(long)]
    pub date: Option<String>,
}

/// Figures of both ways.
#[derive(Clone, Debug, Serialize)]
pub struct HotelReport {
    pub date: NaiveDate,
    /// Stored nights, filtered.
    pub preallocated: Way,
    /// Bookings, subtracted from the rooms.
    pub by_subtracting: Way,
    /// True when both ways named the same rooms.
    pub same_rooms: bool,
    /// True when the house was whole afterwards.
    pub verified: bool,
}

/// Figures of one way.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    pub rooms: Vec<String>,
    pub rows_read: usize,
    /// Time of the answer, in milliseconds.
    pub ms: f64,
    /// Size of the searched tables: whole pages with their indexes, in bytes.
    pub size: i64,
}

/// Measures on a throw-away house.
pub fn run(args: &HotelArgs) -> Result<HotelReport, BenchError> {
    let folder = temporary_folder()?;
    let path = folder.path().join("house.db");
    let desk = &open_house(Config::new(path.clone()))?;
    let today = desk.now().in_zone(Tz::UTC).date_naive();
    let date = match &args.date {
        Some(text) => open_night(text, today)?,
        None => today,
    };
    let hotel = furnish(desk, args, today)?;
    let window = night(date)?;
    let filter =
        ResourceFilter { kind: Some("hotel-room".into()), within: Some(hotel.clone()), ..ResourceFilter::default() };
    let size = |table| pages_of(&path, table).map(|(rows, indexes)| rows.saturating_add(indexes));
    let (rooms, ms) = median_ms(|| filtered(desk, &filter, window))?;
    let preallocated = Way { rows_read: nights_read(desk, &filter, date)?, rooms, ms, size: size("chunk")? };
    let ((rooms, rows_read), ms) = median_ms(|| subtracted(desk, &filter, window))?;
    let by_subtracting = Way { rooms, rows_read, ms, size: size("booking")? };
    Ok(HotelReport {
        date,
        same_rooms: preallocated.rooms == by_subtracting.rooms,
        preallocated,
        by_subtracting,
        verified: desk.read(Verify::default())?.violations.is_empty(),
    })
}

/// Resolves the searched night, which must be open.
fn open_night(text: &str, today: NaiveDate) -> Result<NaiveDate, Failure> {
    let wrong = |problem: String| Refusal::unread("date", &problem);
    let date = parse_date(text).map_err(|error| wrong(error.to_string()))?;
    let last = today.checked_add_days(Days::new(NIGHTS - 1)).unwrap_or(today);
    if (today..=last).contains(&date) {
        Ok(date)
    } else {
        Err(wrong(format!("the hotel is open from {today} to {last}; choose a night of these")).into())
    }
}

fn night(date: NaiveDate) -> Result<Slot, BenchError> {
    let until = date.succ_opt().unwrap_or(date);
    Slot::new(day_start(date, Tz::UTC), day_start(until, Tz::UTC)).map_err(BenchError::part)
}

/// A hotel open for a year, each room booked for one night at a regular interval, a night later than the room before.
fn furnish(desk: &Desk, args: &HotelArgs, today: NaiveDate) -> Result<ResourceId, BenchError> {
    let add = |name: String, kind: &str, parent: Option<ResourceId>| {
        let policy = Policy::Preallocated { horizon: None, roll_days: None };
        AddResource { kind: kind.to_owned(), parent, ..stage::resource(name, Segment::DAY, policy) }
    };
    let hotel = desk.run(add("hotel_1".into(), "hotel", None))?.id;
    let mut rooms = Vec::new();
    for number in 0..args.rooms {
        let room = add(format!("room_{number}"), "hotel-room", Some(hotel.clone()));
        rooms.push(desk.run(room)?.id);
    }
    let until = today.checked_add_days(Days::new(NIGHTS)).unwrap_or(today);
    desk.run(OpenHorizon { resource: hotel.clone(), until })?;
    let every = u64::from(args.every);
    let step = usize::try_from(every).unwrap_or(1).max(1);
    for (room, number) in rooms.iter().zip(0..) {
        for offset in (number % every..NIGHTS).step_by(step) {
            let date = today.checked_add_days(Days::new(offset)).unwrap_or(today);
            let booking = ("guest", Past::Record);
            desk.run(stage::book(Some(room.clone()), night(date)?, booking))?;
        }
    }
    Ok(hotel)
}

fn filtered(desk: &Desk, filter: &ResourceFilter, window: Slot) -> Result<Vec<String>, BenchError> {
    let found = desk.read(ReadFree { count: None, filter: filter.clone(), window, span: None })?;
    Ok(found.into_iter().map(|free| free.resource.name).collect())
}

/// Reads the rooms, and the nights of that date for the filter.
fn nights_read(desk: &Desk, filter: &ResourceFilter, date: NaiveDate) -> Result<usize, BenchError> {
    let rooms: Vec<Resource> = desk.read(ReadResources(filter.clone()))?;
    let mut rows = rooms.len();
    for room in rooms {
        let night = ReadChunks { resource: room.id, from: date, until: date.succ_opt().unwrap_or(date) };
        rows += desk.read(night)?.len();
    }
    Ok(rows)
}

/// Rooms without a booking that night: the query of a system that stores bookings only.
fn subtracted(desk: &Desk, filter: &ResourceFilter, window: Slot) -> Result<(Vec<String>, usize), BenchError> {
    let rooms: Vec<Resource> = desk.read(ReadResources(filter.clone()))?;
    let bookings = desk.read(ReadBookings::default())?;
    let rows = rooms.len() + bookings.len();
    let is_taken = |room: &Resource| {
        bookings
            .iter()
            .flat_map(|booking| &booking.taken)
            .filter(|taken| taken.resource == room.id)
            .any(|taken| taken.live.iter().any(|slot| slot.overlaps(&window)))
    };
    let free = rooms.iter().filter(|room| !is_taken(room));
    Ok((free.map(|room| room.name.clone()).collect(), rows))
}
