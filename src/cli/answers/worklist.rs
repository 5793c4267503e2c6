//! The worklist: items that an operator has to deal with.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::{day_time, slots, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::house::{WorkKind, WorkState};
use crate::domain::loss::CellGroup;
use crate::domain::money::{amount, priced};
use crate::domain::refusal::Alternative;
use crate::domain::time::{Local, Slot};
use crate::engine::reads::offers::FreeEqual;
use crate::engine::reads::worklist::WorkView;
use crate::words;

pub(in crate::cli) fn item(view: &WorkView, zone: Tz) -> Rendered {
    Rendered::new(json(view, zone), items(std::slice::from_ref(view), zone))
}

/// Items, unissued payments first, then oldest first.
pub(in crate::cli) fn list(views: &[WorkView], zone: Tz) -> Rendered {
    Rendered::list(views, |view| json(view, zone), items(views, zone))
}

/// Items, each with its offers.
pub(in crate::cli) fn list_with_offers(views: &[WorkView], offers: &[Vec<FreeEqual>], zone: Tz) -> Rendered {
    let rows: Vec<(&WorkView, &Vec<FreeEqual>)> = views.iter().zip(offers).collect();
    let one = |(view, offers): &(&WorkView, &Vec<FreeEqual>)| with_cells(view, offers, zone);
    let columns = "id kind since state order customer phone title lost price reason resource slots booking receipt cart reference \
                   station amount currency calendar name here there offers";
    Rendered::list(&rows, one, items(views, zone)).columns(columns)
}

/// An item with the free equals of what was lost.
pub(in crate::cli) fn with_offers(view: &WorkView, offers: &[FreeEqual], here: Local) -> Rendered {
    let Local { now, zone } = here;
    let json = with_cells(view, offers, zone);
    let free = match offers {
        [] if matches!(view.item.what, WorkKind::Differs { .. }) => None,
        [] => Some("Nothing like it is free.".to_owned()),
        offers => {
            let words: Vec<String> = offers.iter().map(|one| words::offer(&one.cells, now)).collect();
            Some(format!("Free instead: {}.", words.join("; ")))
        }
    };
    Rendered::new(json, items(std::slice::from_ref(view), zone)).noted(free.as_deref())
}

fn with_cells(view: &WorkView, offers: &[FreeEqual], zone: Tz) -> Value {
    let cells: Vec<&Alternative> = offers.iter().map(|offer| &offer.cells).collect();
    object!(..json(view, zone), "offers": cells)
}

pub(super) fn json(view: &WorkView, zone: Tz) -> Value {
    let of_its_kind = match &view.item.what {
        WorkKind::Displaced { loss, .. } => {
            let (resource, lost) = match &loss.cells {
                CellGroup::Seats { performance, .. } => (performance.to_string(), Vec::new()),
                CellGroup::Time { resource, slots: lost } => (resource.to_string(), slots(lost, zone)),
            };
            object! {
                "resource": resource,
                "reason": loss.reason,
                ? "slots": lost,
            }
        }
        WorkKind::Overpaid { booking, minor, currency } => json!({
            "booking": booking,
            "amount": amount(*minor, *currency),
            "currency": currency.to_string(),
        }),
        WorkKind::Differs { calendar, name, resource, here, there, title } => {
            let slot = |slot: &Option<Slot>| slot.and_then(|slot| slots(&[slot], zone).pop());
            object! {
                "calendar": calendar,
                "name": name,
                "resource": resource,
                ? "here": slot(here),
                ? "there": slot(there),
                ? "title": title,
            }
        }
        WorkKind::Overridden { receipt, minor, currency } => json!({
            "receipt": receipt,
            "amount": amount(*minor, *currency),
            "currency": currency.to_string(),
        }),
        WorkKind::UnissuedPayment { cart, reference, minor, currency, station } => json!({
            "resource": view.performance,
            "cart": cart,
            "reference": reference,
            "amount": amount(*minor, *currency),
            "currency": currency.to_string(),
            "station": station,
        }),
    };
    object! {
        view.item { id; in zone; since },
        "kind": view.item.what.word(),
        "order": view.owner,
        "lost": view.seats,
        "state": match view.item.state {
            WorkState::Open => "open",
            WorkState::Resolved { .. } => "resolved",
        },
        ..of_its_kind,
        ? "customer": view.customer.name,
        ? "phone": view.customer.phone,
        ? "title": view.title,
        ? "price": view.price.map(|price| amount(price.minor, price.currency)),
    }
}

/// The owner, with its customer where known.
fn owner(view: &WorkView) -> String {
    let mut known = vec![view.owner.as_str(), &view.customer.name, &view.customer.phone];
    known.retain(|words| !words.is_empty());
    known.dedup();
    known.join(", ")
}

/// The reason, or the payment to give back.
fn why(view: &WorkView) -> String {
    match &view.item.what {
        WorkKind::Displaced { loss, .. } => loss.reason.clone(),
        WorkKind::Overpaid { minor, currency, .. } => {
            format!("give back {}, paid beyond its price", priced(*minor, *currency))
        }
        WorkKind::Differs { calendar, .. } => {
            format!("{calendar} says otherwise; accept it, or move or cancel it, or waive this")
        }
        WorkKind::Overridden { minor, currency, .. } => {
            format!("{} went back otherwise than paid; approve it", priced(*minor, *currency))
        }
        WorkKind::UnissuedPayment { reference, minor, currency, .. } => {
            format!("give back {}, card {reference}", priced(*minor, *currency))
        }
    }
}

pub(super) fn items(views: &[WorkView], zone: Tz) -> String {
    Table::of(views)
        .words("SINCE", |view| day_time(view.item.since, zone))
        .words("OWNER", owner)
        .words("OF", |view| view.title.clone())
        .words("WHAT", |view| view.seats.join(if view.performance.is_some() { "," } else { ", " }))
        .words("WHY", why)
        .words("PAID", |view| {
            let price = view.price;
            price.map_or(String::new(), |price| priced(price.minor, price.currency))
        })
        .words("ID", |view| tail(&view.item.id.to_string()))
        .text_or("Nothing waits.")
}
