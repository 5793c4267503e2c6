//! Explanation of a price: the rules that made it, part by part.

use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::prices::{self, PricePart};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Works out what time of a resource would cost now, as a line would be stamped.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadPrice {
    pub resource: ResourceId,
    pub slot: Slot,
    /// Currency of the cart; the house's, or the first of the rule, if none.
    #[serde(default)]
    pub currency: Option<Currency>,
}

/// A worked price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkedPrice {
    pub currency: Currency,
    pub parts: Vec<ExplainedPart>,
    /// In minor units.
    pub total: i64,
}

/// Part of a worked price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedPart {
    #[serde(flatten)]
    pub part: PricePart,
    /// Later rules that fit too, and did not count.
    pub also: Vec<String>,
}

impl Question for ReadPrice {
    type Answer = WorkedPrice;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<WorkedPrice, Failure> {
        let settings = snapshot.settings()?;
        let resource: Resource = snapshot.get(&self.resource)?;
        let (rules, mut currency) = (settings.price_rules(&resource), self.currency);
        let core = resource.grid.normalise(self.slot);
        let parts = resource.worked((rules, &[core]), &mut currency, settings.currency)?;
        let total = prices::total(&parts)?;
        let also = |part: &PricePart| {
            let mut names: Vec<String> = Vec::new();
            for segment in prices::segments(resource.grid, &[part.slot]) {
                for rule in resource.fitting(rules, segment).filter(|rule| rule.name != part.rule) {
                    if !names.contains(&rule.name) {
                        names.push(rule.name.clone());
                    }
                }
            }
            names
        };
        let parts = parts.into_iter().map(|part| ExplainedPart { also: also(&part), part }).collect();
        Ok(WorkedPrice { currency: currency.unwrap_or(settings.currency), parts, total })
    }
}
