//! Performances: one with its holds, and a page of them.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::answers::worklist::{StretchAnswer, WorkAnswer, WorkList};
use crate::cli::answers::{day_time, tail};
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::money::amount;
use crate::domain::performance::{ADULT, PerformanceState, Price};
use crate::domain::time::Instant;
use crate::engine::reads::catalog::{HallView, Hold, PerformanceView};
use crate::engine::reads::tonight::PerformanceRow;

/// A performance with the carts that hold seats of it.
#[derive(Serialize)]
pub(in crate::cli) struct PerformanceAnswer {
    id: String,
    title: String,
    description: String,
    theater: String,
    theater_id: String,
    start: String,
    end: String,
    time_zone: String,
    state: PerformanceState,
    currency: String,
    prices: Vec<PriceAnswer>,
    seats: u32,
    free: u32,
    holds: Vec<HoldAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hall: Option<HallAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    displaced: Option<Vec<WorkAnswer>>,
    #[serde(skip)]
    when: String,
}

#[derive(Serialize)]
struct PriceAnswer {
    category: Option<String>,
    #[serde(rename = "type")]
    ticket_type: String,
    price: String,
}

#[derive(Serialize)]
struct HoldAnswer {
    cart: String,
    seats: Vec<String>,
    unit_price: String,
    total: String,
    until: String,
}

/// What a performance has of its hall, from get-in to get-out.
#[derive(Serialize)]
struct HallAnswer {
    name: String,
    booking: String,
    from: String,
    until: String,
    /// What was taken out of use of it.
    lost: Vec<StretchAnswer>,
    #[serde(skip)]
    said: String,
}

impl HallAnswer {
    fn new(hall: &HallView, zone: Tz) -> Self {
        let lost = hall.lost.iter();
        let told: Vec<String> = lost.clone().map(|slot| slot.words(zone)).collect();
        let said = format!("Hall: {}, {}", hall.name, hall.slot.words(zone));
        Self {
            name: hall.name.clone(),
            booking: hall.booking.to_string(),
            from: hall.slot.from().rfc3339(zone),
            until: hall.slot.until().rfc3339(zone),
            lost: lost.map(|slot| StretchAnswer::new(slot, zone)).collect(),
            said: if told.is_empty() {
                said
            } else {
                format!("{said}; OUT OF USE {}", told.join(", "))
            },
        }
    }
}

impl PerformanceAnswer {
    pub(in crate::cli) fn new(view: &PerformanceView) -> Self {
        let (performance, zone) = (&view.performance, view.theater.time_zone);
        let prices = performance
            .prices
            .iter()
            .map(|price| view_price(view, price));
        let holds = view.holds.iter().map(|hold| view_hold(view, hold));
        Self {
            id: performance.id.to_string(),
            title: performance.title.clone(),
            description: performance.description.clone(),
            theater: view.theater.name.clone(),
            theater_id: view.theater.id.to_string(),
            start: performance.start.rfc3339(zone),
            end: performance.end.rfc3339(zone),
            time_zone: zone.to_string(),
            state: performance.state,
            currency: performance.currency.to_string(),
            prices: prices.collect(),
            seats: view.seats,
            free: view.free,
            holds: holds.collect(),
            // of a canceled one it is free again
            hall: view
                .hall
                .as_ref()
                .filter(|_| performance.state == PerformanceState::Open)
                .map(|hall| HallAnswer::new(hall, zone)),
            lacking: Vec::new(),
            displaced: None,
            when: between(performance.start, performance.end, zone),
        }
    }

    /// With the theater's broken seats that its plan does not have.
    pub(in crate::cli) fn with_lacking(self, lacking: Vec<String>) -> Self {
        Self { lacking, ..self }
    }

    /// With those who have to be dealt with since it was canceled.
    pub(in crate::cli) fn with_displaced(self, displaced: Vec<WorkAnswer>) -> Self {
        Self {
            displaced: Some(displaced),
            ..self
        }
    }
}

fn between(start: Instant, end: Instant, zone: Tz) -> String {
    format!("{} to {}", day_time(start, zone), end.format(zone, "%H:%M"))
}

fn view_price(view: &PerformanceView, price: &Price) -> PriceAnswer {
    let category = price
        .category
        .and_then(|number| view.house.plan.categories.get(usize::from(number)))
        .map(|category| category.name.clone());
    PriceAnswer {
        category,
        ticket_type: price.ticket_type.clone().unwrap_or_else(|| ADULT.into()),
        price: amount(price.minor, view.performance.currency),
    }
}

fn view_hold(view: &PerformanceView, hold: &Hold) -> HoldAnswer {
    let currency = view.performance.currency;
    HoldAnswer {
        cart: hold.cart.to_string(),
        seats: hold.seats.clone(),
        unit_price: amount(hold.unit_price, currency),
        total: amount(hold.total, currency),
        until: hold.until.rfc3339(view.theater.time_zone),
    }
}

impl Answer for PerformanceAnswer {
    fn people(&self) -> String {
        let canceled = match self.state {
            PerformanceState::Open => "",
            PerformanceState::Canceled => "  CANCELED",
        };
        let mut parts = vec![format!(
            "{}{canceled}  {}\n{} at {}\n{} of {} seats free",
            self.title,
            tail(&self.id),
            self.when,
            self.theater,
            self.free,
            self.seats
        )];
        parts.extend(Some(self.description.clone()).filter(|text| !text.is_empty()));
        parts.extend(self.hall.as_ref().map(|hall| hall.said.clone()));
        parts.push(self.price_table());
        if !self.holds.is_empty() {
            parts.push(self.hold_table());
        }
        if let Some(displaced) = self.displaced.as_ref().filter(|list| !list.is_empty()) {
            parts.push(WorkList::table(displaced));
        }
        parts.join("\n\n")
    }
}

impl PerformanceAnswer {
    fn price_table(&self) -> String {
        let mut table = Table::new([words("CATEGORY"), words("TYPE"), numbers("PRICE")]);
        for price in &self.prices {
            table.row([
                price.category.clone().unwrap_or_else(|| "all".into()),
                price.ticket_type.clone(),
                format!("{} {}", self.currency, price.price),
            ]);
        }
        table.text()
    }

    fn hold_table(&self) -> String {
        let mut table = Table::new([
            words("HELD BY"),
            words("SEATS"),
            numbers("TOTAL"),
            words("UNTIL"),
        ]);
        for hold in &self.holds {
            table.row([
                tail(&hold.cart),
                hold.seats.join(","),
                hold.total.clone(),
                hold.until.clone(),
            ]);
        }
        table.text()
    }
}

/// Performances by start.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct PerformanceList(pub(in crate::cli) Vec<RowAnswer>);

/// A performance with how it sells.
#[derive(Serialize)]
pub(in crate::cli) struct RowAnswer {
    pub(in crate::cli) id: String,
    title: String,
    theater: String,
    start: String,
    end: String,
    state: PerformanceState,
    seats: u32,
    free: u32,
    #[serde(skip)]
    when: String,
}

impl From<&PerformanceRow> for RowAnswer {
    fn from(row: &PerformanceRow) -> Self {
        Self {
            id: row.id.to_string(),
            title: row.title.clone(),
            theater: row.theater.clone(),
            start: row.start.rfc3339(row.zone),
            end: row.end.rfc3339(row.zone),
            state: if row.canceled {
                PerformanceState::Canceled
            } else {
                PerformanceState::Open
            },
            seats: row.seats,
            free: row.free,
            when: day_time(row.start, row.zone),
        }
    }
}

impl Answer for PerformanceList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("START"),
            words("TITLE"),
            words("THEATER"),
            numbers("FREE"),
            numbers("SEATS"),
            words("ID"),
            words(""),
        ]);
        for row in &self.0 {
            let canceled = match row.state {
                PerformanceState::Open => "",
                PerformanceState::Canceled => "canceled",
            };
            table.row([
                row.when.clone(),
                row.title.clone(),
                row.theater.clone(),
                row.free.to_string(),
                row.seats.to_string(),
                tail(&row.id),
                canceled.to_owned(),
            ]);
        }
        table.text_or("No performance yet. Add one: willcall help performance add")
    }
}
