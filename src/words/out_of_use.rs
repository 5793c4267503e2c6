//! Wording of seats taken out of use and put back.

use super::names::{list, seats as seat_names};
use super::numbers::count;
use crate::domain::text::clean;
use crate::engine::ops::{DisabledSeats, StillOut};
use crate::engine::reads::carts::{LossView, LostWhat};

/// Seats kept out of use by another act: `A1 is still out of use: inspection`.
#[must_use]
pub fn still_out(still: &StillOut) -> String {
    let reasons: Vec<String> = still.reasons.iter().map(|reason| clean(reason)).collect();
    let are = if still.seats.len() == 1 { "is" } else { "are" };
    format!("{} {are} still out of use: {}", list(&still.seats), list(&reasons))
}

/// Result of the undo of seats out of use, without seats that do not come back: `Undone: A1 out of use`.
#[must_use]
pub fn in_use_again(out: &str, disabled: &DisabledSeats) -> String {
    let carts = count(disabled.carts.len(), "open cart");
    let carts = (!disabled.carts.is_empty()).then(|| format!("what {carts} lost is free"));
    let keeps = (!disabled.keeps.is_empty()).then(|| "what the house kept is free".to_owned());
    let words = [format!("Undone: {out}")].into_iter().chain(carts).chain(keeps);
    words.collect::<Vec<_>>().join("; ")
}

/// Loss of a cart, with its reason: `A2, Movie Tue 1 Dec 2099 19:30 (Broken)`.
#[must_use]
pub fn loss(lost: &LossView) -> String {
    let words = match &lost.what {
        LostWhat::Seats(performance, seats) => {
            let runs = seat_names(seats.iter().map(|(at, name)| (*at, name.as_str())));
            let when = performance.start.format(performance.zone, "%a %-d %b %Y %H:%M");
            format!("{runs}, {} {when}", performance.title)
        }
        LostWhat::Time(_, name, wall, slots) => {
            let when: Vec<String> = slots.iter().map(|slot| slot.dated(*wall)).collect();
            format!("{name} {}", when.join(", "))
        }
    };
    match clean(&lost.reason) {
        reason if reason.is_empty() => clean(&words),
        reason => format!("{} ({reason})", clean(&words)),
    }
}

/// Seats taken out of use, with their losers: `A1 out of use; taken from 1 open cart`.
#[must_use]
pub fn out_of_use(done: &str, disabled: &DisabledSeats) -> String {
    let mut lost = Vec::new();
    if !disabled.carts.is_empty() {
        let carts = count(disabled.carts.len(), "open cart");
        lost.push(format!("taken from {carts}"));
    }
    if !disabled.keeps.is_empty() {
        lost.push("the house keeps it no longer".to_owned());
    }
    match disabled.displaced.len() {
        0 => {}
        items => lost.push(format!("{items} displaced, see Needs you")),
    }
    if lost.is_empty() {
        lost.push("nobody is displaced".to_owned());
    }
    format!("{done}; {}", lost.join("; "))
}
