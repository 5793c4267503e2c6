//! What the command line answers: the same values for programs (names as in the domain, money as text with a
//! currency, local times as RFC 3339, seats by their unique names) and for people.

use chrono_tz::Tz;

use crate::domain::time::Instant;

mod bench;
pub(super) mod booking;
pub(super) mod calendar;
pub(super) mod cart;
pub(super) mod find;
pub(super) mod free;
pub(super) mod job;
pub(super) mod journal;
pub(super) mod out_of_use;
pub(super) mod performance;
pub(super) mod receipt;
pub(super) mod resource;
pub(super) mod seats;
pub(super) mod seats_out;
mod slots;
pub(super) mod taken;
pub(super) mod theater;
pub(super) mod waitlist;
pub(super) mod worklist;

/// A local time as people read it: `Tue 1 Dec 2026 19:30`.
fn day_time(at: Instant, zone: Tz) -> String {
    at.format(zone, "%a %-d %b %Y %H:%M")
}

/// The end of an id, as people tell ids apart.
pub(in crate::cli) fn tail(id: &str) -> String {
    format!("..{}", crate::domain::ids::tail(id))
}
