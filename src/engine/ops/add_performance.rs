//! Adds a performance: one chunk per row of its plan, all seats free except the theater's broken ones.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Chunk;
use crate::domain::ids::{PerformanceId, TheaterId};
use crate::domain::job::JobKind;
use crate::domain::money::{AMOUNT_MINOR_MAX, Currency, amount};
use crate::domain::performance::{Performance, PerformanceState, Theater, TicketPrice};
use crate::domain::plan::Plan;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::domain::typed::money;
use crate::engine::ops::booking::Past;
use crate::engine::ops::changes::retired;
use crate::engine::ops::pricing::each_once;
use crate::engine::ops::seat_acts::new_disable;
use crate::engine::ops::taking::possible;
use crate::engine::ops::texts::named;
use crate::engine::ops::{claims, halls, outages, price_lists, seats, tickets};
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Word for all categories, like saying none.
const ALL: &str = "*";

/// Opens a performance for sale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddPerformance {
    pub theater: TheaterId,
    pub title: String,
    #[serde(default)]
    pub description: String,
    pub start: Instant,
    pub end: Instant,
    /// Currency of the prices; the house's if `None`.
    pub currency: Option<Currency>,
    pub prices: Vec<NamedPrice>,
    /// Price list whose rules price what `prices` do not, once, by the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// One that is recorded in the past sells nothing.
    #[serde(default)]
    pub past: Past,
}

/// Price for a category given by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPrice {
    /// Category; all if `None`.
    pub category: Option<String>,
    /// Ticket type; adult if `None`.
    pub ticket_type: Option<String>,
    /// Price in minor units.
    pub minor: i64,
    /// Price list that priced it; none for a price of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
}

/// Opened performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    pub performance: Performance,
    /// Broken seats of the theater that its plan does not have.
    pub lacking: Vec<String>,
}

impl NamedPrice {
    /// Price of every seat.
    pub const fn all(minor: i64) -> Self {
        Self { category: None, ticket_type: None, minor, list: None }
    }

    /// Price of a performance, by the names of its plan.
    pub fn of(price: &TicketPrice, plan: &Plan) -> Self {
        let category = price.category.and_then(|place| plan.categories.get(usize::from(place)));
        let category = category.map(|category| category.name.clone());
        Self { category, ticket_type: price.ticket_type.clone(), minor: price.minor, list: price.list.clone() }
    }

    /// Reads `10.00`, `Category I=54.00`, `Category I/Child=27.00` or `*/Child=27.00`.
    ///
    /// # Errors
    /// The amount is none.
    pub fn read(text: &str, currency: Currency, plan: &Plan) -> Result<Self, Refusal> {
        let (of, amount) = text.rsplit_once('=').unwrap_or(("", text));
        let minor = money("price", amount, currency)?;
        let is_category =
            |name: &str| plan.categories.iter().any(|category| category.name.eq_ignore_ascii_case(name.trim()));
        let (category, ticket_type) = match of.rsplit_once('/') {
            Some((category, ticket_type)) if !is_category(of) => (category, ticket_type),
            _ => (of, ""),
        };
        let named = |name: &str| Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        let category = named(category).filter(|category| category != ALL);
        Ok(Self { category, ticket_type: named(ticket_type), minor, list: None })
    }

    /// Reads prices that are parted by `;`, or by `,`: a comma behind an amount parts too, unless digits go on behind it.
    ///
    /// # Errors
    /// An amount is none.
    pub fn list(text: &str, currency: Currency, plan: &Plan) -> Result<Vec<Self>, Refusal> {
        let parts: Vec<String> =
            if text.contains(';') { text.split(';').map(str::to_owned).collect() } else { at_commas(text) };
        let parts = parts.iter().filter(|part| !part.trim().is_empty());
        parts.map(|part| Self::read(part.trim(), currency, plan)).collect()
    }

    /// The text that [`Self::read`] reads.
    pub fn text(&self, currency: Currency) -> String {
        let amount = amount(self.minor, currency);
        match (self.category.as_deref(), self.ticket_type.as_deref()) {
            (None, None) => amount,
            (Some(category), None) => format!("{category}={amount}"),
            (category, Some(ticket_type)) => format!("{}/{ticket_type}={amount}", category.unwrap_or(ALL)),
        }
    }

    /// All prices of a performance as text, as [`Self::list`] reads it.
    pub fn texts(performance: &Performance, plan: &Plan) -> String {
        Self::joined(performance.prices.iter(), performance.currency, plan)
    }

    /// Prices of a performance but for those of its price list, as [`Self::list`] reads them.
    pub fn own_texts(performance: &Performance, plan: &Plan) -> String {
        Self::joined(performance.own_prices(), performance.currency, plan)
    }

    fn joined<'p>(prices: impl Iterator<Item = &'p TicketPrice>, currency: Currency, plan: &Plan) -> String {
        prices.map(|price| Self::of(price, plan).text(currency)).collect::<Vec<_>>().join("; ")
    }

    /// Price in a plan.
    ///
    /// # Errors
    /// The plan has no such category, or the amount is out of range.
    pub fn on(&self, seating: &SeatingPlan) -> Result<TicketPrice, Refusal> {
        if self.minor < 0 || self.minor > AMOUNT_MINOR_MAX {
            return Err(Refusal::bad("price", Problem::Amount));
        }
        let category = self.category.as_deref().map(|name| seats::category(seating, name)).transpose()?;
        let ticket_type = self.ticket_type.as_deref().map(clean).filter(|name| !name.is_empty());
        Ok(TicketPrice { category, ticket_type, minor: self.minor, list: self.list.clone() })
    }
}

/// Prices parted by commas. A part without an equals sign goes on with the one before if it is digits, as in `A=54,00`;
/// else the next one goes on with it, as in `Stalls, left=30`.
fn at_commas(text: &str) -> Vec<String> {
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_digit());
    let is_amount = |part: &str| is_digits(&part.trim().replace('.', ""));
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(',') {
        match parts.last_mut() {
            Some(last) if is_digits(part) && last.ends_with(|sign: char| sign.is_ascii_digit()) => {
                last.push(',');
                last.push_str(part);
            }
            Some(last) if !last.contains('=') && !is_amount(last) => {
                last.push(',');
                last.push_str(part);
            }
            Some(_) | None => parts.push(part.to_owned()),
        }
    }
    parts
}

impl Operation for AddPerformance {
    const VERB: &'static str = "add_performance";
    type Answer = Opened;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Opened, Failure> {
        let theater: Theater = work.get(self.theater)?;
        if theater.retired {
            return Err(retired("theater", &theater.name).into());
        }
        let seating = work.seating(theater.plan)?;
        self.possible(work.now())?;
        let settings = work.settings()?;
        let mut performance = Performance {
            hall: None,
            id: PerformanceId::random(),
            theater: theater.id,
            plan: theater.plan,
            title: named("title", &self.title)?,
            description: clean(&self.description),
            start: self.start,
            end: self.end,
            currency: self.currency.unwrap_or(settings.currency),
            prices: self.prices.iter().map(|price| price.on(&seating)).collect::<Result<_, _>>()?,
            capacity: Vec::new(),
            postponed: Vec::new(),
            state: PerformanceState::Open,
            retired_from: None,
        };
        if let Some(list) = &self.list {
            price_lists::fill(work, (&mut performance, &theater), list)?;
        }
        each_once(&performance.prices)?;
        // so that a sale answers its codes at once, and the same when it is sent again
        tickets::key(work)?;
        // the decision rests on the theater's broken seats, which must not change meanwhile
        work.touch(&theater)?;
        performance.hall = Some(halls::take(work, &theater.hall, &performance)?);
        work.create(&performance)?;
        if performance.start > work.now() {
            work.put_job(JobKind::SalesClose, performance.id, performance.start)?;
        }
        for (row, _, seats) in seating.plan.rows() {
            let cells = u32::try_from(seats.seats.len()).unwrap_or(u32::MAX);
            work.create(&Chunk::empty(claims::chunk_of(performance.id, row), cells))?;
        }
        let lacking = disable_broken(work, &seating, &theater, &performance)?;
        Ok(Opened { performance, lacking })
    }
}

impl AddPerformance {
    /// Performance to come, without a description, in the currency of the house.
    pub fn new(theater: TheaterId, title: &str, (start, end): (Instant, Instant), prices: Vec<NamedPrice>) -> Self {
        let (description, past) = (String::new(), Past::Refuse);
        Self { theater, title: title.to_owned(), description, start, end, currency: None, prices, list: None, past }
    }

    fn possible(&self, now: Instant) -> Result<(), Refusal> {
        let slot = Slot::new(self.start, self.end).map_err(|_| Refusal::EndsBeforeStart)?;
        if self.past != Past::Record && self.start <= now {
            return Err(Refusal::InThePast { at: self.start });
        }
        possible("end", slot)
    }
}

/// Disables the theater's broken seats; returns those that the plan does not have.
fn disable_broken(
    work: &mut UnitOfWork<'_>,
    seating: &SeatingPlan,
    theater: &Theater,
    performance: &Performance,
) -> Result<Vec<String>, Failure> {
    let day = theater.day_of(performance.start);
    let mut lacking = Vec::new();
    for broken in theater.out_of_use.iter().filter(|broken| broken.from <= day) {
        let Some(found) = seating.seat(&broken.seat) else {
            if !lacking.contains(&broken.seat) {
                lacking.push(broken.seat.clone());
            }
            continue;
        };
        let seat = (performance.id, vec![found]);
        let mut act = new_disable(work, seat, Some(broken.act), &broken.reason);
        act.operator.clone_from(&broken.operator);
        act.approved.clone_from(&broken.approved);
        outages::disable(work, act)?;
    }
    Ok(lacking)
}
