//! Prices of a night by rule: of what each rule is for, the first that fits its start.

use crate::domain::money::Currency;
use crate::domain::performance::{Performance, Theater, TicketPrice};
use crate::domain::plan::Plan;
use crate::domain::prices::PriceRule;
use crate::domain::refusal::{PriceRefusal, Refusal};
use crate::domain::time::{Grid, Segment};

/// Works out the prices of a night by a list, at its start in its theater.
///
/// A rule is for the theater or a title by name, for a category, or for a ticket type of one or of all: `Stalls`,
/// `Stalls/Child`, `*/Child`; without any for every seat. One that multiplies by a property is for resources alone.
///
/// # Errors
/// No rule fits, or the first that fits has no price in the night's currency.
pub fn of_night(
    (list, rules): (&str, &[PriceRule]),
    (night, theater): (&Performance, &Theater),
    plan: &Plan,
) -> Result<Vec<TicketPrice>, Refusal> {
    let grid = Grid { zone: theater.time_zone, segment: Segment::DAY };
    let mut prices: Vec<TicketPrice> = Vec::new();
    let fits = |rule: &&PriceRule| rule.by.is_none() && rule.is_at(grid, (night.start, theater.day_of(night.start)));
    for rule in rules.iter().filter(fits) {
        for mut price in rule.seats((night, theater), plan) {
            let is_before = |one: &TicketPrice| {
                one.is_for_the_same(&TicketPrice { category: one.category.and(price.category), ..price.clone() })
            };
            if !prices.iter().any(is_before) {
                price.minor = rule.of_night(night)?;
                price.list = Some(list.to_owned());
                prices.push(price);
            }
        }
    }
    if prices.is_empty() {
        let (resource, list, from, zone) = (night.title.clone(), list.to_owned(), night.start, theater.time_zone);
        return Err(PriceRefusal::NoRuleFits { resource, list, from, zone }.into());
    }
    Ok(prices)
}

impl PriceRule {
    /// Seats of a night that it is for, without a price.
    fn seats(&self, (night, theater): (&Performance, &Theater), plan: &Plan) -> Vec<TicketPrice> {
        let all = TicketPrice { category: None, ticket_type: None, minor: 0, list: None };
        let of = |name: &String| {
            if [&theater.name, &night.title].iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return Some(all.clone());
            }
            let (category, ticket_type) = match name.rsplit_once('/') {
                Some((category, ticket_type)) => (category.trim(), Some(ticket_type.trim().to_owned())),
                None => (name.as_str(), None),
            };
            if category == "*" {
                return Some(TicketPrice { ticket_type, ..all.clone() });
            }
            let place = plan.categories.iter().position(|known| known.name.eq_ignore_ascii_case(category))?;
            Some(TicketPrice { category: u16::try_from(place).ok(), ticket_type, ..all.clone() })
        };
        if self.of.is_empty() { vec![all] } else { self.of.iter().filter_map(of).collect() }
    }

    /// Gives the ticket type that it is for another name; returns whether it is for it.
    pub fn rename_type(&mut self, from: &str, to: &str) -> bool {
        let mut renamed = false;
        for of in &mut self.of {
            let parts = of.rsplit_once('/').map(|(category, kind)| (category.to_owned(), kind.trim().to_owned()));
            if let Some((category, kind)) = parts
                && kind.eq_ignore_ascii_case(from)
            {
                *of = format!("{category}/{to}");
                renamed = true;
            }
        }
        renamed
    }

    /// Price of a seat, in the currency of the night.
    fn of_night(&self, night: &Performance) -> Result<i64, Refusal> {
        let rule = self.name.clone();
        let price = self.prices.iter().find(|price| price.currency == night.currency);
        let currencies: Vec<Currency> = self.prices.iter().map(|price| price.currency).collect();
        let none = PriceRefusal::NotInCurrency { rule, wanted: night.currency, currencies };
        price.map(|price| price.minor).ok_or_else(|| none.into())
    }
}
