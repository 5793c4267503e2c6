//! Tills: one as its paper has it, and a list.

use serde_json::{Value, json};

use crate::cli::answers::day_time;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::money::{amount, priced};
use crate::domain::till::{Drawer, MeansKind, MoneyFlow, Till};
use crate::engine::reads::tills::TillView;
use crate::formats;
use crate::words::tills::{counted, difference};

/// A till; of a counted one, what is missing.
pub(in crate::cli) fn paper(view: &TillView) -> Rendered {
    let text = formats::till::text(&view.till, &view.paper, view.zone);
    let note = format!("Counted and closed: {}.", counted(&view.till));
    let is_closed = view.till.closed.is_some();
    Rendered::new(json(view), text.trim_end()).noted(is_closed.then_some(note.as_str()))
}

pub(in crate::cli) fn list(views: &[TillView]) -> Rendered {
    let rows = views.iter().flat_map(|view| view.till.drawers.iter().map(move |drawer| (view, drawer)));
    let rows: Vec<(&TillView, &Drawer)> = rows.collect();
    let table = Table::of(&rows)
        .words("TILL", |(view, _)| view.till.key())
        .words("OPENED", |(view, _)| day_time(view.till.opened_at, view.zone))
        .words("BY", |(view, _)| view.till.operator.clone())
        .words("CLOSED", |(view, _)| {
            view.till.closed.as_ref().map_or_else(|| "open".to_owned(), |end| day_time(end.at, view.zone))
        })
        .numbers("RECEIPTS", |(view, _)| view.till.receipts())
        .numbers("CASH", |(_, one)| priced(one.cash.net(), one.currency))
        .numbers("CARD", |(_, one)| priced(one.card.net(), one.currency))
        .numbers("EXPECTED", |(_, one)| priced(one.expected(), one.currency))
        .numbers("COUNTED", |(_, one)| one.counted.map_or_else(String::new, |counted| priced(counted, one.currency)))
        .words("DIFFERENCE", |(_, one)| {
            one.difference().map_or_else(String::new, |minor| difference(minor, one.currency))
        });
    let columns = "till opened_at opened_by closed_at closed_by receipts currency float added dropped cash card owed expected \
                   counted difference";
    let people = table.text_or("No till was opened.");
    Rendered::list(views, json, people).rows(columns, rows.iter().map(|(view, one)| drawer(view, one)).collect())
}

/// A drawer of a till, for a spreadsheet.
fn drawer(view: &TillView, one: &Drawer) -> Value {
    let (till, money) = (&view.till, |minor: i64| amount(minor, one.currency));
    let end = till.closed.as_ref();
    object! {
        "till": till.key(),
        "opened_at": till.opened_at.rfc3339(view.zone),
        "opened_by": till.operator,
        "closed_at": end.map(|end| end.at.rfc3339(view.zone)),
        "closed_by": end.map(|end| &end.operator),
        "receipts": till.receipts(),
        "currency": one.currency.to_string(),
        "float": money(one.float),
        "added": money(one.added),
        "dropped": money(one.dropped),
        "cash": money(one.cash.net()),
        "card": money(one.card.net()),
        "owed": money(one.owed.net()),
        "expected": money(one.expected()),
        "counted": one.counted.map(money),
        "difference": one.difference().map(money),
    }
}

fn json(view: &TillView) -> Value {
    let till: &Till = &view.till;
    let drawers = till.drawers.iter().map(|one| {
        let money = |minor: i64| amount(minor, one.currency);
        let flow = |(means, MoneyFlow { taken, back }): (MeansKind, MoneyFlow)| {
            (means.word().to_owned(), json!({ "taken": money(taken), "back": money(back) }))
        };
        let flows: serde_json::Map<String, Value> = one.flows().into_iter().map(flow).collect();
        object! {
            "currency": one.currency.to_string(),
            "float": money(one.float),
            "added": money(one.added),
            "dropped": money(one.dropped),
            ..Value::Object(flows),
            "expected": money(one.expected()),
            ? "counted": one.counted.map(money),
            ? "difference": one.difference().map(money),
        }
    });
    let moves = till.moves.iter().map(|one| {
        object! {
            one { reason, operator; in view.zone; at },
            "way": one.way.word(),
            "amount": amount(one.minor, one.currency),
            "currency": one.currency.to_string(),
        }
    });
    let end = till.closed.as_ref();
    object! {
        till { station, number, operator; in view.zone; opened_at },
        "state": if end.is_some() { "closed" } else { "open" },
        ? "closed_at": end.map(|end| end.at.rfc3339(view.zone)),
        ? "closed_by": end.map(|end| end.operator.clone()),
        "receipts": till.receipts(),
        "drawers": drawers.collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
    }
}
