//! Stays: the guests who arrive, leave, or are in the house.

use crate::cli::answers::tail;
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
            "room": stay.room,
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
    let columns = "name phone room from until open currency state booking resource note checked_in_at checked_out_at";
    Rendered::list(stays, one, table.text_or("Nobody.")).columns(columns)
}

/// Amount that is not paid, without its currency.
fn open(stay: &Stay) -> Option<String> {
    let booking = &stay.view.booking;
    booking.price.map(|price| amount(booking.open().max(0), price.currency))
}
