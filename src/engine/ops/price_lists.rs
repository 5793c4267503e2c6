//! Price lists of the house: found by name, and applied to nights.

use crate::domain::house::Settings;
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::Plan;
use crate::domain::prices::{PriceRule, of_night};
use crate::domain::refusal::Refusal;
use crate::engine::work::{Failure, UnitOfWork};

/// Refuses a list that the house does not have.
pub(super) fn known<'s>(settings: &'s Settings, list: &str) -> Result<(&'s str, &'s [PriceRule]), Refusal> {
    let found = settings.prices.get_key_value(list.trim());
    let found = found.map(|(list, rules)| (list.as_str(), rules.as_slice()));
    found.ok_or_else(|| Refusal::none_of("price list", list, settings.prices.keys()))
}

/// Adds a list's prices for the seats and ticket types without a price of their own.
pub(super) fn fill(
    work: &mut UnitOfWork<'_>,
    (night, theater): (&mut Performance, &Theater),
    list: &str,
) -> Result<(), Failure> {
    let (settings, seating) = (work.settings()?, work.seating(night.plan)?);
    Ok(add(known(&settings, list)?, (night, theater), &seating.plan)?)
}

/// Adds the prices of rules, as [`fill`] does.
pub(super) fn add(
    list: (&str, &[PriceRule]),
    (night, theater): (&mut Performance, &Theater),
    plan: &Plan,
) -> Result<(), Refusal> {
    for price in of_night(list, (night, theater), plan)? {
        if !night.prices.iter().any(|own| own.is_for_the_same(&price)) {
            night.prices.push(price);
        }
    }
    Ok(())
}
