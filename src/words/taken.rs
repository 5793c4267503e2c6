//! Sentences of refused seats and time: their owners, the time, and free alternatives.

use std::collections::BTreeSet;
use std::fmt;

use crate::domain::operator::hands;
use crate::domain::refusal::{
    Alternative, Fact, Lack, NotWhole, OwnerName, Purpose, Refusal, SlotAt, WantedCells, names,
};
use crate::domain::time::{Instant, Local, Slot, Span, Wall};

use super::names::{is_are, list, span_of};
use super::when::{clock, day_time, interval};

/// Maximum number of slots named one by one.
const TOLD_MAX: usize = 3;

/// Sentence for cells that are not free.
pub(super) fn sentence((wanted, instead): (&WantedCells, &[Alternative]), facts: &[Fact], here: Local) -> String {
    let now = here.now;
    match wanted {
        WantedCells::Seats => format!("{}. Nothing was taken.", seats(facts, here)),
        WantedCells::AnyOf { count, free } => {
            let few = too_few(*count, free, (facts, now));
            let free = alternatives((facts, instead), now);
            format!("{few} Ask for fewer, or for another time.{free}")
        }
        WantedCells::Time(purpose @ (Purpose::Book | Purpose::Hold | Purpose::Move)) if instead.is_empty() => {
            let undone = undone(*purpose);
            format!("{} {undone} Choose another time.", slots(facts, now))
        }
        WantedCells::Time(purpose) => {
            let (undone, free) = (undone(*purpose), alternatives((facts, instead), now));
            format!("{} {undone}{free}", slots(facts, now))
        }
    }
}

/// Sentence for cells that lack a property.
pub(super) fn not_yours(lack: Lack, facts: &[Fact], now: Instant) -> String {
    let lacked = match lack {
        Lack::InCart => "in this cart",
        Lack::Kept => "kept by the house",
        Lack::OutOfUse => "out of use",
        Lack::InBooking => {
            let slots = slots(facts, now);
            return format!("Not all of that is this booking's: {slots} Nothing was given back.");
        }
    };
    let named = are(&names(facts));
    format!("{named} not {lacked}. Choose among those that are.")
}

/// Sentence for cells that another operator took out of use.
pub(super) fn disabled_by_another(facts: &[Fact]) -> String {
    let names = names(facts);
    let out = if facts.iter().any(|fact| fact.slot().is_some()) {
        format!("{} was taken", names.join(", "))
    } else {
        are(&names)
    };
    let by = |fact: &Fact| {
        let OwnerName::Operator { operator, approved, .. } = &fact.by else { return None };
        Some(hands(operator, approved.as_deref()))
    };
    let by: BTreeSet<String> = facts.iter().filter_map(by).collect();
    let by = by.into_iter().collect::<Vec<_>>().join(", ");
    format!("{out} out of use by {by}; they put it back, or you override it.")
}

/// Sentence for a slot without a whole segment that can be given back or moved.
pub(super) fn no_whole_segment(not: &NotWhole, now: Instant) -> String {
    let NotWhole { resource, segment, from, until, whole, zone } = not;
    let (zone, nights) = (*zone, *segment == Span::minutes(24 * 60));
    let wall = Wall { zone, nights };
    let named = interval((*from, *until), wall, now);
    let instead = whole.words(wall, now);
    let why = if Slot::new(*from, *until) == Ok(*whole) {
        format!("The rest needs {named} of {resource} before or after it. Name more.")
    } else if nights {
        format!("{resource} is booked by the night: {named} is none. Name {instead}.")
    } else {
        format!("{resource} has segments of {segment}: {named} holds no whole one. Name {instead}.")
    };
    format!("{why} Nothing was changed.")
}

/// Conflict that a refusal names, without the refused action: for a date left out of a series.
#[must_use]
pub fn in_the_way(refusal: &Refusal, now: Instant) -> Option<String> {
    let Refusal::Taken { wanted, facts, .. } = refusal else {
        return None;
    };
    match wanted {
        WantedCells::Seats => None,
        WantedCells::Time(_) => Some(slots(facts, now)),
        WantedCells::AnyOf { count, free } => Some(too_few(*count, free, (facts, now))),
    }
}

fn too_few(count: u32, free: &[String], (facts, now): (&[Fact], Instant)) -> String {
    let found = match free.len() {
        0 => "none of them is".to_owned(),
        few => format!("only {few} {} free: {}", is_are(few), free.join(", ")),
    };
    let few = format!("{count} had to be free all the time; {found}.");
    format!("{few} {}", slots(facts, now)).trim_end().to_owned()
}

/// Refused action of a conflict, with what to do instead.
const fn undone(purpose: Purpose) -> &'static str {
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
        Purpose::CloseDays => {
            "Nothing was closed. Move or cancel it, or say that it stays (--force; of an import, --skip-conflicts)."
        }
    }
}

fn are(names: &[String]) -> String {
    format!("{} {}", list(names), is_are(names.len()))
}

/// Taken seats, grouped by owner and state.
pub(super) fn seats(facts: &[Fact], here: Local) -> String {
    let mut owners: Vec<(&Fact, Vec<String>)> = Vec::new();
    for fact in facts {
        let same = |one: &Fact| (one.state, &one.by, one.until) == (fact.state, &fact.by, fact.until);
        let name = fact.seat().unwrap_or_default().to_owned();
        match owners.iter_mut().find(|(one, _)| same(one)) {
            Some((_, names)) => names.push(name),
            None => owners.push((fact, vec![name])),
        }
    }
    let several = owners.len() > 1;
    let told = owners.iter().map(|(fact, names)| {
        let whose = whose(fact, names.len(), here);
        match fact.state() {
            _ if !several => format!("{} gone: {whose}", are(names)),
            "held" => format!("{}: {whose}", list(names)),
            _ => format!("{} {whose}", are(names)),
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Owner of a taken seat: `till-1 holds it until 19:50:00`.
fn whose(fact: &Fact, count: usize, here: Local) -> String {
    let until = |words: &dyn Fn(Instant) -> String| {
        let until = fact.until.map(|until| format!(" until {}", words(until)));
        until.unwrap_or_default()
    };
    // a hold ends within the hour, other states on some other day
    let (soon, later) = (|at| clock(at, here.zone), |at| day_time(at, here));
    let it = if count == 1 { "it" } else { "them" };
    match fact.state() {
        "held" => format!("{} holds {it}{}", fact.by, until(&soon)),
        "reserved" => format!("reserved for {}{}", fact.by, until(&later)),
        "kept" => format!("kept by {}{}", fact.by, until(&later)),
        "disabled" => format!("out of use by {}", fact.by),
        _ => "sold".to_owned(),
    }
}

impl fmt::Display for OwnerName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => Ok(()),
            Self::Station(name) | Self::Customer(name) | Self::Booking(name) => out.write_str(name),
            Self::Receipt => out.write_str("a receipt"),
            Self::House(reason) => write!(out, "the house ({reason})"),
            Self::Operator { operator, approved, reason } => {
                write!(out, "{} ({reason})", hands(operator, approved.as_deref()))
            }
        }
    }
}

/// Taken time: `Rehearsal 1 Sat 21 Nov 11:00-11:30: booked, Yoga.`; empty for none.
pub(super) fn slots(facts: &[Fact], now: Instant) -> String {
    let zones = Zones::of(facts.iter().filter_map(Fact::slot));
    let told = facts.iter().filter_map(|fact| slot(fact, zones, now));
    let mut told: Vec<String> = told.take(TOLD_MAX).collect();
    if facts.len() > TOLD_MAX {
        told.push(format!("and {} more", facts.len() - TOLD_MAX));
    }
    let end = if told.is_empty() { "" } else { "." };
    told.join("; ") + end
}

fn slot(fact: &Fact, zones: Zones, now: Instant) -> Option<String> {
    let at = fact.slot()?;
    let until = fact.until.map(|until| clock(until, at.zone));
    let until = until.map_or_else(String::new, |until| format!(" until {until}"));
    let by = if fact.by == OwnerName::Nobody { String::new() } else { format!(", {}", fact.by) };
    let when = if at.is_endless() {
        let from = day_time(at.from, Local { now, zone: at.zone });
        format!("from {from} until further notice")
    } else {
        interval((at.from, at.until), at.wall(), now)
    };
    let state = match fact.state() {
        "not_open" => "not open yet".to_owned(),
        state => state.replace('_', " "),
    };
    let zone = zones.named(at);
    Some(format!("{} {when}{zone}: {state}{by}{until}", at.resource))
}

/// Alternatives: ` Free instead: Rehearsal 2 Sat 21 Nov 11:00-11:30.`; empty for none.
fn alternatives((facts, instead): (&[Fact], &[Alternative]), now: Instant) -> String {
    let wanted = facts.iter().filter_map(Fact::slot);
    let zones = Zones::of(wanted.chain(instead.iter().filter_map(Alternative::slot)));
    let mut on = String::new();
    let mut free: Vec<String> = Vec::new();
    for one in instead {
        let Alternative::Slot { at, dates } = one else {
            continue;
        };
        let when = interval((at.from, at.until), at.wall(), now);
        let from = dates.map_or("", |_| "from ");
        free.push(format!("{} {from}{when}{}", at.resource, zones.named(at)));
        on = dates.map_or_else(String::new, |dates| format!(" on all {dates} dates"));
    }
    if free.is_empty() {
        return String::new();
    }
    format!(" Free{on} instead: {}.", free.join("; "))
}

/// Free cells to take instead: `G8, G9`, `Studio 2 Sat 21 Nov 11:00-12:00`.
#[must_use]
pub fn offer(cells: &Alternative, now: Instant) -> String {
    match cells {
        Alternative::Seats(names) => span_of(names),
        Alternative::Slot { at, .. } => {
            format!("{} {}", at.resource, interval((at.from, at.until), at.wall(), now))
        }
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
    fn of<'s>(slots: impl Iterator<Item = &'s SlotAt>) -> Self {
        let mut slots = slots.map(|at| at.zone);
        let first = slots.next();
        if slots.all(|zone| Some(zone) == first) { Self::One } else { Self::Several }
    }

    fn named(self, at: &SlotAt) -> String {
        match self {
            Self::One => String::new(),
            Self::Several => format!(" {}", at.zone),
        }
    }
}
