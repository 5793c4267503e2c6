//! Seats that are kept, out of use, or back on sale.

use chrono_tz::Tz;
use serde_json::json;

use crate::cli::answers::out_of_use::lost_by;
use crate::cli::answers::{day_time, worklist};
use crate::cli::out::Rendered;
use crate::domain::booking::Booking;
use crate::domain::house::Keep;
use crate::domain::ids::CartId;
use crate::domain::text::clean;
use crate::engine::ops::StillOut;
use crate::engine::reads::catalog::{PerformanceView, Planned};
use crate::engine::reads::worklist::WorkView;
use crate::words;

pub(in crate::cli) fn kept(keep: &Keep, view: &PerformanceView) -> Rendered {
    let zone = view.theater.time_zone;
    let seats = view.seating.names(&keep.live);
    let people = format!("{} kept until {}: {}", seats.join(","), day_time(keep.until, zone), clean(&keep.reason));
    let json = object!(keep { id, performance, reason, operator; in zone; until }, "seats": seats);
    Rendered::new(json, people)
}

pub(in crate::cli) fn on_sale(performance: &str, seats: &[String]) -> Rendered {
    let people = format!("{} on sale", clean(&seats.join(",")));
    Rendered::new(json!({ "id": performance, "seats": seats }), people)
}

/// Seats back in use, except those that another act keeps out.
pub(in crate::cli) fn in_use(id: &str, mut seats: Vec<String>, still: Option<&StillOut>) -> Rendered {
    seats.retain(|name| still.is_none_or(|still| !still.seats.contains(name)));
    let mut lines = Vec::new();
    if !seats.is_empty() {
        lines.push(format!("{} in use again", clean(&seats.join(","))));
    }
    lines.extend(still.map(words::still_out));
    let json = object!("id": id, "seats": seats, ? "still_out": still);
    Rendered::new(json, lines.join("\n"))
}

pub(in crate::cli) struct Effects {
    pub(in crate::cli) disables: Vec<(Booking, Planned)>,
    pub(in crate::cli) displaced: Vec<WorkView>,
    /// The open carts that lost seats.
    pub(in crate::cli) carts: Vec<CartId>,
    /// Seats that older plans do not have.
    pub(in crate::cli) unknown: Vec<String>,
}

pub(in crate::cli) fn disabled(done: &Effects, zone: Tz) -> Rendered {
    let disable = |(disable, (night, seating)): &(Booking, Planned)| {
        object! {
            "id": disable.id.to_string(),
            "performance": night.id.to_string(),
            "title": night.title,
            "seats": seating.names(disable.wanted_seats()),
            "reason": disable.title,
            "operator": disable.operator,
            ? "approved": disable.approved.as_ref(),
        }
    };
    let line = |(disable, (night, seating)): &(Booking, Planned)| {
        format!(
            "{} out of use: {}, {}",
            seating.names(disable.wanted_seats()).join(","),
            night.title,
            day_time(night.start, night.zone)
        )
    };
    let mut lines: Vec<String> = done.disables.iter().map(line).collect();
    if lines.is_empty() {
        lines.push("Nothing changed in the performances that are open.".to_owned());
    }
    if !done.unknown.is_empty() {
        let lacking = clean(&done.unknown.join(","));
        lines.push(format!("Older plans have no {lacking}."));
    }
    if !done.carts.is_empty() {
        lines.push(lost_by(&done.carts));
    }
    if !done.displaced.is_empty() {
        let items = worklist::items(&done.displaced, zone);
        lines.push(format!("\nOn the worklist now:\n{items}"));
    }
    let json = json!({
        "disables": done.disables.iter().map(disable).collect::<Vec<_>>(),
        "displaced": worklist::list(&done.displaced, zone).json,
        "carts": done.carts,
        "unknown": done.unknown,
    });
    Rendered::new(json, lines.join("\n"))
}
