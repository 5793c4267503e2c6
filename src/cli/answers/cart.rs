//! Carts: one with its lines, and a page of them.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::booking::split_slots;
use crate::cli::answers::returned::returned;
use crate::cli::answers::{customer, day_time, losses, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::cart::{CartState, Reservation};
use crate::domain::money::{Currency, amount, grouped, priced};
use crate::domain::prices::PricePart;
use crate::domain::time::Local;
use crate::engine::reads::carts::{CartRow, CartView, GoodsView, LineView, ReturnedView, TimeView};
use crate::words;

/// A cart in the house's local time; `usual` is the currency of an empty one.
pub(in crate::cli) fn cart(view: &CartView, here: Local, usual: Currency) -> Rendered {
    let (cart, zone) = (&view.cart, here.zone);
    let currency = cart.currency.unwrap_or(usual);
    let lines = CartLines::of(&view.lines, |one| line(one, currency));
    let fee = cart.fee().ok().filter(|fee| *fee > 0);
    let json = object! {
        cart { id, operator, station, set_aside; in zone; created_at, modified_at, expires_at },
        "state": view.state.word(),
        "customer": customer(&view.customer),
        "lines": lines.seats,
        "total": amount(view.total, currency),
        "currency": currency.to_string(),
        ? "slots": lines.slots,
        ? "payment_began_at": cart.payment_began_at.map(|at| at.rfc3339(zone)),
        ? "reservation": cart.reservation.map(|one| reservation(one, zone)),
        ? "receipt": view.receipt,
        ? "returns": view.returns.iter().map(|one| object!("id": one.number, ..returned(one, currency, here.now))).collect::<Vec<_>>(),
        ? "fee": fee.map(|fee| amount(fee, currency)),
        ? "lost": view.lost.iter().map(losses::json).collect::<Vec<_>>(),
    };
    let customer = if view.customer.is_unknown() { String::new() } else { format!("\nfor {}", view.customer) };
    let mut tables =
        if view.lines.is_empty() && !view.returns.is_empty() { Vec::new() } else { line_tables(&view.lines, currency) };
    if !view.returns.is_empty() {
        tables.push(return_table(&view.returns, currency));
    }
    if !view.lost.is_empty() {
        tables.push(losses::lines(&view.lost));
    }
    if let Some(fee) = fee {
        tables.push(format!("Fee for the exchange {}", priced(fee, currency)));
    }
    let people = format!(
        "Cart {}  {}  {} at {}{customer}\n\n{}\n\nTotal {}",
        tail(&cart.id.to_string()),
        until(view, here),
        cart.operator,
        cart.station,
        tables.join("\n\n"),
        priced(view.total, currency),
    );
    Rendered::new(json, people)
}

fn reservation(reservation: Reservation, zone: Tz) -> Value {
    object!(reservation { told; in zone; alert_at, final_at })
}

/// Lines as JSON: seats first, then time.
pub(super) struct CartLines {
    pub(super) seats: Vec<Value>,
    pub(super) slots: Vec<Value>,
}

impl CartLines {
    pub(super) fn of(lines: &[LineView], json: impl Fn(&LineView) -> Value) -> Self {
        let (slots, seats): (Vec<&LineView>, Vec<&LineView>) = lines.iter().partition(|line| line.time().is_some());
        Self { seats: seats.into_iter().map(&json).collect(), slots: slots.into_iter().map(&json).collect() }
    }
}

pub(super) fn line(line: &LineView, currency: Currency) -> Value {
    let goods = match &line.goods {
        GoodsView::Seats { performance, seats, .. } => json!({
            "performance": performance.id,
            "title": performance.title,
            "theater": performance.theater,
            "start": performance.start.rfc3339(performance.zone),
            "seats": seats.iter().map(|(_, name)| name).collect::<Vec<_>>(),
            "type": line.kind,
        }),
        GoodsView::Time(time) => object! {
            ? "booking": time.booking,
            ? "parts": (!line.parts.is_empty()).then(|| line.parts.iter().map(|part| part_json(part, time.wall.zone, currency)).collect::<Vec<_>>()),
            ? "segments": time.booking.is_none().then_some(line.count),
            ..time_json(time),
        },
    };
    object! {
        "id": line.id.to_string(),
        "unit_price": amount(line.unit_price, currency),
        "total": amount(line.total, currency),
        ..goods,
    }
}

fn time_json(time: &TimeView) -> Value {
    let zone = time.wall.zone;
    object! {
        time { resource, name },
        "from": time.core.from().rfc3339(zone),
        "until": time.core.until().rfc3339(zone),
        "wanted_from": time.wanted.from().rfc3339(zone),
        "wanted_until": time.wanted.until().rfc3339(zone),
        ..split_slots(&time.kept, time.core, zone),
    }
}

/// Tables of lines: seats, where neighbours are joined, and time.
fn line_tables(lines: &[LineView], currency: Currency) -> Vec<String> {
    let (slots, seats): (Vec<&LineView>, Vec<&LineView>) = lines.iter().partition(|line| line.time().is_some());
    let mut tables = Vec::new();
    if slots.is_empty() || !seats.is_empty() {
        let start = |line: &LineView| {
            let label = line.performance();
            label.map_or(String::new(), |label| day_time(label.start, label.zone))
        };
        let table = Table::of(&seats)
            .numbers("LINE", |line| line.id.number)
            .words("PERFORMANCE", |line| line.title().to_owned())
            .words("START", |line| start(line))
            .words("SEATS", |line| words::seats(line.named()))
            .words("TYPE", |line| line.kind.clone());
        tables.push(prices(table, currency).text_or("It is empty."));
    }
    if !slots.is_empty() {
        let table = Table::of(&slots)
            .numbers("LINE", |line| line.id.number)
            .words("RESOURCE", |line| line.title().to_owned())
            .words("WHEN", |line| line.time().map_or(String::new(), TimeView::dated))
            .numbers("SEGMENTS", |line| line.count);
        tables.push(prices(table, currency).text());
    }
    tables
}

/// Table of what a cart brings back.
fn return_table(returns: &[ReturnedView], currency: Currency) -> String {
    Table::of(returns)
        .numbers("LINE", |one| one.number)
        .words("RETURNED", |one| one.title.clone())
        .words("OF RECEIPT", |one| one.receipt.clone())
        .words("CELLS", |one| one.dated().join(", "))
        .words("TYPE", |one| one.kind.clone())
        .numbers("TOTAL", |one| grouped(-one.total, currency))
        .text()
}

/// Price of one; the parts of a price that rules made.
fn each(line: &LineView, currency: Currency) -> String {
    let part = |part: &PricePart| {
        format!("{} {} x {}", part.rule, part.count, grouped(part.each, currency)).trim_start().to_owned()
    };
    let parts: Vec<String> = line.parts.iter().map(part).collect();
    if parts.is_empty() { grouped(line.unit_price, currency) } else { parts.join(" + ") }
}

/// Part of a price as JSON.
pub(in crate::cli) fn part_json(part: &PricePart, zone: Tz, currency: Currency) -> Value {
    object! {
        part { rule, count },
        "from": part.slot.from().rfc3339(zone),
        "until": part.slot.until().rfc3339(zone),
        "unit_price": amount(part.each, currency),
    }
}

fn prices<'a>(table: Table<'a, &'a LineView>, currency: Currency) -> Table<'a, &'a LineView> {
    table.numbers("EACH", |line| each(line, currency)).numbers("TOTAL", |line| grouped(line.total, currency))
}

/// The state of a cart, with its deadline or receipt.
fn until(view: &CartView, here: Local) -> String {
    let at = view.cart.expires_at.format(here.zone, "%H:%M:%S");
    match (view.state, &view.receipt) {
        (CartState::Active, _) if view.cart.reservation.is_some() => {
            format!("reserved, to be paid by {}", words::day_time(view.cart.expires_at, here))
        }
        (CartState::Active, _) if view.cart.set_aside => format!("set aside until {at}"),
        (CartState::Active, _) => format!("held until {at}"),
        (CartState::Done(_), Some(number)) => format!("paid, receipt {number}"),
        (state, _) => state.word().to_owned(),
    }
}

/// A page of carts; `usual` is the currency of an empty one.
pub(crate) fn list(rows: &[CartRow], here: Local, usual: Currency) -> Rendered {
    let zone = here.zone;
    let one = |row: &CartRow| {
        object! {
            row { id, operator, station, set_aside, title, seats; in zone; created_at, expires_at },
            "state": row.state.word(),
            "customer": customer(&row.customer),
            "total": amount(row.total, row.currency.unwrap_or(usual)),
            "currency": row.currency.unwrap_or(usual).to_string(),
            ? "reservation": row.reservation.map(|one| reservation(one, zone)),
        }
    };
    let table = Table::of(rows)
        .words("CART", |row| tail(&row.id.to_string()))
        .words("STATE", |row| match row.reservation {
            Some(_) => "reserved",
            None if row.set_aside => "set aside",
            None => row.state.word(),
        })
        .words("UNTIL", |row| match row.reservation {
            Some(_) => words::day_time(row.expires_at, here),
            None => row.expires_at.format(zone, "%H:%M:%S"),
        })
        .words("STATION", |row| row.station.clone())
        .words("OPERATOR", |row| row.operator.clone())
        .words("CUSTOMER", |row| row.customer.name.clone())
        .words("PERFORMANCE", |row| row.title.clone())
        .numbers("SEATS", |row| row.seats)
        .numbers("TOTAL", |row| priced(row.total, row.currency.unwrap_or(usual)));
    let people = table.text_or("No cart is open. Open one: willcall cart open");
    let columns = "id state station operator customer.name customer.phone title seats total currency created_at expires_at \
                   set_aside reservation";
    Rendered::list(rows, one, people).columns(columns)
}
