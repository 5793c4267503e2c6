//! Wording of refusals about counted resources.

use crate::domain::refusal::{CountRefusal, SlotAt};
use crate::domain::time::{Instant, Slot, Wall};

pub(super) fn refusal(refusal: &CountRefusal, now: Instant) -> String {
    match refusal {
        CountRefusal::UnitsShort { at, unit, wanted, free, of } => {
            format!("{wanted} {unit} are not free: {free} of {of} are, {}. Take fewer, or another time.", when(at, now))
        }
        CountRefusal::UnitsClaimed { at, unit, claimed } => {
            format!("{claimed} {unit} are taken {}. Move some of them first.", when(at, now))
        }
        CountRefusal::UnitStays { at, unit, claimed } => {
            format!("{claimed} {unit} are taken {}, so they stay {unit}. Add another resource instead.", when(at, now))
        }
        CountRefusal::NotCounted { resource } => {
            format!("There is one {resource}: only a resource with a count is taken by number. Leave the number out.")
        }
        CountRefusal::CountedPart { resource } => {
            format!("{resource} is counted, so it has no parts and is none. Add it without a parent.")
        }
        CountRefusal::CountStays { resource } => {
            format!("{resource} has stored days or relatives, or is counted already. Add another resource instead.")
        }
    }
}

/// `Mon 23 Nov 2026 10:00-12:00`.
fn when(at: &SlotAt, now: Instant) -> String {
    let wall = Wall { zone: at.zone, nights: at.nights };
    Slot::new(at.from, at.until).map_or_else(|_| String::new(), |slot| slot.words(wall, now))
}
