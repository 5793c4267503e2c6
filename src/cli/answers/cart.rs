//! Carts: one with its lines, and a page of them.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::answers::slots::SlotAnswer;
use crate::cli::answers::{day_time, tail};
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::cart::{CartState, Customer, Reservation};
use crate::domain::money::{Currency, amount};
use crate::engine::reads::carts::{CartRow, CartView, LineView};
use crate::tui::wording;

/// A cart.
#[derive(Serialize)]
pub(in crate::cli) struct CartAnswer {
    id: String,
    state: &'static str,
    operator: String,
    station: String,
    set_aside: bool,
    customer: CustomerAnswer,
    lines: Vec<LineAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slots: Vec<SlotAnswer>,
    total: String,
    currency: String,
    created_at: String,
    modified_at: String,
    expires_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_began_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reservation: Option<ReservationAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    #[serde(skip)]
    until: String,
}

/// For whom something is; both may be empty.
#[derive(Serialize)]
pub(super) struct CustomerAnswer {
    name: String,
    phone: String,
}

impl From<&Customer> for CustomerAnswer {
    fn from(customer: &Customer) -> Self {
        Self {
            name: customer.name.clone(),
            phone: customer.phone.clone(),
        }
    }
}

/// What is told of a reservation that is not paid, and when.
#[derive(Serialize)]
struct ReservationAnswer {
    alert_at: String,
    final_at: String,
    told: &'static str,
}

impl ReservationAnswer {
    fn of(reservation: Option<Reservation>, zone: Tz) -> Option<Self> {
        reservation.map(|reservation| Self {
            alert_at: reservation.alert_at.rfc3339(zone),
            final_at: reservation.final_at.rfc3339(zone),
            told: reservation.told.word(),
        })
    }
}

/// A line of a cart or receipt.
#[derive(Serialize)]
pub(super) struct LineAnswer {
    id: String,
    performance: String,
    title: String,
    theater: String,
    start: String,
    pub(super) seats: Vec<String>,
    #[serde(rename = "type")]
    ticket_type: String,
    unit_price: String,
    total: String,
    #[serde(skip)]
    number: u32,
    /// The seats as people name them, neighbours joined.
    #[serde(skip)]
    runs: String,
    #[serde(skip)]
    when: String,
}

impl LineAnswer {
    pub(super) fn new(line: &LineView, currency: Currency) -> Self {
        let performance = &line.performance;
        Self {
            id: line.id.to_string(),
            performance: performance.id.to_string(),
            title: performance.title.clone(),
            theater: performance.theater.clone(),
            start: performance.start.rfc3339(performance.zone),
            seats: line.seats.iter().map(|(_, name)| name.clone()).collect(),
            ticket_type: line.ticket_type.clone(),
            unit_price: amount(line.unit_price, currency),
            total: amount(line.total, currency),
            number: line.id.number,
            runs: wording::seats(line.seats.iter().map(|(at, name)| (*at, name.as_str()))),
            when: day_time(performance.start, performance.zone),
        }
    }

    /// Lines as a table.
    pub(super) fn table(lines: &[Self]) -> String {
        let mut table = Table::new([
            numbers("LINE"),
            words("PERFORMANCE"),
            words("START"),
            words("SEATS"),
            words("TYPE"),
            numbers("EACH"),
            numbers("TOTAL"),
        ]);
        for line in lines {
            table.row([
                line.number.to_string(),
                line.title.clone(),
                line.when.clone(),
                line.runs.clone(),
                line.ticket_type.clone(),
                line.unit_price.clone(),
                line.total.clone(),
            ]);
        }
        table.text_or("It is empty.")
    }
}

impl CartAnswer {
    /// A cart in the house's local time; `currency` is what an empty one is shown in.
    pub(in crate::cli) fn new(view: &CartView, zone: Tz, currency: Currency) -> Self {
        let cart = &view.cart;
        let currency = cart.currency.unwrap_or(currency);
        let lines = view
            .lines
            .iter()
            .map(|line| LineAnswer::new(line, currency));
        let slots = view
            .slots
            .iter()
            .map(|line| SlotAnswer::new(line, currency));
        Self {
            id: cart.id.to_string(),
            state: view.state.word(),
            operator: cart.operator.clone(),
            station: cart.station.clone(),
            set_aside: cart.set_aside,
            customer: (&cart.customer).into(),
            lines: lines.collect(),
            slots: slots.collect(),
            total: amount(view.total, currency),
            currency: currency.to_string(),
            created_at: cart.created_at.rfc3339(zone),
            modified_at: cart.modified_at.rfc3339(zone),
            expires_at: cart.expires_at.rfc3339(zone),
            payment_began_at: cart.payment_began_at.map(|at| at.rfc3339(zone)),
            reservation: ReservationAnswer::of(cart.reservation, zone),
            receipt: view.receipt.clone(),
            until: until(view, zone),
        }
    }
}

/// What people want to know of a cart's state.
fn until(view: &CartView, zone: Tz) -> String {
    let at = view.cart.expires_at.format(zone, "%H:%M:%S");
    match (view.state, &view.receipt) {
        (CartState::Active, _) if view.cart.reservation.is_some() => format!(
            "reserved, to be paid by {}",
            wording::day_time(view.cart.expires_at, zone)
        ),
        (CartState::Active, _) if view.cart.set_aside => format!("set aside until {at}"),
        (CartState::Active, _) => format!("held until {at}"),
        (CartState::Done(_), Some(number)) => format!("paid, receipt {number}"),
        (state, _) => state.word().to_owned(),
    }
}

impl Answer for CartAnswer {
    fn people(&self) -> String {
        let customer = if self.customer.name.is_empty() && self.customer.phone.is_empty() {
            String::new()
        } else {
            format!("\nfor {} {}", self.customer.name, self.customer.phone)
        };
        format!(
            "Cart {}  {}  {} at {}{customer}\n\n{}{}\n\nTotal {} {}",
            tail(&self.id),
            self.until,
            self.operator,
            self.station,
            if self.lines.is_empty() && !self.slots.is_empty() {
                String::new()
            } else {
                LineAnswer::table(&self.lines)
            },
            SlotAnswer::table(&self.slots),
            self.currency,
            self.total
        )
    }
}

/// Carts in rows.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct CartList(pub(in crate::cli) Vec<RowAnswer>);

/// A cart in one row.
#[derive(Serialize)]
pub(in crate::cli) struct RowAnswer {
    pub(in crate::cli) id: String,
    state: &'static str,
    operator: String,
    station: String,
    set_aside: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reservation: Option<ReservationAnswer>,
    customer: CustomerAnswer,
    title: String,
    seats: usize,
    total: String,
    currency: String,
    created_at: String,
    expires_at: String,
    #[serde(skip)]
    until: String,
}

impl RowAnswer {
    pub(in crate::cli) fn new(row: &CartRow, zone: Tz, currency: Currency) -> Self {
        let currency = row.currency.unwrap_or(currency);
        Self {
            id: row.id.to_string(),
            state: row.state.word(),
            operator: row.operator.clone(),
            station: row.station.clone(),
            set_aside: row.set_aside,
            reservation: ReservationAnswer::of(row.reservation, zone),
            customer: (&row.customer).into(),
            title: row.title.clone(),
            seats: row.seats,
            total: amount(row.total, currency),
            currency: currency.to_string(),
            created_at: row.created_at.rfc3339(zone),
            expires_at: row.expires_at.rfc3339(zone),
            until: match row.reservation {
                Some(_) => wording::day_time(row.expires_at, zone),
                None => row.expires_at.format(zone, "%H:%M:%S"),
            },
        }
    }
}

impl Answer for CartList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("CART"),
            words("STATE"),
            words("UNTIL"),
            words("STATION"),
            words("OPERATOR"),
            words("CUSTOMER"),
            words("PERFORMANCE"),
            numbers("SEATS"),
            numbers("TOTAL"),
        ]);
        for row in &self.0 {
            let state = if row.reservation.is_some() {
                "reserved"
            } else if row.set_aside {
                "set aside"
            } else {
                row.state
            };
            table.row([
                tail(&row.id),
                state.to_owned(),
                row.until.clone(),
                row.station.clone(),
                row.operator.clone(),
                row.customer.name.clone(),
                row.title.clone(),
                row.seats.to_string(),
                format!("{} {}", row.currency, row.total),
            ]);
        }
        table.text_or("No cart is open. Open one: willcall cart open")
    }
}
