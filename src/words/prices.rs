//! Wording of prices by rule.

use crate::domain::money::{Currency, priced};
use crate::domain::prices::PricePart;
use crate::domain::refusal::PriceRefusal;
use crate::domain::time::Wall;

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
    }
}

/// Part of a price: `Weekend Fri 4 Dec 2026 18:00-20:00, 2 x EUR 14.00`.
#[must_use]
pub fn part(part: &PricePart, wall: Wall, currency: Currency) -> String {
    let rule = if part.rule.is_empty() { "own price" } else { &part.rule };
    format!("{rule} {}, {} x {}", part.slot.dated(wall), part.count, priced(part.each, currency))
}
