//! Seats and time that were taken from a cart.

use serde_json::{Value, json};

use crate::cli::answers::booking::stretches;
use crate::cli::answers::{day_time, slots};
use crate::domain::text::clean;
use crate::engine::reads::carts::{LossView, LostWhat};
use crate::tui::wording;

pub(super) fn json(lost: &LossView) -> Value {
    match &lost.what {
        LostWhat::Seats(performance, seats) => json!({
            "performance": performance.id.to_string(),
            "title": performance.title,
            "seats": seats.iter().map(|(_, name)| name).collect::<Vec<_>>(),
            "reason": lost.reason,
        }),
        LostWhat::Time(resource, name, zone, stretches) => json!({
            "resource": resource.to_string(),
            "name": name,
            "slots": slots(stretches, *zone),
            "reason": lost.reason,
        }),
    }
}

/// One line each.
pub(super) fn lines(lost: &[LossView]) -> String {
    let line = |one: &LossView| {
        let words = match &one.what {
            LostWhat::Seats(performance, seats) => {
                let runs = wording::seats(seats.iter().map(|(at, name)| (*at, name.as_str())));
                let when = day_time(performance.start, performance.zone);
                format!("{runs}, {} {when}", performance.title)
            }
            LostWhat::Time(_, name, zone, slots) => format!("{name} {}", stretches(slots, *zone)),
        };
        let reason = match clean(&one.reason) {
            reason if reason.is_empty() => String::new(),
            reason => format!(" ({reason})"),
        };
        format!("Lost: {}{reason}", clean(&words))
    };
    lost.iter().map(line).collect::<Vec<_>>().join("\n")
}
