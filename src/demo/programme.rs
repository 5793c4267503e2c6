//! Programme of the demo house, from `assets/demo/programme.toml`.

use std::collections::BTreeMap;

use chrono::{Days, NaiveTime};
use chrono_tz::Tz;
use serde::Deserialize;

use crate::domain::money::{Currency, parse_amount};
use crate::domain::plan::Plan;
use crate::domain::time::{Instant, Span, day_start, local_at, resolve};
use crate::engine::Fault;
use crate::engine::ops::NamedPrice;
use crate::formats::{Strictness, pretix, rows};

/// Least time for sales of the first evening; with less left it starts tomorrow.
const ON_SALE_LEAST: Span = Span::minutes(45);

/// Time of day at which a demo begins.
const EVENING: NaiveTime = NaiveTime::from_hms_opt(18, 0, 0).unwrap();

/// Days after which a finished performance is repeated.
const AGAIN_AFTER: u64 = 6;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Programme {
    pub(super) time_zone: Tz,
    pub(super) currency: Currency,
    hold: String,
    first_evening: String,
    /// Last names of customers.
    pub(super) names: Vec<String>,
    /// Selling stations; one listed twice sells twice as much.
    #[serde(rename = "station")]
    pub(super) stations: Vec<StationEntry>,
    /// The crowd's stations by name, one entry for each customer at once.
    crowd: Vec<String>,
    #[serde(rename = "theater")]
    pub(super) theaters: Vec<TheaterEntry>,
    prices: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>,
    #[serde(rename = "performance")]
    pub(super) performances: Vec<PerformanceEntry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StationEntry {
    pub(super) name: String,
    pub(super) operator: String,
}

/// A theater, its plan, and its broken seats.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TheaterEntry {
    pub(super) name: String,
    plan: String,
    pub(super) broken: Option<Broken>,
}

/// Seats that are out of use in every performance.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Broken {
    pub(super) seats: Vec<String>,
    pub(super) reason: String,
}

/// A performance and its past sales.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PerformanceEntry {
    pub(super) theater: String,
    pub(super) title: String,
    pub(super) description: String,
    day: u64,
    at: String,
    minutes: i64,
    prices: String,
    /// Sold seats, in percent.
    pub(super) sold: u32,
    /// Sizes of groups of neighbouring seats that stay free.
    #[serde(default)]
    pub(super) together: Vec<usize>,
    #[serde(default)]
    pub(super) keeps: Vec<KeepEntry>,
    /// Reason for taking a sold seat out of use.
    pub(super) leak: Option<String>,
    /// Seats of the cart set aside for a customer.
    pub(super) set_aside: Option<usize>,
}

/// Seats that the house keeps: by name, or whole rows of a zone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeepEntry {
    #[serde(default)]
    seats: Vec<String>,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    zone: String,
    pub(super) reason: String,
    before: String,
}

impl Programme {
    pub(super) fn built_in() -> Result<Self, Fault> {
        toml::from_str(include_str!("../../assets/demo/programme.toml")).map_err(broken)
    }

    /// The crowd's stations, one entry for each customer at once.
    pub(super) fn crowd(&self) -> impl Iterator<Item = &StationEntry> {
        let known = |name: &String| self.stations.iter().find(|station| station.name == *name);
        self.crowd.iter().filter_map(known)
    }

    pub(super) fn hold(&self) -> Result<Span, Fault> {
        Span::parse(&self.hold).map_err(broken)
    }

    pub(super) fn prices(&self, of: &PerformanceEntry) -> Result<Vec<NamedPrice>, Fault> {
        let list = self.prices.get(&of.prices).ok_or_else(|| broken(&of.prices))?;
        let mut prices = Vec::new();
        for (category, types) in list {
            for (ticket_type, amount) in types {
                prices.push(NamedPrice {
                    category: (category != "*").then(|| category.clone()),
                    ticket_type: Some(ticket_type.clone()),
                    ..NamedPrice::all(parse_amount(amount, self.currency).map_err(broken)?)
                });
            }
        }
        Ok(prices)
    }

    /// Six in the evening of a time's day: tonight's performances are all ahead.
    pub(super) fn evening(&self, now: Instant) -> Instant {
        let today = now.in_zone(self.time_zone).date_naive();
        local_at(today.and_time(EVENING), self.time_zone)
    }

    /// Start and end of a performance: always in the future, the first one within a day or so.
    pub(super) fn times(&self, of: &PerformanceEntry, now: Instant) -> Result<(Instant, Instant), Fault> {
        let today = now.in_zone(self.time_zone).date_naive();
        let local = |days: u64, at: &str| -> Result<Instant, Fault> {
            let time = NaiveTime::parse_from_str(at, "%H:%M").map_err(broken)?;
            let date = today.checked_add_days(Days::new(days)).unwrap_or(today);
            // where the zone skips this time of day, the start of the day
            Ok(resolve(date.and_time(time), self.time_zone).unwrap_or_else(|_| day_start(date, self.time_zone)))
        };
        let from = now + ON_SALE_LEAST;
        let first = u64::from(local(0, &self.first_evening)? < from);
        let mut start = local(first + of.day, &of.at)?;
        if start < from {
            start = local(first + of.day + AGAIN_AFTER, &of.at)?;
        }
        Ok((start, start + Span::minutes(of.minutes)))
    }
}

impl TheaterEntry {
    pub(super) fn plan(&self) -> Result<Plan, Fault> {
        let file = match self.plan.as_str() {
            "horseshoe.json" => include_bytes!("../../assets/demo/horseshoe.json").as_slice(),
            "studio.json" => include_bytes!("../../assets/demo/studio.json").as_slice(),
            lengths => return rows::parse(lengths).map_err(broken),
        };
        let imported = pretix::import(file, Strictness::Lenient).map_err(broken)?;
        Ok(imported.plan)
    }
}

impl KeepEntry {
    pub(super) fn seats(&self, plan: &Plan) -> Vec<String> {
        let whole = plan
            .rows()
            .filter(|(_, zone, row)| zone.name == self.zone && self.rows.contains(&row.label))
            .flat_map(|(_, _, row)| &row.seats)
            .map(|seat| seat.name.clone());
        self.seats.iter().cloned().chain(whole).collect()
    }

    pub(super) fn until(&self, start: Instant) -> Result<Instant, Fault> {
        Ok(start - Span::parse(&self.before).map_err(broken)?)
    }
}

/// Failure for a built-in programme that cannot be used: only a defect causes it.
fn broken(what: impl std::fmt::Display) -> Fault {
    Fault::Broken(format!("the demo's programme makes no sense: {what}"))
}

#[cfg(test)]
mod tests {
    use super::{PerformanceEntry, Programme};
    use crate::domain::time::{Instant, Span, parse_local};

    fn starts(now: Instant) -> Vec<Instant> {
        let programme = Programme::built_in().unwrap();
        let start = |entry| programme.times(entry, now).unwrap().0;
        programme.performances.iter().map(start).collect()
    }

    #[test]
    fn a_demo_has_a_tonight_and_the_first_of_it_is_the_main_house() {
        let programme = Programme::built_in().unwrap();
        for day in ["2026-11-21", "2026-03-29", "2026-10-25"] {
            for hour in 3..24 {
                let now = parse_local(&format!("{day}T{hour:02}:20"), programme.time_zone).unwrap();
                let evening = programme.evening(now);
                let start = |entry: &PerformanceEntry| programme.times(entry, evening).unwrap().0;
                let mut first: Vec<_> = programme.performances.iter().map(|one| (start(one), &one.theater)).collect();
                first.sort();
                assert_eq!(first[0].1, "Main House");
                let tonight = first.iter().filter(|(start, _)| start.since(evening) < Span::minutes(6 * 60));
                assert_eq!(tonight.count(), 3, "{day} {hour}");
            }
        }
    }

    #[test]
    fn whatever_the_time_a_performance_is_near_and_none_is_over() {
        for day in ["2026-11-21", "2026-03-29", "2026-10-25"] {
            for hour in 3..24 {
                let zone = Programme::built_in().unwrap().time_zone;
                let now = parse_local(&format!("{day}T{hour:02}:20"), zone).unwrap();
                let starts = starts(now);
                let first = starts.iter().min().unwrap().since(now);
                assert!(first <= Span::minutes(25 * 60), "{day} {hour}: {first}");
                assert!(starts.iter().all(|start| start.since(now) >= Span::minutes(45)));
                assert!(starts.iter().all(|start| start.since(now) <= Span::minutes(7 * 24 * 60)));
            }
        }
    }
}
