//! Short wording of times, lengths and prices on the calendar.

use crate::domain::calendar::{Period, State};
use crate::domain::money::grouped;
use crate::domain::resource::Resource;
use crate::domain::text::{clean, fit};
use crate::domain::time::{Instant, Local, Slot};
use crate::engine::reads::calendar::Check;
use crate::words;

/// Columns of a name that leave room for the rest.
const NAME_MOST: usize = 30;

/// Length of a slot: hours and minutes, or nights.
pub(super) fn length_words(one: &Resource, slot: Slot) -> String {
    if one.grid.segment.is_day() {
        let nights = usize::try_from(one.grid.segments(slot)).unwrap_or(0);
        return words::count(nights, "night");
    }
    let minutes = slot.span().millis() / 60_000;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes}"),
    }
}

/// Resources of some slots: the name of one, or the number of several: `8 rooms`.
pub(super) fn what_words(slots: &[(&Resource, Slot)]) -> String {
    let [(first, _), rest @ ..] = slots else {
        return String::new();
    };
    let same = rest.iter().all(|(one, _)| one.kind == first.kind);
    let kind = if same { clean(&first.kind) } else { "resource".to_owned() };
    if rest.is_empty() { fit(&clean(&first.name), NAME_MOST) } else { words::count(slots.len(), &kind) }
}

/// Names of the resources of some slots: `Room 11, Room 12 and 3 more`.
pub(super) fn names_words(slots: &[(&Resource, Slot)]) -> String {
    let names: Vec<String> = slots.iter().map(|(one, _)| clean(&one.name)).collect();
    words::list(&names)
}

/// Total price of slots; none when no slot has a price.
pub(super) fn price_words(slots: &[(&Resource, Slot)]) -> Option<String> {
    let mut sum: i64 = 0;
    let mut currency = None;
    for (one, slot) in slots {
        if let Some(price) = &one.price {
            let segments = i64::from(one.grid.segments(*slot));
            sum = sum.saturating_add(price.minor.saturating_mul(segments));
            currency = Some(price.currency);
        }
    }
    currency.map(|currency| grouped(sum, currency))
}

/// Time of a period, not cut to the window; an unknown end is left open.
pub(super) fn period_words(period: &Period, one: &Resource, now: Instant) -> String {
    let here = Local { now, zone: one.zone() };
    let (day, day_time) = (|at| here.format(at, "%a %-d %b"), |at| words::day_time(at, here));
    let (slot, whole) = (period.slot, period.whole);
    if period.is_endless() {
        return format!("from {} until further notice", day_time(whole.from()));
    }
    let no_start = period.from_before && whole.from() == slot.from();
    let no_end = period.until_after && whole.until() == slot.until();
    match (no_start, no_end) {
        (false, false) => whole.words(one.grid, now),
        (true, false) if one.grid.segment.is_day() => format!("out {}", day(whole.until())),
        (true, false) => format!("until {}", day_time(whole.until())),
        (false, true) if one.grid.segment.is_day() => format!("in {}", day(whole.from())),
        (false, true) => format!("from {}", day_time(whole.from())),
        (true, true) => "all this time and beyond".to_owned(),
    }
}

/// Conflict of a period with a wanted slot, through the slot itself or its turnaround.
pub(super) fn way_words(period: &Period, (one, wanted): (&Resource, Slot), now: Instant) -> String {
    let core = one.grid.normalise(wanted);
    if period.slot.overlaps(&core) {
        return taken_words(period, one, now);
    }
    let (needed, side) = if period.slot.from() >= core.until() { (one.after, "after") } else { (one.before, "before") };
    let minutes = needed.millis() / 60_000;
    let who = if period.title.is_empty() { period.state.word().replace('_', " ") } else { clean(&period.title) };
    format!("too close to {who}: {minutes} min {side} it have to be free")
}

/// Wording of why a slot cannot be booked; `None` when it can.
pub(super) fn check_words(check: &Check, (one, wanted): (&Resource, Slot), now: Instant) -> Option<String> {
    match (&check.refusal, check.in_the_way.first()) {
        (Some(refusal), _) => Some(words::refusal(refusal, Local { now, zone: one.zone() })),
        (None, Some(period)) => Some(way_words(period, (one, wanted), now)),
        (None, None) => None,
    }
}

/// Wording of a conflicting period: `taken by Yoga 09:00-11:00`.
pub(super) fn taken_words(period: &Period, one: &Resource, now: Instant) -> String {
    let words = period_words(period, one, now);
    if let Some((left, all)) = period.part_taken() {
        return format!("{left} of {all} are free, {words}");
    }
    let by = if period.title.is_empty() { String::new() } else { format!(" by {}", clean(&period.title)) };
    match period.state {
        State::Free => "free".to_owned(),
        State::Held => format!("held{by}, {words}"),
        State::Booked => format!("taken{by}, {words}"),
        State::Closed => "outside the opening hours".to_owned(),
        State::NotOpen => "not open for booking yet".to_owned(),
        State::Maintenance | State::Relocation | State::Occupied | State::Disabled | State::OutOfService => {
            let why = if period.title.is_empty() {
                period.state.word().replace('_', " ")
            } else {
                format!("out of use ({})", clean(&period.title))
            };
            format!("{why}, {words}")
        }
    }
}
