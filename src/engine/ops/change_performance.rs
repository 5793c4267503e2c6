//! Changes what was entered of a performance, and retires it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Claim, Grip};
use crate::domain::booking::Booking;
use crate::domain::house::WorklistItem;
use crate::domain::ids::PerformanceId;
use crate::domain::is_default;
use crate::domain::job::JobKind;
use crate::domain::money::Currency;
use crate::domain::performance::{Performance, PerformanceState, Theater, TicketPrice};
use crate::domain::plan::{Plan, StandingRoom};
use crate::domain::refusal::{Ahead, ChangeRefusal, Fact, NightRefusal, Problem, Refusal};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::add_performance::NamedPrice;
use crate::engine::ops::changes::{Revised, in_use, nothing_ahead, other, retired};
use crate::engine::ops::pricing::each_once;
use crate::engine::ops::texts::named;
use crate::engine::ops::{capacity, claims, halls, price_lists, seats, sold_types, taking, waitlist};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes fields of a performance. Lines keep the prices that they were made with.
///
/// The start stays while somebody has seats, and the currency too; the end may change while the hall is free. A retired
/// performance is gone from all lists, and its hall is free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePerformance {
    pub performance: PerformanceId,
    pub patch: PerformancePatch,
}

/// Fields of a performance; absent ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerformancePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Instant>,
    /// End; as long after the start as before if only that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Instant>,
    /// Currency, in which all prices are then named anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Areas of standing room with another number of places.
    #[serde(skip_serializing_if = "is_default")]
    pub capacity: Vec<(String, u32)>,
    /// Prices that are added, or replace the one for the same category and ticket type.
    #[serde(skip_serializing_if = "is_default")]
    pub prices: Vec<NamedPrice>,
    /// Price list whose rules price it anew by its start, but for what `prices` name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Prices that go.
    #[serde(skip_serializing_if = "is_default")]
    pub no_prices: Vec<PriceName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired: Option<bool>,
}

/// Category and ticket type that have a price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceName {
    /// Category; the price for all if `None`.
    pub category: Option<String>,
    /// Ticket type; adult if `None`.
    pub ticket_type: Option<String>,
}

impl PriceName {
    /// Name of a price, by the names of its plan.
    fn of(price: &TicketPrice, plan: &Plan) -> Self {
        let NamedPrice { category, ticket_type, .. } = NamedPrice::of(price, plan);
        Self { category, ticket_type }
    }
}

impl fmt::Display for PriceName {
    /// Text to type: `Category I/Child`, `*`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.category.as_deref().unwrap_or("*"))?;
        self.ticket_type.iter().try_for_each(|ticket_type| write!(out, "/{ticket_type}"))
    }
}

impl Operation for ChangePerformance {
    const VERB: &'static str = "change_performance";
    type Answer = Revised<Performance, PerformancePatch>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure> {
        let before: Performance = work.get(self.performance)?;
        let (mut after, patch) = (before.clone(), &self.patch);
        if let Some(title) = &patch.title {
            after.title = named("title", title)?;
        }
        if let Some(description) = &patch.description {
            after.description = clean(description);
        }
        patch.price(work, &mut after)?;
        sold_types::stay(work, (&before, &after))?;
        for (area, places) in &patch.capacity {
            capacity::set(work, &mut after, (area, *places))?;
        }
        let retires = patch.retired == Some(true) && before.state != PerformanceState::Retired;
        let old = if patch.retired == Some(false) { brought_back(&after) } else { after.clone() };
        after.clone_from(&old);
        let moved = patch.move_to(work, &mut after)?;
        if old.state != before.state {
            take_again(work, &mut after)?;
        } else if moved && !retires {
            halls::postpone(work, &old, &mut after)?;
            if after.start != old.start {
                work.put_job(JobKind::SalesClose, after.id, after.start)?;
            }
        }
        if let Some(list) = &patch.list {
            patch.price_by(work, &mut after, list)?;
            sold_types::stay(work, (&before, &after))?;
        }
        if after.title != before.title
            && let Some(hall) = after.hall
        {
            let booking: Booking = work.get(hall)?;
            work.put(&Booking { title: after.title.clone(), ..booking })?;
        }
        if retires {
            retire(work, (&old, &mut after))?;
        }
        work.put(&after)?;
        let back = PerformancePatch::between(&after, &before, &work.seating(before.plan)?.plan);
        Ok(Revised { before, after, back })
    }
}

impl PerformancePatch {
    /// Patch that makes a version of a performance into another; both sell a plan.
    pub fn between(before: &Performance, after: &Performance, plan: &Plan) -> Self {
        let is_retired = |one: &Performance| one.state == PerformanceState::Retired;
        let is_new = |price: &&TicketPrice| {
            // a price that is typed names no list
            let is_same = |known: &TicketPrice| {
                let by_the_same = price.list.is_none() || known.list == price.list;
                known.is_for_the_same(price) && known.minor == price.minor && by_the_same
            };
            before.currency != after.currency || !before.prices.iter().any(is_same)
        };
        let prices = after.prices.iter().filter(is_new);
        let gone = |price: &&TicketPrice| !after.prices.iter().any(|other| other.is_for_the_same(price));
        let no_prices = before.prices.iter().filter(gone).map(|price| PriceName::of(price, plan));
        Self {
            title: other(&before.title, &after.title),
            description: other(&before.description, &after.description),
            start: other(&before.start, &after.start),
            // an end that stays is said too where the start moves: it would move along
            end: Some(after.end).filter(|end| *end != before.end || after.start != before.start),
            currency: other(&before.currency, &after.currency),
            capacity: capacities(plan, (before, after)),
            prices: prices.map(|price| NamedPrice::of(price, plan)).collect(),
            list: None,
            no_prices: no_prices.collect(),
            retired: other(&is_retired(before), &is_retired(after)),
        }
    }

    fn price(&self, work: &mut UnitOfWork<'_>, performance: &mut Performance) -> Result<(), Failure> {
        let seating = work.seating(performance.plan)?;
        let old = performance.currency;
        for price in &self.no_prices {
            let PriceName { category, ticket_type } = price.clone();
            let gone = NamedPrice { category, ticket_type, ..NamedPrice::all(0) }.on(&seating)?;
            let place = performance.prices.iter().position(|known| known.is_for_the_same(&gone));
            let Some(place) = place else {
                let known = performance.prices.iter().map(|price| PriceName::of(price, &seating.plan).to_string());
                return Err(Refusal::bad("no-price", Problem::NoPrice(known.collect())).into());
            };
            performance.prices.remove(place);
        }
        let prices = self.prices.iter().map(|price| price.on(&seating));
        let prices: Vec<TicketPrice> = prices.collect::<Result<_, _>>()?;
        if let Some(currency) = self.currency.filter(|currency| *currency != old) {
            let stays = |known: &TicketPrice| !prices.iter().any(|price| price.is_for_the_same(known));
            if performance.prices.iter().any(stays) {
                return Err(Refusal::bad("price", Problem::PricedIn(old)).into());
            }
            let facts = claimed(work, performance)?;
            if !facts.is_empty() {
                let (performance, currency) = (performance.title.clone(), old);
                return Err(Refusal::from(ChangeRefusal::CurrencyStays { performance, currency, facts }).into());
            }
            performance.currency = currency;
        }
        // among themselves, for one of them would be lost
        if !prices.is_empty() {
            each_once(&prices)?;
        }
        for price in prices {
            match performance.prices.iter_mut().find(|known| known.is_for_the_same(&price)) {
                Some(known) => (known.minor, known.list) = (price.minor, price.list),
                None => performance.prices.push(price),
            }
        }
        Ok(each_once(&performance.prices)?)
    }

    /// Prices it anew by a list, but for the prices that were named beside it.
    fn price_by(&self, work: &mut UnitOfWork<'_>, performance: &mut Performance, list: &str) -> Result<(), Failure> {
        let (seating, theater) = (work.seating(performance.plan)?, work.get::<Theater>(performance.theater)?);
        let named: Vec<TicketPrice> = self.prices.iter().map(|price| price.on(&seating)).collect::<Result<_, _>>()?;
        performance.prices = named;
        price_lists::fill(work, (performance, &theater), list)
    }

    /// Changes start and end, without the hall; returns whether they differ.
    fn move_to(&self, work: &mut UnitOfWork<'_>, performance: &mut Performance) -> Result<bool, Failure> {
        let before = performance.clone();
        let start = self.start.unwrap_or(before.start);
        let end = self.end.unwrap_or_else(|| before.end.moved(before.start, start));
        if (start, end) == (before.start, before.end) {
            return Ok(false);
        }
        let title = before.title.clone();
        in_use(&before)?;
        if before.state == PerformanceState::Canceled {
            return Err(Refusal::from(NightRefusal::NightCanceled { performance: title }).into());
        }
        if before.end <= work.now() {
            return Err(Refusal::from(NightRefusal::NightOver { performance: title, end: before.end }).into());
        }
        if start != before.start {
            if start <= work.now() {
                return Err(Refusal::InThePast { at: start }.into());
            }
            let facts = claimed(work, &before)?;
            if !facts.is_empty() {
                return Err(Refusal::from(ChangeRefusal::StartStays { performance: title, facts }).into());
            }
        }
        let slot = Slot::new(start, end).map_err(|_| Refusal::EndsBeforeStart)?;
        taking::possible("end", slot)?;
        (performance.start, performance.end) = (start, end);
        Ok(true)
    }
}

/// Places of the standing room whose number differs, as the second of two versions has it.
fn capacities(plan: &Plan, (one, other): (&Performance, &Performance)) -> Vec<(String, u32)> {
    let of = |of: &Performance, area: &StandingRoom<'_>| {
        of.capacity.iter().find(|known| known.area == *area.name).map_or(area.places, |known| known.places)
    };
    let areas = plan.standing().into_iter();
    let areas = areas.filter(|area| of(one, area) != of(other, area));
    areas.map(|area| (area.name.clone(), of(other, &area))).collect()
}

/// Seats that somebody has, not those out of use. Every row is written, so that a seat taken meanwhile is a conflict.
fn claimed(work: &mut UnitOfWork<'_>, performance: &Performance) -> Result<Vec<Fact>, Failure> {
    let seating = work.seating(performance.plan)?;
    let rows = seats::all_chunks(work, &seating, performance)?;
    let claims = rows.values().flat_map(|row| row.claims_from(0));
    let late_at = work.late_at();
    let stands = |claim: &Claim| claim.grip != Grip::Disabled && !claim.is_late(late_at);
    let claims: Vec<(CellRange, Claim)> = claims.filter(|(_, claim)| stands(claim)).collect();
    rows.values().try_for_each(|row| work.touch(row))?;
    claims::told(work, (Some(performance.id), &[]), &claims)
}

/// Retires a performance: one to come that nobody has seats of, or one that is over or canceled and dealt with.
fn retire(work: &mut UnitOfWork<'_>, (old, performance): (&Performance, &mut Performance)) -> Result<(), Failure> {
    let is_to_come = is_to_come(work, old);
    let mut ahead = Vec::new();
    if is_to_come {
        ahead.extend(claimed(work, performance)?.into_iter().map(Ahead::Taken));
        let waiting = waitlist::load(work, performance.id)?.len();
        ahead.extend(Some(Ahead::Waiting(waiting)).filter(|_| waiting > 0));
    }
    let open = "WHERE performance <> '' AND performance = $1 AND state = 'open' ORDER BY key";
    let items: Vec<WorklistItem> = work.select(open, &[performance.id.to_string().into()])?;
    ahead.extend(Some(Ahead::Items(items.len())).filter(|_| !items.is_empty()));
    nothing_ahead("performance", &performance.title, ahead)?;
    performance.retired_from = Some(performance.state);
    performance.state = PerformanceState::Retired;
    work.put(&*performance)?;
    if is_to_come {
        halls::free(work, performance, "the performance was retired")?;
        work.end_job(JobKind::SalesClose, performance.id);
        halls::pass_on(work, old)?;
    }
    Ok(())
}

/// Performance in the state from which it was retired.
fn brought_back(retired: &Performance) -> Performance {
    let state = retired.retired_from.unwrap_or(retired.state);
    Performance { state, retired_from: None, ..retired.clone() }
}

/// Takes the hall again for a performance that was brought back, if it is to come.
fn take_again(work: &mut UnitOfWork<'_>, performance: &mut Performance) -> Result<(), Failure> {
    if is_to_come(work, performance) {
        let theater: Theater = work.get(performance.theater)?;
        if theater.retired {
            return Err(retired("theater", &theater.name).into());
        }
        work.touch(&theater)?;
        performance.hall = Some(halls::take(work, &theater.hall, performance)?);
        if performance.start > work.now() {
            work.put_job(JobKind::SalesClose, performance.id, performance.start)?;
        }
    }
    Ok(())
}

fn is_to_come(work: &UnitOfWork<'_>, performance: &Performance) -> bool {
    performance.state == PerformanceState::Open && performance.end > work.now()
}
