//! Seats and time that were taken from a cart.

use serde_json::{Value, json};

use crate::cli::answers::slots;
use crate::engine::reads::carts::{LossView, LostWhat};
use crate::words;

pub(super) fn json(lost: &LossView) -> Value {
    match &lost.what {
        LostWhat::Seats(performance, seats) => json!({
            "performance": performance.id,
            "title": performance.title,
            "seats": seats.iter().map(|(_, name)| name).collect::<Vec<_>>(),
            "reason": lost.reason,
        }),
        LostWhat::Time(resource, name, wall, stretches) => json!({
            "resource": resource,
            "name": name,
            "slots": slots(stretches, wall.zone),
            "reason": lost.reason,
        }),
    }
}

/// One line each.
pub(super) fn lines(lost: &[LossView]) -> String {
    let line = |one: &LossView| format!("Lost: {}", words::loss(one));
    lost.iter().map(line).collect::<Vec<_>>().join("\n")
}
