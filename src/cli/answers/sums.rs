//! Sums of receipts: as sections for people, as rows for programs and spreadsheets.

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde_json::{Value, json};
use strum::VariantArray;

use crate::cli::answers::day_time;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::money::{amount, grouped};
use crate::domain::till::MeansKind;
use crate::domain::time::Instant;
use crate::engine::reads::sums::{Sum, SumBy, SumOf};

/// Sums of a time, which may be a business day.
pub(in crate::cli) fn list(
    sums: &[Sum],
    (from, until): (Instant, Instant),
    (day, zone): (Option<NaiveDate>, Tz),
) -> Rendered {
    let head = match day {
        Some(day) => format!("{}, from {}", day.format("%A %-d %B %Y"), from.format(zone, "%H:%M")),
        None if from == Instant::default() => format!("Until {}", day_time(until, zone)),
        None => format!("{} to {}", day_time(from, zone), day_time(until, zone)),
    };
    let mut people = vec![head];
    for by in SumBy::VARIANTS {
        let rows: Vec<&Sum> = sums.iter().filter(|sum| sum.by == *by).collect();
        if !rows.is_empty() {
            people.push(section(*by, &rows));
        }
    }
    if sums.is_empty() {
        people.push("No receipt was issued.".to_owned());
    }
    let rows: Value = sums.iter().map(row).collect();
    let json = json!({ "from": from.rfc3339(zone), "until": until.rfc3339(zone), "sums": rows.clone() });
    let columns = "by of currency receipts seats comps taken back total tax";
    Rendered::new(json, people.join("\n\n")).rows(columns, rows)
}

fn section(by: SumBy, rows: &[&Sum]) -> String {
    let title = match by {
        SumBy::Station => "STATION",
        SumBy::Operator => "OPERATOR",
        SumBy::Means => "MEANS",
        SumBy::Performance => "PERFORMANCE",
        SumBy::Resource => "RESOURCE",
        SumBy::Fee => "FEES",
        SumBy::TicketType => "TICKET TYPE",
        SumBy::Tax => "TAX",
    };
    let table = Table::of(rows).words(title, |sum| words(sum)).numbers("RECEIPTS", |sum| sum.receipts);
    let has_seats = rows.iter().any(|sum| sum.seats != 0 || sum.comps != 0);
    let table =
        if has_seats { table.numbers("SEATS", |sum| sum.seats).numbers("COMPS", |sum| sum.comps) } else { table };
    let table = table
        .words("", |sum| sum.currency)
        .numbers("TAKEN", |sum| grouped(sum.money.taken, sum.currency))
        .numbers("BACK", |sum| grouped(sum.money.back, sum.currency))
        .numbers("TOTAL", |sum| grouped(sum.money.net(), sum.currency));
    let table = if by == SumBy::Tax { table.numbers("TAX", |sum| grouped(sum.tax, sum.currency)) } else { table };
    table.text()
}

/// Name of what a sum is of.
fn words(sum: &Sum) -> String {
    match &sum.of {
        SumOf::Named(rate) if sum.by == SumBy::Tax => format!("{rate} %"),
        SumOf::Night(_, name) | SumOf::Named(name) => name.clone(),
        SumOf::Time => "time".to_owned(),
        SumOf::Fees => "fees kept, less goodwill".to_owned(),
        SumOf::Untaxed => "without a rate".to_owned(),
        SumOf::Means(MeansKind::Owed) => "credit".to_owned(),
        SumOf::Means(means) => means.word().to_owned(),
    }
}

fn row(sum: &Sum) -> Value {
    let money = |minor: i64| amount(minor, sum.currency);
    json!({
        "by": <&str>::from(sum.by),
        "of": words(sum),
        "currency": sum.currency.to_string(),
        "receipts": sum.receipts,
        "seats": sum.seats,
        "comps": sum.comps,
        "taken": money(sum.money.taken),
        "back": money(sum.money.back),
        "total": money(sum.money.net()),
        "tax": money(sum.tax),
    })
}
