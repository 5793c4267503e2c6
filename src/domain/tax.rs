//! Tax that prices include: rates by ticket type and resource, and the tax of a receipt by rate.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Parts of a whole: a rate counts in hundredths of a percent.
const WHOLE: i128 = 10_000;

/// A rate, in hundredths of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate(u32);

/// Rates by ticket type, resource or kind of resource; the one without a name is for all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rates(Vec<(String, Rate)>);

stored_as_text!(Rates);

/// Part of a receipt that is taxed at one rate, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taxed {
    pub rate: Rate,
    /// The price, with its tax.
    pub gross: i64,
    pub tax: i64,
}

impl Rate {
    /// Tax within a price, in minor units, half up; the same for money that goes back.
    pub fn within(self, gross: i64) -> i64 {
        let (rate, size) = (i128::from(self.0), i128::from(gross.unsigned_abs()));
        let tax = (2 * size * rate + WHOLE + rate) / (2 * (WHOLE + rate));
        i64::try_from(tax).unwrap_or(i64::MAX) * gross.signum()
    }
}

impl Rates {
    /// Returns whether nothing is taxed.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives the rate of a name to another one too; returns whether there is one.
    pub fn name_too(&mut self, from: &str, to: &str) -> bool {
        let named = |name: &str| self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let rate = named(from).filter(|_| named(to).is_none()).map(|(_, rate)| *rate);
        self.0.extend(rate.map(|rate| (to.to_owned(), rate)));
        rate.is_some()
    }

    /// Rate of the first of some names that has one, or that of all others.
    pub fn of(&self, names: &[&str]) -> Option<Rate> {
        let rate_of = |name: &str| self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let found = names.iter().filter(|name| !name.is_empty()).find_map(|name| rate_of(name));
        found.or_else(|| rate_of("")).map(|(_, rate)| *rate)
    }
}

/// Sums amounts by rate, and computes the tax of each sum.
pub fn taxed(amounts: impl IntoIterator<Item = (Rate, i64)>) -> Vec<Taxed> {
    let mut sums: Vec<Taxed> = Vec::new();
    for (rate, minor) in amounts {
        match sums.iter_mut().find(|one| one.rate == rate) {
            Some(known) => known.gross += minor,
            None => sums.push(Taxed { rate, gross: minor, tax: 0 }),
        }
    }
    sums.retain(|one| one.gross != 0);
    sums.sort_by_key(|one| one.rate);
    for sum in &mut sums {
        sum.tax = sum.rate.within(sum.gross);
    }
    sums
}

/// Shares an amount among rates by the gross of each; the largest has what does not divide. The part of what has no rate is
/// left out.
pub fn shared(minor: i64, by: impl IntoIterator<Item = (Option<Rate>, i64)>) -> impl Iterator<Item = (Rate, i64)> {
    let mut parts: BTreeMap<Option<Rate>, i64> = BTreeMap::new();
    for (rate, gross) in by {
        *parts.entry(rate).or_default() += gross;
    }
    let whole = i128::from(parts.values().sum::<i64>()).max(1);
    let largest = parts.iter().max_by_key(|(_, gross)| **gross).map(|(rate, _)| *rate);
    let mut rest = minor;
    for part in parts.values_mut() {
        *part = i64::try_from(i128::from(minor) * i128::from(*part) / whole).unwrap_or_default();
        rest -= *part;
    }
    if let Some(part) = largest.and_then(|rate| parts.get_mut(&rate)) {
        *part += rest;
    }
    parts.into_iter().filter_map(|(rate, part)| rate.zip(Some(part)))
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        match part {
            0 => write!(out, "{whole}"),
            part if part.is_multiple_of(10) => write!(out, "{whole}.{}", part / 10),
            part => write!(out, "{whole}.{part:02}"),
        }
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.trim().trim_end_matches('%').trim_end();
        let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let hundredths = format!("{whole}{part:0<2}").parse().ok();
        hundredths
            .filter(|_| !whole.is_empty() && digits(whole) && digits(part) && part.len() <= 2)
            .filter(|hundredths: &u32| i128::from(*hundredths) <= WHOLE)
            .map(Self)
            .ok_or_else(|| format!("{text:?} is no rate; write it like 7 or 7.75, at most 100"))
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, rate)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let equals = if name.is_empty() { "" } else { "=" };
            write!(out, "{comma}{name}{equals}{rate}")?;
        }
        Ok(())
    }
}

impl FromStr for Rates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rates: Vec<(String, Rate)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, rate) = part.rsplit_once('=').unwrap_or(("", part));
            let name = crate::domain::text::clean(name);
            if rates.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                return Err(format!("{part:?} comes after another rate of the same; give each once"));
            }
            rates.push((name, rate.parse()?));
        }
        Ok(Self(rates))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rate, Rates, shared, taxed};

    #[test]
    fn a_rate_is_found_by_name_and_written_as_it_was_read() {
        let rates: Rates = "Adult=7, Child = 7.5%, room=19, 20".parse().unwrap();
        assert_eq!(rates.to_string(), "Adult=7, Child=7.5, room=19, 20");
        assert_eq!(rates.of(&["adult"]), Some(Rate(700)));
        assert_eq!(rates.of(&["Room 7", "room"]), Some(Rate(1900)), "by name first, then by kind");
        assert_eq!(rates.of(&["Senior"]), Some(Rate(2000)));
        assert_eq!(Rates::default().of(&["Senior"]), None);
        for wrong in ["Adult=x", "Adult=-7", "7.123", "101", "Adult=", "Adult=7, adult=8"] {
            assert!(wrong.parse::<Rates>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn tax_is_rounded_half_up_and_of_the_sum_by_rate() {
        let rate: Rate = "7".parse().unwrap();
        assert_eq!(rate.within(3000), 196, "196.26");
        assert_eq!((Rate(2500).within(2), Rate(10_000).within(1), Rate(0).within(999)), (0, 1, 0));
        let [sum] = taxed([(rate, 1000), (rate, 1000), (rate, 1000)])[..] else { unreachable!("one rate") };
        assert_eq!((sum.gross, sum.tax), (3000, 196), "three times 65 would be 195");
    }

    #[test]
    fn an_amount_is_shared_by_gross_and_the_largest_has_the_rest() {
        let (low, high) = (Rate(700), Rate(2000));
        let by = |minor, parts: &[(Option<Rate>, i64)]| shared(minor, parts.to_vec()).collect::<Vec<_>>();
        let sold = [(Some(high), 1000), (Some(low), 500), (Some(low), 1500)];
        assert_eq!(by(-3000, &sold), [(low, -2000), (high, -1000)]);
        assert_eq!(by(100, &sold), [(low, 67), (high, 33)], "66.67 and 33.33");
        assert_eq!(by(100, &[(None, 500), (Some(low), 1500)]), [(low, 75)]);
        assert_eq!(by(200, &[(Some(low), 0)]), [(low, 200)], "a fee on what cost nothing");
        assert_eq!(by(200, &[]), []);
    }

    proptest! {
        #[test]
        fn what_goes_back_has_the_tax_of_what_came_in(rate in 0..=10_000_u32, gross in 0..1_000_000_000_000_i64) {
            let tax = Rate(rate).within(gross);
            prop_assert_eq!(Rate(rate).within(-gross), -tax);
            let exact = i128::from(gross) * i128::from(rate);
            let off = i128::from(tax) * i128::from(10_000 + rate) - exact;
            prop_assert!(2 * off.abs() <= i128::from(10_000 + rate));
        }
    }
}
