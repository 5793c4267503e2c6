//! Time out of use, and the orders that it displaced.

use serde_json::json;

use crate::cli::answers::{day_time, tail, worklist};
use crate::cli::call::Call;
use crate::cli::out::Rendered;
use crate::cli::stop::Stop;
use crate::cli::worklist::displaced;
use crate::domain::ids::{BookingId, CartId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::OutOfUse;
use crate::words::capital;

pub(in crate::cli) fn act(call: &Call<'_>, done: &OutOfUse) -> Result<Rendered, Stop> {
    let zone = call.out.zone;
    let (id, cause, from, until, reason) = match done {
        OutOfUse::Slot { booking, .. } => {
            let core = booking.asked().next().map(|taken| taken.core);
            let from = core.map_or(Instant::default(), |slot| slot.from());
            let until = core.map(|slot| slot.until());
            (booking.id, &booking.cause, from, until, &booking.title)
        }
        OutOfUse::Marked { mark, .. } => (mark.id, &mark.cause, mark.from, None, &mark.reason),
    };
    let displaced = displaced(call, done.displaced())?;
    let json = object! {
        "id": id,
        "cause": cause.word(),
        "from": from.rfc3339(zone),
        "reason": reason,
        "displaced": worklist::list(&displaced, zone).json,
        "carts": done.carts(),
        ? "until": until.map(|until| until.rfc3339(zone)),
    };
    let when = match until.and_then(|until| Slot::new(from, until).ok()) {
        Some(slot) => slot.dated(call.out.wall()),
        None => format!("from {} until further notice", day_time(from, zone)),
    };
    let mut said = format!("{} {when} ({})", capital(cause.word()), tail(&id.to_string()));
    if !reason.is_empty() && reason != cause.word() {
        said = format!("{said}: {}", clean(reason));
    }
    if !done.carts().is_empty() {
        said = format!("{said}. {}", lost_by(done.carts()));
        said = said.trim_end_matches('.').to_owned();
    }
    let people = match displaced.as_slice() {
        [] if done.carts().is_empty() => format!("{said}. Nobody is displaced."),
        [] => format!("{said}."),
        items => format!("{said}. Displaced, and on the worklist now:\n{}", worklist::items(items, zone)),
    };
    Ok(Rendered::new(json, people))
}

/// The open carts that lost seats or time.
pub(super) fn lost_by(carts: &[CartId]) -> String {
    let carts: Vec<String> = carts.iter().map(|id| tail(&id.to_string())).collect();
    match carts.as_slice() {
        [one] => format!("Taken from open cart {one}."),
        several => format!("Taken from open carts {}.", several.join(", ")),
    }
}

pub(in crate::cli) fn enabled(id: BookingId) -> Rendered {
    let id = id.to_string();
    let people = format!("{}: in use again.", tail(&id));
    Rendered::new(json!({ "id": id, "state": "enabled" }), people)
}
