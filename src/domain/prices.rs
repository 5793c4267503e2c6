//! Prices of time by rule: the first rule of a list that fits a segment prices it, and the line keeps each part.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use crate::domain::money::{self, Currency, MoneyError, Price, parse_amount};
use crate::domain::refusal::{PriceRefusal, Refusal};
use crate::domain::resource::{OpenHours, Resource};
use crate::domain::text::clean;
use crate::domain::time::{DayCells, Grid, Instant, Slot, common, parse_date};

mod night;

pub use night::of_night;

/// Price of a segment where some conditions hold: `Weekend, Fri-Sun, for studio: EUR 14.00`.
///
/// Of several conditions of one sort any has to hold, and of each sort one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceRule {
    pub name: String,
    /// Weekdays, first to last.
    days: Vec<(Weekday, Weekday)>,
    /// Dates, first to last.
    dates: Vec<(NaiveDate, NaiveDate)>,
    /// Hours of the day; those past midnight belong to the day on which they begin.
    hours: Vec<OpenHours>,
    /// Resources by name or id, or kinds of them; of nights theaters, titles, categories and ticket types.
    of: Vec<String>,
    /// Property of the resource that multiplies the price: `guests`.
    by: Option<String>,
    /// Price of a segment, in each of its currencies.
    prices: Vec<Price>,
}

stored_as_text!(PriceRule);

/// Neighbouring segments at one price by one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricePart {
    /// Name of the rule; none for the resource's own price.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    pub slot: Slot,
    /// Price of a segment, in minor units.
    pub each: i64,
    /// Number of segments.
    pub count: u32,
}

/// The segments of some slots, in order.
pub fn segments(grid: Grid, slots: &[Slot]) -> impl Iterator<Item = Slot> {
    slots.iter().flat_map(move |slot| grid.split(*slot)).flat_map(move |cells: DayCells| {
        let one = move |cell| grid.slot_of(DayCells { date: cells.date, from: cell, to: cell }).ok();
        (cells.from..=cells.to).filter_map(one)
    })
}

/// Price of some parts, in minor units.
pub fn total(parts: &[PricePart]) -> Result<i64, MoneyError> {
    let each: Result<Vec<i64>, MoneyError> = parts.iter().map(|part| money::times(part.each, part.count)).collect();
    money::sum(each?)
}

/// Parts of a price within some slots.
pub fn within(parts: &[PricePart], grid: Grid, slots: &[Slot]) -> Vec<PricePart> {
    let of =
        |part: &PricePart| common(&[part.slot], slots).into_iter().map(|slot| (part.clone(), slot)).collect::<Vec<_>>();
    let each = parts.iter().flat_map(of);
    each.map(|(part, slot)| PricePart { slot, count: grid.segments(slot), ..part }).collect()
}

impl Resource {
    /// Rules that fit a segment, in their order.
    pub fn fitting<'r>(&self, rules: &'r [PriceRule], segment: Slot) -> impl Iterator<Item = &'r PriceRule> {
        rules.iter().filter(move |rule| rule.fits(self, segment))
    }

    /// Works out the price of some slots by the rules of its list, or by its own price where none fits.
    ///
    /// The currency is the one known so far, or else the usual one where the first price has it.
    pub fn worked(
        &self,
        (rules, slots): (&[PriceRule], &[Slot]),
        currency: &mut Option<Currency>,
        usual: Currency,
    ) -> Result<Vec<PricePart>, Refusal> {
        let mut parts: Vec<PricePart> = Vec::new();
        for segment in segments(self.grid, slots) {
            let (rule, each) = match self.fitting(rules, segment).next() {
                Some(rule) => (rule.name.as_str(), rule.price(self, currency, usual)?),
                None => ("", self.own_price(segment, currency, usual)?),
            };
            match parts.last_mut() {
                Some(last) if last.rule == rule && last.each == each && last.slot.until() == segment.from() => {
                    last.slot = Slot::new(last.slot.from(), segment.until()).unwrap_or(last.slot);
                    last.count += 1;
                }
                _ => parts.push(PricePart { rule: rule.to_owned(), slot: segment, each, count: 1 }),
            }
        }
        Ok(parts)
    }

    /// Own price of a segment; nothing without one, unless a list was to price it.
    fn own_price(&self, segment: Slot, known: &mut Option<Currency>, usual: Currency) -> Result<i64, Refusal> {
        let Some(price) = self.price else {
            known.get_or_insert(usual);
            let (resource, list) = (self.name.clone(), self.prices.clone().unwrap_or_default());
            let none = PriceRefusal::NoRuleFits { resource, list, from: segment.from(), zone: self.zone() };
            return if self.prices.is_none() { Ok(0) } else { Err(none.into()) };
        };
        let cart = *known.get_or_insert(price.currency);
        let other = Refusal::OtherCurrency { cart, performance: price.currency };
        if cart == price.currency { Ok(price.minor) } else { Err(other) }
    }
}

impl PriceRule {
    fn fits(&self, resource: &Resource, segment: Slot) -> bool {
        let names = [resource.name.as_str(), &resource.kind, resource.id.as_str()];
        let is_of = |of: &String| names.iter().any(|name| name.eq_ignore_ascii_case(of));
        let is_named = self.of.is_empty() || self.of.iter().any(is_of);
        is_named && self.is_at(resource.grid, (segment.from(), resource.day_of(segment.from())))
    }

    /// Returns whether weekdays, dates and hours allow a time, which belongs to a day.
    fn is_at(&self, grid: Grid, (at, day): (Instant, NaiveDate)) -> bool {
        if self.hours.is_empty() {
            return self.is_on(day);
        }
        let date = grid.day_at(at).date;
        let days = [Some(date), date.pred_opt()].into_iter().flatten().filter(|date| self.is_on(*date));
        let has = |date| self.hours.iter().filter_map(|hours| hours.on(grid, date)).any(|open| open.has(at));
        days.into_iter().any(has)
    }

    /// Returns whether weekdays and dates allow a day.
    fn is_on(&self, date: NaiveDate) -> bool {
        let after = |from: Weekday, day: Weekday| (7 + day.num_days_from_monday() - from.num_days_from_monday()) % 7;
        let in_week = |(from, last): &(Weekday, Weekday)| after(*from, date.weekday()) <= after(*from, *last);
        let in_dates = |(from, last): &(NaiveDate, NaiveDate)| (*from..=*last).contains(&date);
        (self.days.is_empty() || self.days.iter().any(in_week))
            && (self.dates.is_empty() || self.dates.iter().any(in_dates))
    }

    /// Price of a segment of a resource, in the currency known so far.
    fn price(&self, resource: &Resource, known: &mut Option<Currency>, usual: Currency) -> Result<i64, Refusal> {
        let price_in = |currency| self.prices.iter().find(|price| price.currency == currency);
        let found = match *known {
            Some(currency) => price_in(currency),
            None => price_in(usual).or_else(|| self.prices.first()),
        };
        let Some(price) = found else {
            let currencies = self.prices.iter().map(|price| price.currency).collect();
            let (rule, wanted) = (self.name.clone(), known.unwrap_or(usual));
            return Err(PriceRefusal::NotInCurrency { rule, wanted, currencies }.into());
        };
        *known = Some(price.currency);
        let Some(by) = &self.by else {
            return Ok(price.minor);
        };
        let number = resource.properties.get(by).and_then(|value| value.parse().ok());
        let lacks =
            PriceRefusal::RuleLacks { rule: self.name.clone(), resource: resource.name.clone(), needs: by.clone() };
        let number: u32 = number.ok_or(lacks)?;
        money::times(price.minor, number).map_err(|error| Refusal::unread("price", &error))
    }

    /// Adds a condition as it is typed.
    fn add(&mut self, text: &str) -> Result<(), String> {
        let pair = |text: &str, sign: &str| match text.split_once(sign) {
            Some((from, last)) => (from.trim().to_owned(), last.trim().to_owned()),
            None => (text.to_owned(), text.to_owned()),
        };
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (days, dates) = (pair(text, "-"), pair(text, ".."));
        if word.eq_ignore_ascii_case("for") || word.eq_ignore_ascii_case("by") {
            let rest = clean(rest);
            if rest.is_empty() {
                return Err(format!("{} lacks the name after {word:?}; write it like \"{word} guests\"", self.name));
            }
            if word.eq_ignore_ascii_case("for") { self.of.push(rest) } else { self.by = Some(rest.to_lowercase()) }
        } else if let (Ok(from), Ok(last)) = (days.0.parse(), days.1.parse()) {
            self.days.push((from, last));
        } else if let (Ok(from), Ok(last)) = (parse_date(&dates.0), parse_date(&dates.1)) {
            if from > last {
                return Err(format!("{}: {text:?} ends before it begins", self.name));
            }
            self.dates.push((from, last));
        } else if let Ok(hours) = OpenHours::parse(text) {
            self.hours.push(hours);
        } else {
            let like = "write Fri-Sun, 2027-06-01..2027-08-31, 18:00-02:00, for room, or by guests";
            return Err(format!("{}: {text:?} is no condition; {like}", self.name));
        }
        Ok(())
    }
}

impl FromStr for PriceRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (conditions, prices) = text
            .rsplit_once(':')
            .filter(|(_, after)| !after.starts_with(|next: char| next.is_ascii_digit()))
            .unwrap_or((text, ""));
        let mut conditions = conditions.split(',').map(clean);
        let name = conditions.next().filter(|name| !name.is_empty());
        let name = name.ok_or("a rule needs a name; write it like \"Weekend, Fri-Sun: EUR 14.00\"")?;
        let mut rule = Self {
            name,
            days: Vec::new(),
            dates: Vec::new(),
            hours: Vec::new(),
            of: Vec::new(),
            by: None,
            prices: Vec::new(),
        };
        for condition in conditions {
            rule.add(&condition)?;
        }
        for price in prices.split(',').map(clean).filter(|price| !price.is_empty()) {
            let name = &rule.name;
            let (code, amount) =
                price.split_once(' ').ok_or_else(|| format!("{name}: {price:?} names no currency; write EUR 14.00"))?;
            let wrong = |error: MoneyError| format!("{name}: {error}");
            let currency: Currency = code.parse().map_err(wrong)?;
            let minor = parse_amount(amount, currency).map_err(wrong)?;
            if rule.prices.iter().any(|known| known.currency == currency) {
                return Err(format!("{name} has two prices in {currency}; give one"));
            }
            rule.prices.push(Price { minor, currency });
        }
        if rule.prices.is_empty() {
            return Err(format!("{} lacks a price; write it like \"{0}: EUR 14.00\"", rule.name));
        }
        Ok(rule)
    }
}

impl fmt::Display for PriceRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn range<T: fmt::Display + PartialEq>((from, last): &(T, T), sign: &str) -> String {
            if from == last { from.to_string() } else { format!("{from}{sign}{last}") }
        }
        let days = self.days.iter().map(|days| range(days, "-"));
        let dates = self.dates.iter().map(|dates| range(dates, ".."));
        let hours = self.hours.iter().map(ToString::to_string);
        let names = self.of.iter().map(|of| format!("for {of}")).chain(self.by.iter().map(|by| format!("by {by}")));
        out.write_str(&self.name)?;
        for condition in days.chain(dates).chain(hours).chain(names) {
            write!(out, ", {condition}")?;
        }
        let prices = self
            .prices
            .iter()
            .map(|price| format!("{} {}", price.currency, money::amount(price.minor, price.currency)));
        write!(out, ": {}", prices.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::PriceRule;

    #[test]
    fn rules_read_as_they_print_and_say_by_name_what_they_lack() {
        for text in [
            "Base: EUR 10.00",
            "Weekend, Fri-Sun: EUR 14.00, USD 16.00, BTC 0.00012000",
            "Summer, 2027-06-01..2027-08-31, 2027-12-24, for hotel-room, by guests: EUR 14.00",
            "Late, Fri, Sat, 18:00-02:00: JPY 500",
        ] {
            assert_eq!(text.parse::<PriceRule>().unwrap().to_string(), text);
        }
        for (text, why) in [
            ("Weekend, Fri-Sun", "Weekend lacks a price"),
            ("Weekend:", "Weekend lacks a price"),
            ("Late, 18:00-02:00", "Late lacks a price"),
            (": EUR 1", "needs a name"),
            ("Family, by: EUR 1", "Family lacks the name after \"by\""),
            ("Family, for : EUR 1", "Family lacks the name after \"for\""),
            ("Odd, Fri-Moon: EUR 1", "Odd: \"Fri-Moon\" is no condition"),
            ("Odd, 2027-09-01..2027-06-01: EUR 1", "ends before it begins"),
            ("Odd: 14", "names no currency"),
            ("Odd: XXX 14", "Odd: \"XXX\" is not a currency"),
            ("Odd: EUR -1", "below zero"),
            ("Odd: EUR 1.001", "more decimals"),
            ("Odd: EUR 1, EUR 2", "two prices in EUR"),
        ] {
            let said = text.parse::<PriceRule>().unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
