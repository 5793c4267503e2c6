//! Credits: one with its receipts, and a page of them.

use serde_json::Value;

use crate::cli::answers::{customer, day_time};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::money::{amount, priced};
use crate::engine::reads::credits::CreditView;

pub(in crate::cli) fn list(views: &[CreditView]) -> Rendered {
    let table = Table::of(views)
        .words("CREDIT", |view| view.credit.code.to_string())
        .words("CUSTOMER", |view| view.customer.name.clone())
        .words("SINCE", |view| {
            let first = view.entries.first();
            first.map_or_else(String::new, |first| day_time(first.at, view.zone))
        })
        .numbers("OWED", |view| priced(view.credit.owed(), view.credit.currency))
        .numbers("LEFT", |view| priced(view.credit.left(), view.credit.currency));
    Rendered::list(views, json, table.text_or("Nothing is owed to anybody."))
        .columns("code customer.name customer.phone owed left currency until receipts")
}

pub(in crate::cli) fn credit(view: &CreditView) -> Rendered {
    let (credit, zone) = (&view.credit, view.zone);
    let table = Table::of(&view.entries)
        .words("RECEIPT", |entry| entry.receipt.clone())
        .words("WHEN", |entry| day_time(entry.at, zone))
        .numbers("AMOUNT", |entry| priced(entry.minor, credit.currency));
    let until = credit.until.map_or_else(String::new, |until| format!(", until {}", day_time(until, zone)));
    let of = match view.customer.name.as_str() {
        "" => String::new(),
        name => format!(" of {name}"),
    };
    let people = format!(
        "Credit {}{of}: {} left of {}{until}\n\n{}",
        credit.code,
        priced(credit.left(), credit.currency),
        priced(credit.owed(), credit.currency),
        table.text_or("")
    );
    Rendered::new(json(view), people)
}

fn json(view: &CreditView) -> Value {
    let credit = &view.credit;
    let entries = view.entries.iter().map(|entry| {
        object! {
            entry { receipt; in view.zone; at },
            "amount": amount(entry.minor, credit.currency),
        }
    });
    object! {
        "code": credit.code.to_string(),
        "customer": customer(&view.customer),
        "currency": credit.currency.to_string(),
        "owed": amount(credit.owed(), credit.currency),
        "left": amount(credit.left(), credit.currency),
        "until": credit.until.map(|until| until.rfc3339(view.zone)),
        "receipts": entries.collect::<Vec<_>>(),
    }
}
