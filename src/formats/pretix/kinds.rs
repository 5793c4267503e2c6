//! Kinds of seats: wheelchair, companion, restricted view. The format has no key for it, so files carry keys of their own.

use serde_json::Value;

use super::Reader;
use super::node::Node;
use crate::domain::plan::SeatKind;
use crate::domain::text;

/// The keys that are read: a word, or yes and no.
pub(super) const KEYS: [&str; 6] = ["kind", "seat_type", "wheelchair", "companion", "restricted", "restricted_view"];

/// The longest word that is repeated in an oddity, in columns.
const WORD_MAX: usize = 40;

impl Reader {
    /// The kind of a seat; of several the first of wheelchair, companion and restricted.
    pub(super) fn kind(&mut self, node: &Node) -> SeatKind {
        let mut found: Vec<SeatKind> = Vec::new();
        for key in KEYS {
            let Some(field) = node.get(key) else {
                continue;
            };
            if let Some(kind) = read(key, field.value) {
                found.push(kind);
                continue;
            }
            let word = field.value.as_str().map(str::to_owned);
            let word = word.unwrap_or_else(|| field.value.to_string());
            let word = text::fit(&text::clean(&word), WORD_MAX);
            self.odd(&node.path, format!("{key} '{word}' is unknown and was left out"));
        }
        found.retain(|kind| *kind != SeatKind::Standard);
        found.sort_by_key(|kind| match kind {
            SeatKind::Wheelchair => 0,
            SeatKind::Companion => 1,
            SeatKind::Restricted => 2,
            SeatKind::Standard | SeatKind::Standing => 3,
        });
        found.dedup();
        if found.len() > 1 {
            self.odd(&node.path, "it is of several kinds; the first was taken");
        }
        found.first().copied().unwrap_or_default()
    }
}

/// The kind that a key gives a seat; `None` when that makes no sense.
fn read(key: &str, value: &Value) -> Option<SeatKind> {
    let word = value.as_str().map(|word| word.trim().to_lowercase());
    let is = match (value, word.as_deref()) {
        (Value::Bool(is), _) => Some(*is),
        (Value::Number(number), _) => number.as_i64().map(|number| number != 0),
        (_, Some("true" | "yes" | "1")) => Some(true),
        (_, Some("false" | "no" | "0" | "")) => Some(false),
        _ => None,
    };
    match (key, is) {
        ("kind" | "seat_type", _) => named(word.as_deref()?),
        (_, None) => None,
        (_, Some(false)) => Some(SeatKind::Standard),
        ("wheelchair", _) => Some(SeatKind::Wheelchair),
        ("companion", _) => Some(SeatKind::Companion),
        _ => Some(SeatKind::Restricted),
    }
}

/// The kind that a word names, like `wheelchair place` or `Restricted_View`.
fn named(word: &str) -> Option<SeatKind> {
    if word.contains("companion") || word.contains("carer") {
        Some(SeatKind::Companion)
    } else if word.contains("wheelchair") || word.contains("accessible") {
        Some(SeatKind::Wheelchair)
    } else if word.contains("restricted") {
        Some(SeatKind::Restricted)
    } else {
        ["", "standard", "normal", "regular", "ordinary", "default", "seat"]
            .contains(&word)
            .then_some(SeatKind::Standard)
    }
}
