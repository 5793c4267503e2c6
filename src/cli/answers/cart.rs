//! Carts: one with its lines, and a page of them.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::{customer, day_time, losses, slots, tail, with_fields, with_known};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::cart::{CartState, Reservation};
use crate::domain::money::{Currency, amount, grouped, priced};
use crate::engine::reads::carts::{CartRow, CartView, LineView, SlotView};
use crate::tui::wording;

/// A cart in the house's local time; `usual` is the currency of an empty one.
pub(in crate::cli) fn cart(view: &CartView, zone: Tz, usual: Currency) -> Rendered {
    let cart = &view.cart;
    let currency = cart.currency.unwrap_or(usual);
    let total = amount(view.total, currency);
    let json = json!({
        "id": cart.id.to_string(),
        "state": view.state.word(),
        "operator": cart.operator,
        "station": cart.station,
        "set_aside": cart.set_aside,
        "customer": customer(&cart.customer),
        "lines": view.lines.iter().map(|one| line(one, currency)).collect::<Vec<_>>(),
        "total": total,
        "currency": currency.to_string(),
        "created_at": cart.created_at.rfc3339(zone),
        "modified_at": cart.modified_at.rfc3339(zone),
        "expires_at": cart.expires_at.rfc3339(zone),
    });
    let further = json!({
        "slots": view.slots.iter().map(|one| slot_line(one, currency)).collect::<Vec<_>>(),
        "payment_began_at": cart.payment_began_at.map(|at| at.rfc3339(zone)),
        "reservation": cart.reservation.map(|one| reservation(one, zone)),
        "receipt": view.receipt,
        "lost": view.lost.iter().map(losses::json).collect::<Vec<_>>(),
    });
    let customer = match (&cart.customer.name, &cart.customer.phone) {
        (name, phone) if name.is_empty() && phone.is_empty() => String::new(),
        (name, phone) => format!("\nfor {name} {phone}"),
    };
    let mut tables = Vec::new();
    if view.slots.is_empty() || !view.lines.is_empty() {
        tables.push(line_table(&view.lines, currency));
    }
    if !view.slots.is_empty() {
        tables.push(slot_table(&view.slots, currency));
    }
    if !view.lost.is_empty() {
        tables.push(losses::lines(&view.lost));
    }
    let people = format!(
        "Cart {}  {}  {} at {}{customer}\n\n{}\n\nTotal {}",
        tail(&cart.id.to_string()),
        until(view, zone),
        cart.operator,
        cart.station,
        tables.join("\n\n"),
        priced(view.total, currency),
    );
    Rendered {
        json: with_known(json, further),
        people,
    }
}

/// The alerts of a reservation that is not paid.
fn reservation(reservation: Reservation, zone: Tz) -> Value {
    json!({
        "alert_at": reservation.alert_at.rfc3339(zone),
        "final_at": reservation.final_at.rfc3339(zone),
        "told": reservation.told.word(),
    })
}

/// A line of seats in a cart or receipt.
pub(super) fn line(line: &LineView, currency: Currency) -> Value {
    let performance = &line.performance;
    json!({
        "id": line.id.to_string(),
        "performance": performance.id.to_string(),
        "title": performance.title,
        "theater": performance.theater,
        "start": performance.start.rfc3339(performance.zone),
        "seats": line.seats.iter().map(|(_, name)| name).collect::<Vec<_>>(),
        "type": line.ticket_type,
        "unit_price": amount(line.unit_price, currency),
        "total": amount(line.total, currency),
    })
}

/// A line of time in a cart or receipt.
pub(super) fn slot_line(line: &SlotView, currency: Currency) -> Value {
    let zone = line.wall.zone;
    let json = json!({
        "id": line.id.to_string(),
        "resource": line.resource.to_string(),
        "name": line.name,
        "from": line.core.from().rfc3339(zone),
        "until": line.core.until().rfc3339(zone),
        "wanted_from": line.wanted.from().rfc3339(zone),
        "wanted_until": line.wanted.until().rfc3339(zone),
        "segments": line.segments,
        "unit_price": amount(line.unit_price, currency),
        "total": amount(line.total, currency),
    });
    // where it is not one stretch from its start to its end
    if line.kept == [line.core] {
        json
    } else {
        with_fields(json, json!({ "taken": slots(&line.kept, zone) }))
    }
}

/// Lines of seats; neighbouring seats are joined.
fn line_table(lines: &[LineView], currency: Currency) -> String {
    Table::of(lines)
        .numbers("LINE", |line| line.id.number)
        .words("PERFORMANCE", |line| line.performance.title.clone())
        .words("START", |line| {
            day_time(line.performance.start, line.performance.zone)
        })
        .words("SEATS", |line| {
            wording::seats(line.seats.iter().map(|(at, name)| (*at, name.as_str())))
        })
        .words("TYPE", |line| line.ticket_type.clone())
        .numbers("EACH", |line| grouped(line.unit_price, currency))
        .numbers("TOTAL", |line| grouped(line.total, currency))
        .text_or("It is empty.")
}

fn slot_table(lines: &[SlotView], currency: Currency) -> String {
    Table::of(lines)
        .numbers("LINE", |line| line.id.number)
        .words("RESOURCE", |line| line.name.clone())
        .words("WHEN", SlotView::when)
        .numbers("SEGMENTS", |line| line.segments)
        .numbers("EACH", |line| grouped(line.unit_price, currency))
        .numbers("TOTAL", |line| grouped(line.total, currency))
        .text()
}

/// The state of a cart, with its deadline or receipt.
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

/// A page of carts; `usual` is the currency of an empty one.
pub(in crate::cli) fn list(rows: &[CartRow], zone: Tz, usual: Currency) -> Rendered {
    let total = |row: &CartRow| amount(row.total, row.currency.unwrap_or(usual));
    let one = |row: &CartRow| {
        let json = json!({
            "id": row.id.to_string(),
            "state": row.state.word(),
            "operator": row.operator,
            "station": row.station,
            "set_aside": row.set_aside,
            "customer": customer(&row.customer),
            "title": row.title,
            "seats": row.seats,
            "total": total(row),
            "currency": row.currency.unwrap_or(usual).to_string(),
            "created_at": row.created_at.rfc3339(zone),
            "expires_at": row.expires_at.rfc3339(zone),
        });
        let reservation = row.reservation.map(|one| reservation(one, zone));
        with_known(json, json!({ "reservation": reservation }))
    };
    let table = Table::of(rows)
        .words("CART", |row| tail(&row.id.to_string()))
        .words("STATE", |row| match row.reservation {
            Some(_) => "reserved",
            None if row.set_aside => "set aside",
            None => row.state.word(),
        })
        .words("UNTIL", |row| match row.reservation {
            Some(_) => wording::day_time(row.expires_at, zone),
            None => row.expires_at.format(zone, "%H:%M:%S"),
        })
        .words("STATION", |row| row.station.clone())
        .words("OPERATOR", |row| row.operator.clone())
        .words("CUSTOMER", |row| row.customer.name.clone())
        .words("PERFORMANCE", |row| row.title.clone())
        .numbers("SEATS", |row| row.seats)
        .numbers("TOTAL", |row| {
            priced(row.total, row.currency.unwrap_or(usual))
        });
    Rendered {
        json: rows.iter().map(one).collect(),
        people: table.text_or("No cart is open. Open one: willcall cart open"),
    }
}
