//! Performances: one with its holds, and a page of them.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::out_of_use::lost_by;
use crate::cli::answers::{day_time, slots, tail, worklist};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::ids::CartId;
use crate::domain::money::{Price, amount, grouped, priced};
use crate::domain::performance::{ADULT, PerformanceState, Theater, TicketPrice};
use crate::domain::time::{Instant, Local};
use crate::engine::ops::{Nights, Opened};
use crate::engine::reads::Listed;
use crate::engine::reads::catalog::{HallView, Hold, PerformanceView};
use crate::engine::reads::customers::PerformanceCustomer;
use crate::engine::reads::tonight::PerformanceRow;
use crate::engine::reads::worklist::WorkView;
use crate::words;

/// A performance with its prices and the carts that hold seats of it.
pub(in crate::cli) fn performance(view: &PerformanceView, now: Instant) -> Rendered {
    let (performance, zone) = (&view.performance, view.theater.time_zone);
    let canceled = match performance.state {
        PerformanceState::Open => "",
        PerformanceState::Canceled => "  CANCELED",
        PerformanceState::Retired => "  RETIRED",
    };
    let mut parts = vec![format!(
        "{}{canceled}  {}\n{} at {}\n{} of {} seats free",
        performance.title,
        tail(&performance.id.to_string()),
        from_to(performance.start, performance.end, zone),
        view.theater.name,
        view.free,
        view.seats
    )];
    let moves = words::postponed(performance, Local { now, zone });
    parts.extend(Some(words::capital(&moves.join("\n"))).filter(|text| !text.is_empty()));
    parts.extend(Some(performance.description.clone()).filter(|text| !text.is_empty()));
    parts.extend(hall(view).map(|hall| hall_words(hall, zone)));
    parts.push(prices(view));
    if !view.holds.is_empty() {
        parts.push(holds(view));
    }
    Rendered::new(json(view), parts.join("\n\n"))
}

/// A performance with the broken seats of the theater that its plan lacks.
pub(in crate::cli) fn with_lacking(view: &PerformanceView, lacking: &[String], now: Instant) -> Rendered {
    let Rendered { json, people, .. } = performance(view, now);
    Rendered::new(object!(..json, ? "lacking": lacking), people)
}

/// The customers of a performance, by name.
pub(in crate::cli) fn customers(rows: &[PerformanceCustomer]) -> Rendered {
    let table = Table::of(rows)
        .words("CUSTOMER", |row| row.customer.name.clone())
        .words("PHONE", |row| row.customer.phone.clone())
        .words("ORDER", order)
        .words("SEATS", |row| words::span_of(&row.seats))
        .numbers("PAID", |row| told(row.paid));
    Rendered::list(rows, customer, table.text_or("Nobody has seats."))
        .columns("name phone receipt cart seats paid currency")
}

fn customer(row: &PerformanceCustomer) -> Value {
    object! {
        "name": row.customer.name,
        "phone": row.customer.phone,
        "cart": row.cart,
        "seats": row.seats,
        ? "receipt": row.number,
        ? "paid": row.paid.map(|paid| amount(paid.minor, paid.currency)),
        ? "currency": row.paid.or(row.owed).map(|price| price.currency.to_string()),
    }
}

/// Customers who may come for tickets, by last name.
pub(in crate::cli) fn door(rows: &[PerformanceCustomer]) -> Rendered {
    let one = |row: &PerformanceCustomer| {
        object! {
            ..customer(row),
            "last_first": row.customer.last_first(),
            "types": row.types.iter().map(|(kind, count)| json!({ "type": kind, "seats": count })).collect::<Value>(),
            ? "owed": row.owed.map(|owed| amount(owed.minor, owed.currency)),
            "tickets": words::door_state(row),
        }
    };
    let table = Table::of(rows)
        .words("NAME", |row| row.customer.last_first())
        .words("SEATS", |row| words::span_of(&row.seats))
        .words("TYPES", types)
        .numbers("PAID", |row| told(row.paid))
        .numbers("OWED", |row| told(row.owed))
        .words("PHONE", |row| row.customer.phone.clone())
        .words("TICKETS", words::door_state)
        .words("ORDER", order);
    let columns = "last_first seats types paid owed currency phone tickets receipt cart name";
    Rendered::list(rows, one, table.text_or("Nobody is expected.")).columns(columns)
}

/// Seats by ticket type: `2 Adult, 1 Child`.
fn types(row: &PerformanceCustomer) -> String {
    let counts = row.types.iter().map(|(kind, count)| format!("{count} {kind}"));
    counts.collect::<Vec<_>>().join(", ")
}

fn told(price: Option<Price>) -> String {
    price.map_or(String::new(), |price| priced(price.minor, price.currency))
}

/// Number of the receipt, or the cart that is not paid.
fn order(row: &PerformanceCustomer) -> String {
    let cart = || format!("cart {}", tail(&row.cart.to_string()));
    row.number.clone().unwrap_or_else(cart)
}

/// A performance that moved, with the customers to call.
pub(in crate::cli) fn postponed(view: &PerformanceView, customers: &[PerformanceCustomer], now: Instant) -> Rendered {
    let Rendered { json, people, .. } = performance(view, now);
    let calls = (!customers.is_empty()).then(|| {
        let orders = words::count(customers.len(), "order");
        format!("Tell {orders}; tickets printed before are void:")
    });
    let list = self::customers(customers);
    let table = Some(list.people).filter(|_| !customers.is_empty());
    Rendered::new(object!(..json, "customers": list.json), people).noted(calls.as_deref()).noted(table.as_deref())
}

/// A canceled performance, with the orders that it displaced and the open carts that lost seats.
pub(in crate::cli) fn canceled(
    view: &PerformanceView,
    (displaced, carts): (&[WorkView], &[CartId]),
    now: Instant,
) -> Rendered {
    let zone = view.theater.time_zone;
    let lost = (!carts.is_empty()).then(|| lost_by(carts));
    let work = worklist::list(displaced, zone);
    let items = Some(work.people).filter(|_| !displaced.is_empty());
    let Rendered { json, people, .. } = performance(view, now);
    let json = object!(..json, "displaced": work.json, "carts": carts);
    Rendered::new(json, people).noted(lost.as_deref()).noted(items.as_deref())
}

fn json(view: &PerformanceView) -> Value {
    let (performance, zone) = (&view.performance, view.theater.time_zone);
    let money = |minor| amount(minor, performance.currency);
    let price = |price: &TicketPrice| {
        object! {
            "category": category(view, price),
            "type": ticket_type(price),
            "price": money(price.minor),
            ? "list": price.list,
        }
    };
    let hold = |hold: &Hold| {
        object! {
            hold { cart, seats; in zone; until },
            "unit_price": money(hold.unit_price),
            "total": money(hold.total),
        }
    };
    let hall_json = |hall: &HallView| {
        object! {
            hall { name, booking },
            "from": hall.slot.from().rfc3339(zone),
            "until": hall.slot.until().rfc3339(zone),
            "lost": slots(&hall.lost, zone),
        }
    };
    let postponed = performance.postponed.iter().map(|one| {
        object! { one { reason, operator; in zone; from, at }, }
    });
    object! {
        performance { id, title, description, state; in zone; start, end },
        "theater": view.theater.name,
        "theater_id": view.theater.id,
        "time_zone": zone.to_string(),
        "currency": performance.currency.to_string(),
        "prices": performance.prices.iter().map(price).collect::<Vec<_>>(),
        ? "capacity": performance.capacity.iter().map(|one| format!("{}={}", one.area, one.places)).collect::<Vec<_>>(),
        view { seats, free },
        "holds": view.holds.iter().map(hold).collect::<Vec<_>>(),
        ? "postponed": postponed.collect::<Vec<_>>(),
        ? "hall": hall(view).map(hall_json),
    }
}

/// Start and end: `Tue 1 Dec 2099 19:30 to 21:30`; an end on another day has its day.
fn from_to(start: Instant, end: Instant, zone: Tz) -> String {
    let date = |at: Instant| at.in_zone(zone).date_naive();
    let until = if date(start) == date(end) { end.format(zone, "%H:%M") } else { day_time(end, zone) };
    format!("{} to {until}", day_time(start, zone))
}

/// The hall of an open performance; that of a canceled one is free again.
fn hall(view: &PerformanceView) -> Option<&HallView> {
    let is_open = view.performance.state == PerformanceState::Open;
    view.hall.as_ref().filter(|_| is_open)
}

fn hall_words(hall: &HallView, zone: Tz) -> String {
    let said = format!("Hall: {}, {}", hall.name, hall.slot.dated(zone));
    let lost: Vec<String> = hall.lost.iter().map(|slot| slot.dated(zone)).collect();
    if lost.is_empty() { said } else { format!("{said}; OUT OF USE {}", lost.join(", ")) }
}

fn category(view: &PerformanceView, price: &TicketPrice) -> Option<String> {
    let categories = &view.seating.plan.categories;
    let category = categories.get(usize::from(price.category?))?;
    Some(category.name.clone())
}

fn ticket_type(price: &TicketPrice) -> String {
    price.ticket_type.clone().unwrap_or_else(|| ADULT.into())
}

fn prices(view: &PerformanceView) -> String {
    let currency = view.performance.currency;
    let prices = &view.performance.prices;
    let table = Table::of(prices)
        .words("CATEGORY", |price| category(view, price).unwrap_or_else(|| "all".into()))
        .words("TYPE", ticket_type)
        .numbers("PRICE", |price| priced(price.minor, currency));
    if prices.iter().all(|price| price.list.is_none()) {
        return table.text();
    }
    table.words("LIST", |price| price.list.clone().unwrap_or_default()).text()
}

fn holds(view: &PerformanceView) -> String {
    let (currency, zone) = (view.performance.currency, view.theater.time_zone);
    Table::of(&view.holds)
        .words("HELD BY", |hold| tail(&hold.cart.to_string()))
        .words("SEATS", |hold| hold.seats.join(","))
        .numbers("TOTAL", |hold| grouped(hold.total, currency))
        .words("UNTIL", |hold| hold.until.rfc3339(zone))
        .text()
}

/// Performances that were opened in one act, by their dates.
pub(in crate::cli) fn nights(nights: &Nights, theater: &Theater, now: Instant) -> Rendered {
    let here = Local { now, zone: theater.time_zone };
    let one = |one: &Opened| object!(one.performance { id, title; in here.zone; start, end }, ? "lacking": one.lacking);
    let table = Table::of(&nights.opened)
        .words("START", |one| day_time(one.performance.start, here.zone))
        .words("END", |one| one.performance.end.format(here.zone, "%H:%M"))
        .words("TITLE", |one| one.performance.title.clone())
        .words("ID", |one| tail(&one.performance.id.to_string()));
    let closed: Vec<String> = nights.closed.iter().map(|slot| slot.dated(here.zone)).collect();
    let note = (!closed.is_empty()).then(|| format!("Left out, for the house is closed: {}", closed.join(", ")));
    let json = object! {
        "theater": theater.name,
        "performances": nights.opened.iter().map(one).collect::<Vec<_>>(),
        "closed": slots(&nights.closed, here.zone),
    };
    let opened = words::count(nights.opened.len(), "performance");
    let people = format!("{}\n\n{opened} at {}", table.text(), theater.name);
    Rendered::new(json, people).noted(note.as_deref())
}

pub(crate) fn list(rows: &[PerformanceRow], listed: Listed) -> Rendered {
    let one = |row: &PerformanceRow| {
        let state = match listed {
            Listed::Retired => PerformanceState::Retired,
            Listed::InUse if row.canceled => PerformanceState::Canceled,
            Listed::InUse => PerformanceState::Open,
        };
        object!(row { id, title, theater, seats, free; in row.zone; start, end }, "state": state)
    };
    let table = Table::of(rows)
        .words("START", |row| day_time(row.start, row.zone))
        .words("TITLE", |row| row.title.clone())
        .words("THEATER", |row| row.theater.clone())
        .numbers("FREE", |row| row.free)
        .numbers("SEATS", |row| row.seats)
        .words("ID", |row| tail(&row.id.to_string()))
        .words("", |row| if row.canceled { "canceled" } else { "" });
    let people = table.text_or("No performance yet. Add one: willcall help performance add");
    Rendered::list(rows, one, people).columns("id title theater state start end seats free")
}
