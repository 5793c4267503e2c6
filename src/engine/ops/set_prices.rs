//! Price lists of the house.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::performance::{Performance, Theater};
use crate::domain::prices::{PriceRule, of_night};
use crate::domain::refusal::{PriceRefusal, Refusal};
use crate::domain::resource::Resource;
use crate::engine::ops::texts::named;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most rules of a list.
const RULES_MAX: usize = 100;

/// Sets the rules of a price list, in their order; without rules it goes. Stamped prices stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPrices {
    pub list: String,
    pub rules: Vec<PriceRule>,
}

impl Operation for SetPrices {
    const VERB: &'static str = "set_prices";
    type Answer = Settings;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Settings, Failure> {
        let list = named("prices", &self.list)?;
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        for (place, rule) in self.rules.iter().enumerate() {
            if place >= RULES_MAX {
                return Err(Refusal::unread("rules", &format!("a list has at most {RULES_MAX}")).into());
            }
            if self.rules.iter().take(place).any(|before| before.name.eq_ignore_ascii_case(&rule.name)) {
                let twice = format!("{} stands twice; a price is told by the name of its rule", rule.name);
                return Err(Refusal::unread("rules", &twice).into());
            }
        }
        if self.rules.is_empty() {
            let known = settings.prices.remove(&list);
            known.ok_or_else(|| Refusal::none_of("price list", &list, settings.prices.keys()))?;
            unused(work, &list)?;
        } else {
            settings.prices.insert(list, self.rules.clone());
        }
        work.put(&settings)?;
        Ok(settings)
    }
}

/// Refuses a list that the house does not have.
pub(super) fn known<'s>(settings: &'s Settings, list: &str) -> Result<(&'s str, &'s [PriceRule]), Refusal> {
    let found = settings.prices.get_key_value(list.trim());
    let found = found.map(|(list, rules)| (list.as_str(), rules.as_slice()));
    found.ok_or_else(|| Refusal::none_of("price list", list, settings.prices.keys()))
}

/// Prices by a list what a night has no price for.
pub(super) fn fill(
    work: &mut UnitOfWork<'_>,
    (night, theater): (&mut Performance, &Theater),
    list: &str,
) -> Result<(), Failure> {
    let (settings, seating) = (work.settings()?, work.seating(night.plan)?);
    for price in of_night(known(&settings, list)?, (night, theater), &seating.plan)? {
        if !night.prices.iter().any(|own| own.is_for_the_same(&price)) {
            night.prices.push(price);
        }
    }
    Ok(())
}

fn unused(work: &mut UnitOfWork<'_>, list: &str) -> Result<(), Failure> {
    let all = work.select::<Resource>("ORDER BY key", &[])?;
    let priced = all.into_iter().filter(|one| one.prices.as_deref() == Some(list)).map(|one| one.name);
    let resources: Vec<String> = priced.collect();
    let list = list.to_owned();
    if resources.is_empty() { Ok(()) } else { Err(Refusal::from(PriceRefusal::ListInUse { list, resources }).into()) }
}
