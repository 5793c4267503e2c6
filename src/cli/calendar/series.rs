//! Repeats: listed with all dates, and extended by a date.

use chrono::TimeDelta;
use clap::Args;
use serde_json::Value;

use crate::cli::answers::booking::{self, Row};
use crate::cli::calendar::named_views;
use crate::cli::call::{Call, Done};
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::booking::Booking;
use crate::domain::ids::SeriesId;
use crate::domain::time::{Instant, Slot, resolve};
use crate::engine::ops::AddToSeries;
use crate::engine::reads::bookings::{ReadSeries, SeriesView};

use super::book::Also;

#[derive(Debug, Args)]
pub(in crate::cli) struct AddDate {
    /// Id of one of its bookings, or the end of it, or the repeat's id
    booking: String,
    /// Start of the date
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End of the date (default: the length of the others)
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    #[command(flatten)]
    also: Also,
}

pub(super) fn dates(call: &mut Call<'_>, booking: &str) -> Done {
    let view = series(call, booking)?;
    let views = named_views(call, view.bookings)?;
    let list: Vec<Row> = views.iter().flat_map(booking::rows).collect();
    let left_out = view.series.skipped.iter().map(|slot| {
        let bounds = booking::bounds(*slot, view.wall.zone);
        booking::left_out(bounds, &Value::from("left_out"), slot.dated(view.wall))
    });
    call.answer(&booking::list(&list, &left_out.collect::<Vec<_>>()))
}

impl AddDate {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = series(call, &self.booking)?;
        let now = call.now_in(view.wall.zone);
        let (from, until) = times::bounds(&self.from, self.until.as_ref(), now)?;
        let until = until.or_else(|| as_the_others(&view, from));
        let Some(until) = until else {
            return Err(values::bad("until", "say until when, with --until").into());
        };
        let added = call.run(AddToSeries {
            series: view.series.id,
            slot: times::of_bounds(from, until)?,
            past: self.also.past(),
        })?;
        call.answer(&booking::done(&named_views(call, vec![added])?))
    }
}

/// Finds the repeat that a text names, by its id or by one of its bookings, and shows later times in its zone.
fn series(call: &mut Call<'_>, text: &str) -> Result<SeriesView, Stop> {
    let id = match text.trim().parse::<SeriesId>() {
        Ok(id) if call.desk.read(ReadSeries(id)).is_ok() => id,
        Ok(_) | Err(_) => {
            let view = call.booking(text)?;
            view.booking.series.ok_or_else(|| {
                values::bad(
                    "booking",
                    format!("{} does not repeat; book another time with: willcall calendar book", view.title()),
                )
            })?
        }
    };
    let view = call.read(ReadSeries(id))?;
    call.out.tell_by(view.wall);
    Ok(view)
}

/// The end of a date from its start: as skipped, or the first date's length on the clock.
fn as_the_others(view: &SeriesView, from: Instant) -> Option<Instant> {
    let left_out = view.series.skipped.iter().find(|slot| slot.from() == from);
    left_out.map(Slot::until).or_else(|| {
        let first = view.bookings.first().and_then(Booking::extent)?;
        let wall = |at: Instant| at.in_zone(view.wall.zone).naive_local();
        let length: TimeDelta = wall(first.until()) - wall(first.from());
        resolve(wall(from) + length, view.wall.zone).ok()
    })
}
