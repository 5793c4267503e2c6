//! Price lists of the house.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::prices::PriceRule;
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

fn unused(work: &mut UnitOfWork<'_>, list: &str) -> Result<(), Failure> {
    let all = work.select::<Resource>("ORDER BY key", &[])?;
    let priced = all.into_iter().filter(|one| one.prices.as_deref() == Some(list)).map(|one| one.name);
    let resources: Vec<String> = priced.collect();
    let list = list.to_owned();
    if resources.is_empty() { Ok(()) } else { Err(Refusal::from(PriceRefusal::ListInUse { list, resources }).into()) }
}
