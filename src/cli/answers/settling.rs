//! Settled orders of a canceled performance, and the cards that money goes back to.

use serde_json::Value;

use crate::cli::answers::receipt::paid_back;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::correction::{BackBy, PaidBack};
use crate::domain::money::amount;
use crate::domain::receipt::Receipt;
use crate::engine::reads::settling::CanceledOrder;
use crate::words;

/// Orders with the corrections that settle them, and how many are left.
pub(in crate::cli) fn settled(done: &[(CanceledOrder, Receipt)], left: usize) -> Rendered {
    let one = |(order, by): &(CanceledOrder, Receipt)| {
        let back = back(by).iter().map(|one| paid_back(one, by.currency));
        object! {
            "receipt": order.receipt.number,
            "refund": by.number,
            "name": order.customer.name,
            "phone": order.customer.phone,
            "seats": order.seats,
            "currency": by.currency.to_string(),
            "paid_back": back.collect::<Vec<_>>(),
        }
    };
    let words =
        |(_, by): &(CanceledOrder, Receipt)| format!("{} {}", by.currency, words::paid_back(back(by), by.currency));
    let table = Table::of(done)
        .words("ORDER", |(order, _)| order.receipt.number.clone())
        .words("CUSTOMER", |(order, _)| order.customer.name.clone())
        .words("PHONE", |(order, _)| order.customer.phone.clone())
        .words("REFUND", |(_, by)| by.number.clone())
        .words("BACK", words);
    let people = table.text_or("Nothing was to be settled.");
    let left = (left > 0).then(|| format!("{} left to settle.", words::count(left, "order")));
    Rendered::list(done, one, people).noted(left.as_deref())
}

/// Money that goes back to cards for a canceled performance.
pub(in crate::cli) fn cards(orders: &[CanceledOrder]) -> Rendered {
    let rows = orders.iter().flat_map(|order| {
        order.settled.iter().flat_map(move |by| {
            back(by).iter().filter_map(move |one| {
                let BackBy::Card { reference } = &one.by else {
                    return None;
                };
                Some(object! {
                    order.customer { name, phone },
                    "receipt": order.receipt.number,
                    "refund": by.number,
                    "card": reference,
                    "amount": amount(one.minor, by.currency),
                    "currency": by.currency.to_string(),
                })
            })
        })
    });
    let columns = "name phone receipt refund card amount currency";
    Rendered::new(rows.collect::<Value>(), "").columns(columns)
}

fn back(by: &Receipt) -> &[PaidBack] {
    by.correction.as_ref().map_or(&[], |one| &one.paid_back)
}
