//! Bookings: one object for each resource that one takes; and time that is taken without one.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::calendar::{dated, owner_id, title};
use crate::cli::answers::{slots, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::booking::BookingState;
use crate::domain::calendar::State;
use crate::domain::money::{amount, grouped, priced};
use crate::domain::time::{Slot, Wall, hull};
use crate::engine::reads::bookings::{BookingView, TakenView};
use crate::engine::reads::taken::TakenTime;
use crate::words::presence;

/// A row of a list of bookings, as JSON and as cells.
pub(in crate::cli) struct Row {
    pub(in crate::cli) json: Value,
    resource: String,
    when: String,
    wanted: String,
    title: String,
    state: String,
    price: String,
    /// The booking's id; empty for time taken without a booking.
    booking: String,
}

/// Rows of a booking, one for each resource that was asked for.
pub(in crate::cli) fn rows(view: &BookingView) -> impl Iterator<Item = Row> {
    let rows = view.taken.iter().zip(0..);
    rows.map(|(taken, at)| {
        let row = row(view, taken);
        // the price of all that a booking takes stands in its first row
        let price = if at == 0 { row.price } else { String::new() };
        Row { price, ..row }
    })
}

fn row(of: &BookingView, view: &TakenView) -> Row {
    let booking = &of.booking;
    let (taken, wall) = (&view.taken, view.wall);
    let zone = wall.zone;
    let kept = booking.listed(taken);
    let core = hull(&kept).unwrap_or(taken.core);
    let price = booking.price;
    let state = match booking.state {
        BookingState::Active => "active",
        BookingState::Canceled => "canceled",
    };
    let json = object! {
        "booking": booking.id,
        "resource": taken.resource,
        "from": core.from().rfc3339(zone),
        "until": core.until().rfc3339(zone),
        "wanted_from": taken.wanted.from().rfc3339(zone),
        "wanted_until": taken.wanted.until().rfc3339(zone),
        "title": of.title(),
        "cause": booking.cause.word(),
        "state": state,
        ? "customer": of.customer.name,
        ? "note": booking.note,
        ? "checked_in_at": booking.checked_in_at.map(|at| at.rfc3339(zone)),
        ? "checked_out_at": booking.checked_out_at.map(|at| at.rfc3339(zone)),
        ? "price": price.map(|price| amount(price.minor, price.currency)),
        ? "currency": price.map(|price| price.currency.to_string()),
        ? "paid": price.map(|price| amount(booking.paid(), price.currency)),
        ? "receipts": booking.payments.iter().map(|one| one.receipt).collect::<Vec<_>>(),
        ? "series": booking.series,
        ? "calendar": booking.brought.as_ref().map(|brought| &brought.calendar).filter(|name| !name.is_empty()),
        ..split_slots(&kept, core, zone),
    };
    Row {
        json,
        resource: view.name.clone(),
        when: stretches(&kept, wall),
        wanted: if taken.wanted == core { String::new() } else { taken.wanted.dated(wall) },
        title: of.title().to_owned(),
        state: match booking.state {
            BookingState::Active if booking.checked_in_at.is_some() => presence(booking).to_owned(),
            BookingState::Active | BookingState::Canceled => state.to_owned(),
        },
        price: price.map_or_else(String::new, |price| match booking.paid() {
            0 => priced(price.minor, price.currency),
            paid => format!("{}, paid {}", priced(price.minor, price.currency), grouped(paid, price.currency)),
        }),
        booking: booking.id.to_string(),
    }
}

/// The stretches taken, if they are not one from start to end.
pub(super) fn split_slots(kept: &[Slot], core: Slot, zone: Tz) -> Value {
    if kept == [core] { Value::Null } else { json!({ "taken": slots(kept, zone) }) }
}

fn stretches(slots: &[Slot], wall: Wall) -> String {
    let told: Vec<String> = slots.iter().map(|slot| slot.dated(wall)).collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
}

/// Time taken without a booking: by a cart, by a receipt, or until further notice.
pub(in crate::cli) fn taken(time: &TakenTime, zone: Tz) -> Row {
    let period = &time.period;
    let nights = time.nights;
    let wall = Wall { zone, nights };
    let wanted = period.wanted.filter(|wanted| *wanted != period.slot);
    let json = object! {
        "resource": time.resource.0,
        "from": period.slot.from().rfc3339(zone),
        "until": period.slot.until().rfc3339(zone),
        "title": period.title,
        "cause": match period.state {
            State::Held => "cart",
            State::OutOfService => "out of service",
            State::Maintenance | State::Relocation | State::Occupied | State::Disabled => {
                period.state.word()
            }
            State::Free | State::Booked | State::Closed | State::NotOpen => "receipt",
        },
        "state": period.state.word(),
        "until_further_notice": period.is_endless(),
        ? "wanted_from": wanted.map(|wanted| wanted.from().rfc3339(zone)),
        ? "wanted_until": wanted.map(|wanted| wanted.until().rfc3339(zone)),
        ? "customer": period.customer,
        ? "owner": period.owner.as_ref().map(owner_id),
        ? "operator": period.operator,
        ? "approved": period.approved.as_ref(),
    };
    // an act without an end is put back by its id
    let act = period.owner.as_ref().filter(|_| period.is_endless());
    Row {
        json,
        resource: time.resource.1.clone(),
        when: dated(period, wall),
        wanted: wanted.map_or(String::new(), |wanted| wanted.dated(wall)),
        title: title(period),
        state: period.state.word().replace('_', " "),
        price: String::new(),
        booking: act.map_or_else(String::new, owner_id),
    }
}

/// A skipped time of a recurrence or an imported file: its bounds as local times or as instants, the refusal or a word,
/// and a sentence.
pub(in crate::cli) fn left_out((from, until): (String, String), why: &Value, said: String) -> Rendered {
    let json = json!({ "wanted_from": from, "wanted_until": until, "skipped": why });
    Rendered::new(json, said)
}

pub(in crate::cli) fn bounds(slot: Slot, zone: Tz) -> (String, String) {
    (slot.from().rfc3339(zone), slot.until().rfc3339(zone))
}

/// Bookings that one operation made or changed: an object for one, a list for several.
pub(in crate::cli) fn done(views: &[BookingView]) -> Rendered {
    let rows: Vec<Row> = views.iter().flat_map(rows).collect();
    let mut done = list(&rows, &[]);
    if let [one] = rows.as_slice() {
        done.json = one.json.clone();
    }
    done
}

/// Bookings, then the times that were left out.
pub(in crate::cli) fn list(rows: &[Row], left_out: &[Rendered]) -> Rendered {
    let table = Table::of(rows)
        .words("RESOURCE", |row| row.resource.clone())
        .words("WHEN", |row| row.when.clone())
        .words("WANTED", |row| row.wanted.clone())
        .words("TITLE", |row| row.title.clone())
        .words("STATE", |row| row.state.clone())
        .words("PRICE", |row| row.price.clone())
        .words("ID", |row| match row.booking.as_str() {
            "" => String::new(),
            id => tail(id),
        });
    let mut lines = vec![table.text_or("Nothing was booked.")];
    let said = left_out.iter().map(|one| &one.people);
    lines.extend(said.map(|said| format!("Left out: {said}")));
    let objects = rows.iter().map(|row| &row.json);
    let objects = objects.chain(left_out.iter().map(|one| &one.json)).cloned();
    let columns = "booking resource from until title state cause customer note price currency paid receipts checked_in_at \
                   checked_out_at wanted_from wanted_until taken series owner operator approved until_further_notice";
    Rendered::new(objects.collect::<Value>(), lines.join("\n")).columns(columns)
}
