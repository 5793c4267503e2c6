//! Customers: a list, one with the history in words, and results of an import.

use std::path::Path;

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::{day_time, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::cart::CartState;
use crate::domain::customer::{CustomerRecord, Gone, LineRefused};
use crate::domain::money::{amount, priced};
use crate::domain::waiting::WaitState;
use crate::engine::ops::CustomersImported;
use crate::engine::reads::customers::known::{HistoryKind, HistoryLine, KnownCustomer};
use crate::formats::text::Encoding;
use crate::words;

pub(in crate::cli) fn list(records: &[CustomerRecord], is_page: bool) -> Rendered {
    let table = Table::of(records)
        .words("CUSTOMER", |one| one.customer.name.clone())
        .words("PHONE", |one| one.customer.phone.clone())
        .words("MAIL", |one| one.customer.mail.clone())
        .words("NOTE", |one| one.note.clone())
        .words("ID", |one| tail(&one.id.to_string()));
    let empty = if is_page {
        "No customer is known. The first comes with a sale, a booking, or: willcall customer import FILE.csv"
    } else {
        "No customer is found by that. Try another part of the name, the last digits of the phone, or the mail."
    };
    let columns = "id name phone mail note forgotten merged_into";
    Rendered::list(records, record, table.text_or(empty)).columns(columns)
}

fn record(one: &CustomerRecord) -> Value {
    let shown = one.shown();
    object! {
        "id": one.id.to_string(),
        "name": shown.name,
        "phone": shown.phone,
        "mail": shown.mail,
        "note": one.note,
        ? "forgotten": one.gone == Some(Gone::Forgotten),
        ? "merged_into": match one.gone {
            Some(Gone::Merged(into)) => Some(into.to_string()),
            Some(Gone::Forgotten) | None => None,
        },
    }
}

pub(in crate::cli) fn customer(known: &KnownCustomer) -> Rendered {
    let (one, zone) = (&known.record, known.zone);
    let shown = one.shown();
    let words = [&shown.name, &shown.phone, &shown.mail, &one.note];
    let words: Vec<&str> = words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let words = match one.gone {
        Some(Gone::Merged(into)) => format!("Part of customer {into} now"),
        Some(Gone::Forgotten) | None => {
            format!("{} ({})", words.join(", "), tail(&one.id.to_string()))
        }
    };
    let table = Table::of(&known.history)
        .words("WHEN", |line| day_time(line.at, zone))
        .words("WHAT", |line| told(line, zone))
        .numbers("AMOUNT", |line| line.price.map_or_else(String::new, |price| priced(price.minor, price.currency)));
    let people = format!("{words}\n\n{}", table.text_or("Nothing was sold or booked yet."));
    let history: Vec<Value> = known.history.iter().map(|line| history(line, zone)).collect();
    let mut json = record(one);
    if let Value::Object(fields) = &mut json {
        fields.insert("history".to_owned(), history.into());
    }
    Rendered::new(json, people)
}

/// Line of a history in words.
fn told(line: &HistoryLine, zone: Tz) -> String {
    let title = &line.title;
    match &line.what {
        HistoryKind::Receipt { number, kind, seats, reason } => {
            let seats = match seats {
                0 => String::new(),
                1 => ", 1 seat".to_owned(),
                count => format!(", {count} seats"),
            };
            let kind = words::kind_of_receipt(*kind);
            let told = format!("{kind} {number}: {title}{seats}");
            match reason.as_str() {
                "" => told,
                reason => format!("{told}. {reason}"),
            }
        }
        HistoryKind::Cart { id, state, reserved, until } => {
            let what = if *reserved { "reservation" } else { "cart" };
            let state = match state {
                CartState::Active => format!("open until {}", day_time(*until, zone)),
                CartState::Expired | CartState::Canceled | CartState::Done(_) => state.word().to_owned(),
            };
            format!("{what} {}: {title}, {state}", tail(id))
        }
        HistoryKind::Booking { id, stands, when } => {
            let state = if *stands { "" } else { ", canceled" };
            format!("booking {}: {title}, {when}{state}", tail(id))
        }
        HistoryKind::Waiting { id, state, seats } => {
            let state = match state {
                WaitState::Waiting => "waiting",
                WaitState::Offered { .. } => "offered",
                WaitState::Served { .. } => "served",
                WaitState::Lapsed { .. } => "not taken",
                WaitState::Removed { .. } => "removed",
                WaitState::Closed { .. } => "closed",
            };
            format!("waiting list {}: {title}, {seats} seats, {state}", tail(id))
        }
        HistoryKind::Credit { code } => format!("left on credit {code}"),
    }
}

fn history(line: &HistoryLine, zone: Tz) -> Value {
    let (kind, name) = match &line.what {
        HistoryKind::Receipt { number, kind, .. } => (words::kind_of_receipt(*kind), number.clone()),
        HistoryKind::Cart { id, reserved, .. } => (if *reserved { "reservation" } else { "cart" }, id.clone()),
        HistoryKind::Booking { id, .. } => ("booking", id.clone()),
        HistoryKind::Waiting { id, .. } => ("waiting", id.clone()),
        HistoryKind::Credit { code } => ("credit", code.to_string()),
    };
    object! {
        "at": line.at.rfc3339(zone),
        "kind": kind,
        "id": name,
        "title": line.title,
        "words": told(line, zone),
        "amount": line.price.map(|price| amount(price.minor, price.currency)),
        "currency": line.price.map(|price| price.currency.to_string()),
    }
}

/// Customers or nights as a list, in a file or in the answer.
pub(in crate::cli) fn exported((count, what): (usize, &str), path: Option<&Path>, list: &str) -> Rendered {
    let path = path.map(Path::to_string_lossy);
    let people = format!("{} written to {}.", words::count(count, what), path.clone().unwrap_or_default());
    let list = path.is_none().then_some(list);
    let counted = json!({ format!("{what}s"): count });
    Rendered::new(object!(..counted, ? "path": path, ? "list": list), people)
}

/// Result of an import, with the columns that were not used.
pub(in crate::cli) fn imported(
    done: &CustomersImported,
    (unused, encoding): (&[String], Encoding),
    is_dry: bool,
) -> Rendered {
    let sentence = |one: &LineRefused| {
        let problem = words::line_problem(&one.problem);
        format!("Line {} was left out: {problem}.", one.line)
    };
    let refused: Vec<Value> = done
        .refused
        .iter()
        .map(|one| json!({ "line": one.line, "problem": words::line_problem(&one.problem) }))
        .collect();
    let would = if is_dry { "Nothing was changed. It would be: " } else { "" };
    let counts = format!(
        "{would}{} new, {} completed, {} known already, {} left out.",
        done.new,
        done.changed,
        done.known,
        done.refused.len()
    );
    let lines = done.refused.iter().map(sentence).chain(read_as(unused, encoding)).chain([counts]);
    let lines: Vec<String> = lines.collect();
    let encoding: &str = encoding.into();
    let json = object! {
        "dry_run": is_dry,
        done { new, changed, known },
        "refused": refused,
        "encoding": encoding,
        "columns_left_out": unused,
    };
    Rendered::new(json, lines.join("\n"))
}

/// Sentences about how a list was read: its encoding, and columns without a use.
pub(in crate::cli) fn read_as(unused: &[String], encoding: Encoding) -> impl Iterator<Item = String> {
    let is_usual = encoding == Encoding::Utf8;
    let encoding: &str = encoding.into();
    let notes = [
        (!is_usual).then(|| format!("Read as {encoding}.")),
        (!unused.is_empty()).then(|| format!("Columns left out: {}.", unused.join(", "))),
    ];
    notes.into_iter().flatten()
}

/// Reason why bytes of a forgotten customer are still in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Left {
    /// A reading of an older state goes on.
    Reading,
    /// The role may not rewrite the tables.
    OwnersTables,
}

pub(in crate::cli) fn forgotten(record: &CustomerRecord, left: Option<Left>) -> Rendered {
    let mut lines = vec!["Forgotten. Receipts keep their numbers and amounts.".to_owned()];
    lines.extend(left.map(|left| {
        let when = match left {
            Left::Reading => "when a reading that has begun before ends",
            Left::OwnersTables => "when the owner of the tables has them written anew",
        };
        let id = record.id;
        format!(
            "The bytes go {when}: an open desk or willcall work does it within the hour, or say: willcall customer forget {id}"
        )
    }));
    if !record.named_in.is_empty() {
        lines.push(format!("Texts that still have the name, the phone or the mail: {}.", record.named_in.join(", ")));
    }
    lines.push("Backups made before still have the words: delete them, or make them anew.".to_owned());
    let json = object! {
        "id": record.id.to_string(),
        "forgotten": true,
        ? "scrub_due": left.is_some(),
        ? "named_in": record.named_in,
    };
    Rendered::new(json, lines.join("\n  "))
}
