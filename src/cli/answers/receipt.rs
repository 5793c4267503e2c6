//! Receipts: one with its lines and payments, and a page of them.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::cart::{CartLines, line};
use crate::cli::answers::returned::returned;
use crate::cli::answers::{customer, day_time, worklist};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::correction::{BackBy, PaidBack};
use crate::domain::money::{Currency, amount, priced};
use crate::domain::receipt::{MadeAgain, Means, Papers, Payment};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Local};
use crate::engine::reads::receipts::{ReceiptRow, ReceiptView};
use crate::engine::reads::worklist::WorkView;
use crate::words;
use crate::words::printing;

/// Note on receipts that were not issued.
pub(in crate::cli) const REHEARSED: &str = "Nothing was done: this is what it would issue.";

/// A receipt, and the charge of its card beyond the total.
pub(in crate::cli) fn with_owed(view: &ReceiptView, owed: &WorkView, here: Local) -> Rendered {
    let Rendered { json, people, .. } = receipt(view, None, here.now);
    let owed = worklist::item(owed, here.zone);
    let people =
        format!("{people}\nThe card was charged more than this. The rest is on the worklist:\n\n{}", owed.people);
    Rendered::new(object!(..json, ? "owed": owed.json), people)
}

/// A receipt; `text` is what was printed.
pub(in crate::cli) fn receipt(view: &ReceiptView, text: Option<&str>, now: Instant) -> Rendered {
    let (receipt, zone) = (&view.receipt, view.zone);
    let currency = receipt.currency;
    let codes_of = |line: u32| -> Vec<String> {
        let its = view.codes.iter().filter(|(place, _)| place.line == line);
        its.map(|(_, code)| code.to_string()).collect()
    };
    let lines = CartLines::of(&view.lines, |view| {
        let json = line(view, currency);
        if view.time().is_some() {
            return json;
        }
        let still = receipt.live_of(view.id.number);
        let live = view.named().filter(|(at, _)| still.contains(at));
        let live: Vec<&str> = live.map(|(_, name)| name).collect();
        let codes = codes_of(view.id.number);
        object!(..json, "live": live, ? "codes": codes)
    });
    let payments = receipt.payments.iter().map(|one| payment(one, currency));
    let correction = receipt.correction.as_ref().map(|correction| {
        let back = correction.paid_back.iter();
        let paid_back: Vec<Value> = back.map(|one| paid_back(one, currency)).collect();
        let some_money = |minor: i64| (minor > 0).then(|| amount(minor, currency));
        object! {
            "of": view.of,
            "returned": view.returned.iter().map(|one| returned(one, currency, now)).collect::<Vec<_>>(),
            "fee": amount(correction.fee, currency),
            "paid_back": paid_back,
            ? "kept": some_money(correction.kept),
            ? "beyond": some_money(correction.beyond),
            "reason": correction.reason,
        }
    });
    let void =
        view.void.iter().map(|void| json!({ "performance": void.performance, "start": void.start.rfc3339(void.zone) }));
    let again = |made: &[MadeAgain]| -> Vec<Value> {
        made.iter()
            .map(|one| object! { one { operator, reason; in zone; at }, ? "approved": one.approved.as_ref() })
            .collect()
    };
    let json = object! {
        receipt { id, number, station, operator, cart; in zone; issued_at },
        ? "approved": receipt.approved.as_ref(),
        "reprints": receipt.reprints(),
        "kind": receipt.kind().word(),
        "corrected_by": view.corrected_by.iter().map(|one| &one.number).collect::<Vec<_>>(),
        "customer": customer(&view.customer),
        "lines": lines.seats,
        "total": amount(receipt.total, currency),
        "currency": currency.to_string(),
        "payments": payments.collect::<Vec<_>>(),
        "change": amount(receipt.change(), currency),
        "lost": view.lost,
        "tickets": receipt.tickets.word(),
        ? "void_tickets": void.collect::<Vec<_>>(),
        ..correction.unwrap_or_else(|| json!({})),
        ? "reissues": again(&receipt.reissues),
        ? "copies": again(&receipt.copies),
        ? "slots": lines.slots,
        ? "text": text,
    };
    let mut people = text.map_or_else(|| printing::text(Papers::Receipt, view), str::to_owned);
    if !view.lost.is_empty() {
        people = format!("{people}No longer its: {}\n", clean(&view.lost.join(", ")));
    }
    for void in &view.void {
        let words = words::void_tickets(void.start, Local { now, zone: void.zone });
        people = format!("{people}{}.\n", words::capital(&words));
    }
    people.extend(words::history(view, now).map(|line| line + "\n"));
    Rendered::new(json, people)
}

pub(super) fn paid_back(back: &PaidBack, currency: Currency) -> Value {
    let minor = amount(back.minor, currency);
    match &back.by {
        BackBy::Cash => json!({ "means": "cash", "amount": minor }),
        BackBy::Card { reference } => {
            json!({ "means": "card", "amount": minor, "reference": reference })
        }
        BackBy::Owed => object! {
            "means": "owed",
            "amount": minor,
            ? "credit": back.credit.map(|code| code.to_string()),
        },
    }
}

fn payment(payment: &Payment, currency: Currency) -> Value {
    let covered = amount(payment.minor, currency);
    match &payment.means {
        Means::Card { reference } => json!({
            "means": "card",
            "amount": covered,
            "reference": reference,
        }),
        Means::Owed { credit } => json!({
            "means": "owed",
            "amount": covered,
            "credit": credit.to_string(),
        }),
        Means::Cash { given } => json!({
            "means": "cash",
            "amount": covered,
            "given": amount(*given, currency),
            "change": amount(payment.change(), currency),
        }),
    }
}

pub(crate) fn list(rows: &[ReceiptRow], zone: Tz) -> Rendered {
    let one = |row: &ReceiptRow| {
        object! {
            row { id, number, station, operator, customer, title, seats, lost; in zone; issued_at },
            "kind": row.kind.word(),
            "total": amount(row.total, row.currency),
            "cash": amount(row.cash, row.currency),
            "card": amount(row.card, row.currency),
            "owed": amount(row.owed, row.currency),
            "currency": row.currency.to_string(),
        }
    };
    let columns = "id number kind issued_at station operator customer title seats lost total cash card owed currency";
    let table = Table::of(rows)
        .words("RECEIPT", |row| row.number.clone())
        .words("KIND", |row| words::kind_of_receipt(row.kind).to_owned())
        .words("ISSUED", |row| day_time(row.issued_at, zone))
        .words("OPERATOR", |row| row.operator.clone())
        .words("CUSTOMER", |row| row.customer.clone())
        .words("PERFORMANCE", |row| row.title.clone())
        .numbers("SEATS", |row| row.seats)
        .numbers("TOTAL", |row| priced(row.total, row.currency));
    Rendered::list(rows, one, table.text_or("No receipt is so.")).columns(columns)
}

/// A card payment that was recorded too late for its seats.
pub(in crate::cli) fn unissued(item: &WorkView, zone: Tz) -> Rendered {
    let item = worklist::item(item, zone);
    let people = format!(
        "Nothing could be sold for the card payment; no receipt was issued. It is on the worklist: give \
         the money back, or find other seats.\n\n{}",
        item.people
    );
    Rendered::new(json!({ "unissued": item.json }), people)
}

/// An answer with the receipts of its act, which stand in their place for people.
pub(in crate::cli) fn with_receipts(of: Rendered, receipts: &[ReceiptView], here: Local) -> Rendered {
    let Rendered { json, people, .. } = of;
    let issued: Vec<Rendered> = receipts.iter().map(|one| receipt(one, None, here.now)).collect();
    let papers: Vec<&str> = issued.iter().map(|one| one.people.as_str()).collect();
    let people = if papers.is_empty() { people } else { papers.concat() };
    let issued: Vec<Value> = issued.iter().map(|one| one.json.clone()).collect();
    Rendered::new(object!(..json, "receipts": issued), people)
}
