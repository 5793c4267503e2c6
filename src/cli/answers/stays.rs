//! Stays: the guests who arrive, leave, or are in the house.

use crate::cli::answers::tail;
use crate::cli::csv::csv;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::money::{amount, priced};
use crate::domain::time::Local;
use crate::engine::reads::stays::Stay;
use crate::words::presence;

pub(in crate::cli) fn list(stays: &[Stay], here: Local) -> Rendered {
    let one = |stay: &Stay| {
        let (booking, customer) = (&stay.view.booking, &stay.view.customer);
        object! {
            "booking": booking.id,
            "resource": stay.view.taken.first().map(|one| &one.taken.resource),
            "name": stay.name(),
            ? "phone": customer.phone,
            stay { from, until },
            "state": presence(booking).replace(' ', "_"),
            ? "checked_in_at": booking.checked_in_at.map(|at| at.rfc3339(here.zone)),
            ? "checked_out_at": booking.checked_out_at.map(|at| at.rfc3339(here.zone)),
            ? "open": open(stay),
            ? "currency": booking.price.map(|price| price.currency.to_string()),
            ? "note": booking.note,
        }
    };
    let open = |stay: &Stay| match stay.view.booking.price {
        Some(price) if stay.view.booking.open() > 0 => priced(stay.view.booking.open(), price.currency),
        _ => String::new(),
    };
    let table = Table::of(stays)
        .words("GUEST", Stay::name)
        .words("PHONE", |stay| stay.view.customer.phone.clone())
        .words("ROOM", |stay| stay.room.clone())
        .words("FROM", |stay| here.date(stay.from))
        .words("UNTIL", |stay| here.date(stay.until))
        .numbers("OPEN", open)
        .words("STATE", |stay| presence(&stay.view.booking))
        .words("ID", |stay| tail(&stay.view.booking.id.to_string()));
    Rendered::list(stays, one, table.text_or("Nobody."))
}

pub(in crate::cli) fn csv_of(stays: &[Stay]) -> String {
    let titles = ["name", "phone", "room", "from", "until", "open", "currency", "state", "booking"];
    let fields = stays.iter().map(|stay| {
        let booking = &stay.view.booking;
        [
            stay.name(),
            stay.view.customer.phone.clone(),
            stay.room.clone(),
            stay.from.to_string(),
            stay.until.to_string(),
            open(stay).unwrap_or_default(),
            booking.price.map_or(String::new(), |price| price.currency.to_string()),
            presence(booking).to_owned(),
            booking.id.to_string(),
        ]
    });
    csv(titles, fields)
}

/// Amount that is not paid, without its currency.
fn open(stay: &Stay) -> Option<String> {
    let booking = &stay.view.booking;
    booking.price.map(|price| amount(booking.open().max(0), price.currency))
}
