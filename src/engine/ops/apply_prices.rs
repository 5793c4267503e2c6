//! Price lists applied again to nights to come, and lists and ticket types under another name.

use std::sync::Arc;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::ids::PerformanceId;
use crate::domain::performance::{ADULT, Performance, PerformanceState, Theater, TicketPrice};
use crate::domain::refusal::{ChangeRefusal, PriceRefusal, Refusal};
use crate::domain::resource::Resource;
use crate::domain::time::Instant;
use crate::engine::ops::price_lists::{fill, known};
use crate::engine::ops::texts::named;
use crate::engine::ops::{seats, sold_types};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Prices the nights to come of a list by its rules as they are now. Prices of their own stay, and so do all prices of a night
/// that somebody has seats of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplyPrices {
    pub list: String,
}

/// Gives a price list or a ticket type another name, wherever it is used from now on. What is held or sold keeps its words,
/// and so does a night on which somebody has seats as the type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenamePrices {
    pub what: NamedOfPrices,
    pub from: String,
    pub to: String,
}

/// Kind of name that prices have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedOfPrices {
    List,
    TicketType,
}

/// Extent of an act on prices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricesChanged {
    /// Lists with a rule that is changed.
    pub lists: Vec<String>,
    /// Settings that have the new name beside the old one, by their words.
    pub settings: Vec<String>,
    /// Resources that are priced by the list.
    pub resources: Vec<String>,
    pub nights: Vec<PricedNight>,
    /// Nights that stay as they are, for somebody has seats.
    pub kept: Vec<PricedNight>,
}

/// Performance in an act on prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricedNight {
    pub performance: PerformanceId,
    pub title: String,
    pub start: Instant,
    pub zone: Tz,
}

impl Operation for ApplyPrices {
    const VERB: &'static str = "apply_prices";
    type Answer = PricesChanged;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<PricesChanged, Failure> {
        let settings = work.settings()?;
        let (list, _) = known(&settings, &self.list)?;
        let is_own = |price: &TicketPrice| price.list.as_deref() != Some(list);
        let mut done = PricesChanged::default();
        for before in to_come(work)? {
            if before.prices.iter().all(is_own) {
                continue;
            }
            let theater: Theater = work.get(before.theater)?;
            let mut after = before.clone();
            after.prices.retain(is_own);
            fill(work, (&mut after, &theater), list)?;
            let is_same = after.prices.len() == before.prices.len()
                && after.prices.iter().all(|price| before.prices.contains(price));
            if is_same {
                continue;
            }
            if is_taken(work, &before)? {
                done.kept.push(PricedNight::of(&before, &theater));
            } else {
                work.put(&after)?;
                done.nights.push(PricedNight::of(&before, &theater));
            }
        }
        Ok(done)
    }
}

impl Operation for RenamePrices {
    const VERB: &'static str = "rename_prices";
    type Answer = PricesChanged;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<PricesChanged, Failure> {
        let to = named("to", &self.to)?;
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let done = match self.what {
            NamedOfPrices::List => self.rename_list(work, &mut settings, &to)?,
            NamedOfPrices::TicketType => self.rename_type(work, &mut settings, &to)?,
        };
        work.put(&settings)?;
        Ok(done)
    }
}

impl RenamePrices {
    fn rename_list(
        &self,
        work: &mut UnitOfWork<'_>,
        settings: &mut Settings,
        to: &str,
    ) -> Result<PricesChanged, Failure> {
        let (list, rules) = known(settings, &self.from)?;
        let (list, rules) = (list.to_owned(), rules.to_vec());
        if settings.prices.contains_key(to) {
            return Err(Refusal::Exists { what: "price list".to_owned(), name: to.to_owned() }.into());
        }
        settings.prices.remove(&list);
        settings.prices.insert(to.to_owned(), rules);
        let mut done = PricesChanged { lists: vec![to.to_owned()], ..PricesChanged::default() };
        for resource in work.select::<Resource>("ORDER BY key", &[])? {
            if resource.prices.as_deref() == Some(&*list) {
                work.put(&Resource { prices: Some(to.to_owned()), ..resource.clone() })?;
                done.resources.push(resource.name);
            }
        }
        for mut night in to_come(work)? {
            let mut renamed = false;
            for price in night.prices.iter_mut().filter(|price| price.list.as_deref() == Some(&*list)) {
                price.list = Some(to.to_owned());
                renamed = true;
            }
            if renamed {
                work.put(&night)?;
                let theater = work.get(night.theater)?;
                done.nights.push(PricedNight::of(&night, &theater));
            }
        }
        Ok(done)
    }

    fn rename_type(
        &self,
        work: &mut UnitOfWork<'_>,
        settings: &mut Settings,
        to: &str,
    ) -> Result<PricesChanged, Failure> {
        let from = self.from.trim();
        let is_usual = |name: &str| name.eq_ignore_ascii_case(ADULT);
        if is_usual(from) || is_usual(to) {
            return Err(Refusal::from(PriceRefusal::UsualType { ticket_type: ADULT.to_owned() }).into());
        }
        let mut done = PricesChanged::default();
        for (list, rules) in &mut settings.prices {
            let mut renamed = false;
            for rule in rules {
                renamed |= rule.rename_type(from, to);
            }
            if renamed {
                done.lists.push(list.clone());
            }
        }
        if settings.is_comp(from) && !settings.is_comp(to) {
            settings.comps.push(to.to_owned());
            done.settings.push("comps".to_owned());
        }
        if settings.tax_rates.name_too(from, to) {
            done.settings.push("tax.rates".to_owned());
        }
        let mut known: Vec<String> = Vec::new();
        for before in to_come(work)? {
            known.extend(before.ticket_types(None::<u16>).into_iter().map(str::to_owned));
            self.rename_in(work, (before, to), &mut done)?;
        }
        known.sort();
        known.dedup();
        if done == PricesChanged::default() {
            return Err(Refusal::none_of("ticket type", from, known.iter()).into());
        }
        Ok(done)
    }

    /// Gives the type its new name on a night, unless somebody has seats as it.
    fn rename_in(
        &self,
        work: &mut UnitOfWork<'_>,
        (before, to): (Performance, &str),
        done: &mut PricesChanged,
    ) -> Result<(), Failure> {
        let from = self.from.trim();
        if before.ticket_type(from).is_none() {
            return Ok(());
        }
        if before.ticket_type(to).is_some_and(|other| !other.eq_ignore_ascii_case(from)) {
            return Err(Refusal::Exists { what: "ticket type".to_owned(), name: to.to_owned() }.into());
        }
        let theater = work.get(before.theater)?;
        let night = PricedNight::of(&before, &theater);
        let mut after = before.clone();
        for price in &mut after.prices {
            price.ticket_type =
                price.ticket_type.take().map(|one| if one.eq_ignore_ascii_case(from) { to.to_owned() } else { one });
        }
        match sold_types::stay(work, (&before, &after)) {
            Err(Failure::Refused(Refusal::Change(ChangeRefusal::TypeStays { .. }))) => done.kept.push(night),
            other => {
                other?;
                work.put(&after)?;
                done.nights.push(night);
            }
        }
        Ok(())
    }
}

impl PricedNight {
    fn of(night: &Performance, theater: &Theater) -> Self {
        let Performance { id, title, start, .. } = night;
        Self { performance: *id, title: title.clone(), start: *start, zone: theater.time_zone }
    }
}

/// Performances that have not started, by start.
fn to_come(work: &mut UnitOfWork<'_>) -> Result<Vec<Performance>, Failure> {
    let now = work.now().millis();
    let all = work.select("WHERE start_at > $1 ORDER BY start_at, key", &[now.into()])?;
    Ok(all.into_iter().filter(|one: &Performance| one.state == PerformanceState::Open).collect())
}

/// Returns whether somebody has seats of a night.
fn is_taken(work: &mut UnitOfWork<'_>, night: &Performance) -> Result<bool, Failure> {
    let seating = work.seating(night.plan)?;
    let rows = seats::all_chunks(work, &seating, night)?;
    Ok(sold_types::held(&rows, work.late_at()).next().is_some())
}
