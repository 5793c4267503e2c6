//! Incidents that only a chapter has: an opera far larger than a screen, and an office that wants a whole hotel.

use chrono::Days;

use crate::demo::opera;
use crate::domain::booking::Details;
use crate::domain::time::{Local, Slot, Span, day_start};
use crate::engine::ops::{AddPerformance, AddTheater, BookSlot, KeepSeats, NamedPrice, Past, Want};
use crate::engine::reads::resources::ReadResource;
use crate::engine::{Desk, Failure, Fault};
use crate::words;

/// Opens the opera's next night, which begins before all others; subscribers have their seats.
pub(super) fn open_opera(desk: &Desk) -> Result<(), Failure> {
    let plan = opera::plan().map_err(|error| Fault::Broken(error.to_string()))?;
    let seats = opera::subscribed(&plan);
    let prices =
        opera::TIERS.map(|(name, _, minor)| NamedPrice { category: Some(name.into()), ..NamedPrice::all(minor) });
    let theater = desk.run(AddTheater { name: "Opera".into(), plan, time_zone: None })?;
    let start = desk.now() + Span::minutes(30);
    let aida = AddPerformance::new(theater.id, "Aida", (start, start + Span::minutes(200)), prices.to_vec());
    let performance = desk.run(aida)?.performance.id;
    desk.run(KeepSeats { performance, seats, reason: "subscribers".into(), until: start - Span::minutes(5) })?;
    Ok(())
}

/// Asks for the whole of a hotel for a night, so many days from today; gives the sentence of the refusal.
pub(super) fn want_hotel(desk: &Desk, days: u64) -> Result<Option<String>, Failure> {
    let hotel = desk.read(ReadResource("hotel_1".into()))?;
    let here = Local { now: desk.now(), zone: hotel.grid.zone };
    let night = here.today() + Days::new(days);
    let night = Slot::new(day_start(night, here.zone), day_start(night + Days::new(1), here.zone));
    let night = night.map_err(|error| Fault::Broken(error.to_string()))?;
    let details = Details { title: "Congress".into(), ..Details::default() };
    match desk.run(BookSlot { wants: vec![Want::all(vec![hotel.id], night)], details, past: Past::Refuse }) {
        Ok(_) => Ok(None),
        Err(Failure::Refused(no)) => Ok(Some(words::refusal(&no, here))),
        Err(failure) => Err(failure),
    }
}
