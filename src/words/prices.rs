//! Wording of prices by rule.

use crate::domain::money::{Currency, priced};
use crate::domain::prices::PricePart;
use crate::domain::refusal::PriceRefusal;
use crate::domain::time::{Instant, Local, Wall};
use crate::engine::ops::{PricedNight, PricesChanged};
use crate::words;

pub(super) fn refusal(refusal: &PriceRefusal) -> String {
    match refusal {
        PriceRefusal::RuleLacks { rule, resource, needs } => format!(
            "{rule} needs {needs}, a number that {resource} does not have. Set it: willcall resource change {resource:?} --set {needs}=2."
        ),
        PriceRefusal::NoRuleFits { resource, list, from, zone } => format!(
            "No rule of {list} fits {resource} at {}. Add one without conditions at its end, or give {resource} a price.",
            from.format(*zone, "%a %-d %b %Y %H:%M")
        ),
        PriceRefusal::NotInCurrency { rule, wanted, currencies } => {
            let known: Vec<String> = currencies.iter().map(ToString::to_string).collect();
            format!("{rule} has no price in {wanted}. It has one in {}.", known.join(", "))
        }
        PriceRefusal::ListInUse { list, resources } => {
            format!("{list} prices {}. Give them another list first.", resources.join(", "))
        }
        PriceRefusal::UsualType { ticket_type } => {
            format!("{ticket_type} is meant where nobody names a type, and keeps its name. Choose another type.")
        }
    }
}

/// Part of a price: `Weekend Fri 4 Dec 2026 18:00-20:00, 2 x EUR 14.00`.
#[must_use]
pub fn part(part: &PricePart, wall: Wall, currency: Currency) -> String {
    let rule = if part.rule.is_empty() { "own price" } else { &part.rule };
    format!("{rule} {}, {} x {}", part.slot.dated(wall), part.count, priced(part.each, currency))
}

/// Extent of an act on prices, a line for each sort of thing.
#[must_use]
pub fn changed(done: &PricesChanged, now: Instant) -> Vec<String> {
    let night =
        |one: &PricedNight| format!("{} {}", one.title, words::day_time(one.start, Local { now, zone: one.zone }));
    let nights = |all: &[PricedNight]| {
        let names: Vec<String> = all.iter().map(night).collect();
        format!("{}: {}", words::count(all.len(), "performance"), words::list(&names))
    };
    let mut lines = Vec::new();
    for (names, of) in [(&done.lists, "Lists"), (&done.settings, "Settings"), (&done.resources, "Resources")] {
        lines.extend((!names.is_empty()).then(|| format!("{of}: {}", words::list(names))));
    }
    lines.extend((!done.nights.is_empty()).then(|| nights(&done.nights)));
    lines.extend(
        (!done.kept.is_empty()).then(|| format!("Left as they are, for somebody has seats: {}", nights(&done.kept))),
    );
    if lines.is_empty() {
        lines.push("Nothing changes.".to_owned());
    }
    lines
}
