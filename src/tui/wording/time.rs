//! Refusals about time: its holder, the interval, and the alternatives.

use chrono_tz::Tz;

use crate::domain::refusal::{FreeFact, NotWhole, Purpose, Refusal, SlotFact};
use crate::domain::time::{Instant, Slot, Span, Wall};

use super::clock;

/// Maximum number of slots named one by one.
const TOLD_MAX: usize = 3;

pub(super) fn about_time(refusal: &Refusal) -> Option<String> {
    about_slots(refusal).or_else(|| about_resources(refusal))
}

fn about_slots(refusal: &Refusal) -> Option<String> {
    let sentence = if let Refusal::SlotTaken {
        purpose,
        slots,
        alternatives,
    } = refusal
    {
        let next = match (alternatives.is_empty(), purpose) {
            (true, Purpose::Book | Purpose::Hold | Purpose::Move) => " Choose another time.".into(),
            _ => instead(slots, alternatives),
        };
        format!("{} {}{next}", told(slots), undone(*purpose))
    } else if let Refusal::TooFewFree {
        slots,
        alternatives,
        ..
    } = refusal
    {
        let few = in_the_way(refusal)?;
        format!(
            "{few} Ask for fewer, or for another time.{}",
            instead(slots, alternatives)
        )
    } else if let Refusal::SlotNotYours { slots } = refusal {
        format!(
            "Not all of that is this booking's: {} Nothing was given back.",
            told(slots)
        )
    } else if let Refusal::DatesOverlap {
        resource,
        first,
        second,
        zone,
        nights,
    } = refusal
    {
        let (zone, nights) = (*zone, *nights);
        let wall = Wall { zone, nights };
        format!(
            "Its dates overlap one another: {resource} {} and {}. Make them shorter, or repeat it less often. Nothing was booked.",
            first.words(wall),
            second.words(wall)
        )
    } else if let Refusal::NoWholeSegment(not) = refusal {
        no_whole_segment(not)
    } else if let Refusal::TimeDisabledByAnother {
        resources,
        operators,
    } = refusal
    {
        format!(
            "{} was taken out of use by {}; they put it back, or you override it.",
            resources.join(", "),
            operators.join(", ")
        )
    } else {
        return None;
    };
    Some(sentence)
}

fn no_whole_segment(not: &NotWhole) -> String {
    let NotWhole {
        resource,
        segment,
        from,
        until,
        whole,
        zone,
    } = not;
    let (zone, nights) = (*zone, *segment == Span::minutes(24 * 60));
    let wall = Wall { zone, nights };
    let named = when(*from, *until, wall);
    let instead = whole.words(wall);
    let why = if Slot::new(*from, *until) == Ok(*whole) {
        format!("The rest needs {named} of {resource} before or after it. Name more.")
    } else if nights {
        format!("{resource} is booked by the night: {named} is none. Name {instead}.")
    } else {
        format!("{resource} has segments of {segment}: {named} holds no whole one. Name {instead}.")
    };
    format!("{why} Nothing was changed.")
}

fn about_resources(refusal: &Refusal) -> Option<String> {
    let sentence = if let Refusal::NotOpen {
        resource,
        from,
        horizon,
        zone,
    } = refusal
    {
        let open = match horizon {
            Some(day) => format!("it is open to before {}", day.format("%a %-d %b %Y")),
            None => "none of its days is open".to_owned(),
        };
        format!(
            "{resource} is not open on {}: {open}. Choose an earlier day, or open more.",
            from.format(*zone, "%a %-d %b %Y")
        )
    } else if let Refusal::OutOfService {
        resource,
        from,
        operator,
        reason,
        cause,
        zone,
    } = refusal
    {
        let why = if reason.is_empty() || reason == cause {
            String::new()
        } else {
            format!(" ({reason})")
        };
        let since = from.format(*zone, "%a %-d %b %Y %H:%M");
        match cause.as_str() {
            "" | "out of service" => format!(
                "{resource} is out of service since {since}, by {operator}{why}. Take another, or put it back in service."
            ),
            cause => format!(
                "{resource} is out of use from {since} until further notice: {cause}, by {operator}{why}. Take another, or put it back into use."
            ),
        }
    } else if let Refusal::OutsideHours { resource, hours } = refusal {
        format!("{resource} is open {hours}. Choose a time within.")
    } else if let Refusal::RepeatedResource { resource } = refusal {
        format!("{resource} is named twice, or with what it is a part of. Name it once.")
    } else if let Refusal::BookingCanceled { title } = refusal {
        format!("{title} was canceled. Book it again.")
    } else if let Refusal::NotABooking { title } = refusal {
        format!("{title} is out of use, not booked. Put it back into use instead.")
    } else if let Refusal::HallOfPerformance { title } = refusal {
        format!("{title} has the hall. Cancel the performance, and the hall is free.")
    } else if let Refusal::WrongPolicy { resource, policy } = refusal {
        match policy.as_str() {
            "preallocated" => format!("The days of {resource} have to be opened first."),
            _ => format!(
                "The days of {resource} are always open; there is nothing to open or close."
            ),
        }
    } else if let Refusal::InService { resource } = refusal {
        format!("{resource} is in service; there is nothing to put back.")
    } else {
        return None;
    };
    Some(sentence)
}

/// Conflict that a refusal names, without the refused action: for a date left out of a series.
#[must_use]
pub fn in_the_way(refusal: &Refusal) -> Option<String> {
    if let Refusal::SlotTaken { slots, .. } = refusal {
        return Some(told(slots));
    }
    let Refusal::TooFewFree {
        wanted,
        free,
        slots,
        ..
    } = refusal
    else {
        return None;
    };
    let found = if free.is_empty() {
        "none of them is".to_owned()
    } else {
        format!("only {} free: {}", are(free.len()), free.join(", "))
    };
    let few = format!("{wanted} had to be free all the time; {found}.");
    Some(format!("{few} {}", told(slots)).trim_end().to_owned())
}

/// Refused action of a conflict, with what to do instead; the only place for this wording.
fn undone(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Book => "Nothing was booked.",
        Purpose::Hold => "Nothing was taken.",
        Purpose::Move => "Nothing was moved.",
        Purpose::Import => {
            "Nothing was imported. Make room for it, or leave out what is not free, with --skip-conflicts."
        }
        Purpose::Perform => {
            "The hall is taken then, so nothing was changed. Choose another time, or move or cancel what stands there."
        }
        Purpose::TakeOut => {
            "Nothing was taken out of use. Move or cancel what stands there first, or disable the time, which displaces it."
        }
        Purpose::OutOfService => {
            "Nothing was taken out of use. Move or cancel what stands there first, or displace it."
        }
        Purpose::Close => "Nothing was closed. Move or cancel what stands there first.",
    }
}

fn are(count: usize) -> String {
    if count == 1 {
        "1 is".to_owned()
    } else {
        format!("{count} are")
    }
}

/// Conflicting bookings: `Rehearsal 1 Sat 21 Nov 11:00-11:30: booked, Yoga.`; empty for none.
fn told(slots: &[SlotFact]) -> String {
    let named = Zones::of(slots.iter().map(|slot| slot.zone));
    let facts = slots.iter().take(TOLD_MAX).map(|slot| fact(slot, named));
    let mut told: Vec<String> = facts.collect();
    if slots.len() > TOLD_MAX {
        told.push(format!("and {} more", slots.len() - TOLD_MAX));
    }
    if told.is_empty() {
        String::new()
    } else {
        told.join("; ") + "."
    }
}

/// Time zones in a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zones {
    /// One zone, not named.
    One,
    /// Several zones, each named.
    Several,
}

impl Zones {
    fn of(zones: impl Iterator<Item = Tz>) -> Self {
        let mut zones = zones.peekable();
        let first = zones.peek().copied();
        if zones.all(|zone| Some(zone) == first) {
            Self::One
        } else {
            Self::Several
        }
    }
}

fn fact(fact: &SlotFact, zones: Zones) -> String {
    let until = fact
        .deadline
        .map(|until| format!(" until {}", clock(until, fact.zone)))
        .unwrap_or_default();
    let by = if fact.by.is_empty() {
        String::new()
    } else {
        format!(", {}", fact.by)
    };
    let when = if fact.until_further_notice {
        let from = fact.from.format(fact.zone, "%a %-d %b %H:%M");
        format!("from {from} until further notice")
    } else {
        when(fact.from, fact.until, fact.wall())
    };
    format!(
        "{} {when}{}: {}{by}{until}",
        fact.resource,
        named(fact.zone, zones),
        match fact.state.as_str() {
            "not_open" => "not open yet".to_owned(),
            state => state.replace('_', " "),
        },
    )
}

/// Alternatives: ` Free instead: Rehearsal 2 Sat 21 Nov 11:00-11:30.`; empty for none.
fn instead(slots: &[SlotFact], alternatives: &[FreeFact]) -> String {
    let Some(first) = alternatives.first() else {
        return String::new();
    };
    let wanted = slots.iter().map(|slot| slot.zone);
    let zones = Zones::of(wanted.chain(alternatives.iter().map(|free| free.zone)));
    let free: Vec<String> = alternatives.iter().map(|one| free(one, zones)).collect();
    let free = free.join("; ");
    match first.dates {
        None => format!(" Free instead: {free}."),
        Some(dates) => format!(" Free on all {dates} dates instead: {free}."),
    }
}

/// Name of a time's zone, where several are used.
fn named(zone: Tz, zones: Zones) -> String {
    match zones {
        Zones::One => String::new(),
        Zones::Several => format!(" {zone}"),
    }
}

fn free(free: &FreeFact, zones: Zones) -> String {
    let from = if free.dates.is_some() { "from " } else { "" };
    format!(
        "{} {from}{}{}",
        free.resource,
        when(free.from, free.until, free.wall()),
        named(free.zone, zones)
    )
}

fn when(from: Instant, until: Instant, wall: Wall) -> String {
    Slot::new(from, until).map_or_else(|_| String::new(), |slot| slot.words(wall))
}
