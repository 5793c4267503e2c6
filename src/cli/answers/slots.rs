//! Time in a cart or receipt.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::table::{Table, numbers, words};
use crate::domain::money::{Currency, amount};
use crate::domain::time::Slot;
use crate::engine::reads::carts::SlotView;

/// A line of time.
#[derive(Serialize)]
pub(super) struct SlotAnswer {
    id: String,
    resource: String,
    name: String,
    from: String,
    until: String,
    wanted_from: String,
    wanted_until: String,
    segments: u32,
    unit_price: String,
    total: String,
    #[serde(skip)]
    number: u32,
    #[serde(skip)]
    when: String,
}

/// Stretches of time in words.
pub(super) fn stretches(slots: &[Slot], zone: Tz) -> String {
    let told: Vec<String> = slots.iter().map(|slot| slot.dated(zone)).collect();
    if told.is_empty() {
        "nothing".to_owned()
    } else {
        told.join(", ")
    }
}

impl SlotAnswer {
    pub(super) fn new(line: &SlotView, currency: Currency) -> Self {
        let zone = line.zone;
        Self {
            id: line.id.to_string(),
            resource: line.resource.to_string(),
            name: line.name.clone(),
            from: line.core.from().rfc3339(zone),
            until: line.core.until().rfc3339(zone),
            wanted_from: line.wanted.from().rfc3339(zone),
            wanted_until: line.wanted.until().rfc3339(zone),
            segments: line.segments,
            unit_price: amount(line.unit_price, currency),
            total: amount(line.total, currency),
            number: line.id.number,
            when: line.when(),
        }
    }

    /// Lines as a table; nothing when there are none.
    pub(super) fn table(lines: &[Self]) -> String {
        if lines.is_empty() {
            return String::new();
        }
        let mut table = Table::new([
            numbers("LINE"),
            words("RESOURCE"),
            words("WHEN"),
            numbers("SEGMENTS"),
            numbers("EACH"),
            numbers("TOTAL"),
        ]);
        for line in lines {
            table.row([
                line.number.to_string(),
                line.name.clone(),
                line.when.clone(),
                line.segments.to_string(),
                line.unit_price.clone(),
                line.total.clone(),
            ]);
        }
        format!("\n\n{}", table.text_or(""))
    }
}
