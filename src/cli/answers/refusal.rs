//! Refusals as programs read them.

use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::refusal::{Fact, Lack, Refusal, SlotAt, WantedCells, names, operators};
use crate::domain::time::Instant;
use crate::words;

/// Refused seat or slot: its claim ends `until` of a seat, and at the `deadline` of a slot.
#[derive(Serialize)]
struct RefusedCell<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<&'a str>,
    #[serde(flatten)]
    slot: Option<&'a SlotAt>,
    state: &'static str,
    by: String,
    #[serde(flatten)]
    end: Option<End>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until_further_notice: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Until(Instant),
    Deadline(Instant),
}

fn told(fact: &Fact) -> RefusedCell<'_> {
    let slot = fact.slot();
    let end = |at| match slot {
        None => End::Until(at),
        Some(_) => End::Deadline(at),
    };
    RefusedCell {
        seat: fact.seat(),
        slot,
        state: fact.state(),
        by: fact.by.to_string(),
        end: fact.until.map(end),
        until_further_notice: slot.filter(|at| at.is_endless()).map(|_| true),
    }
}

/// Facts of a refusal with its kind; instants and amounts are numbers.
pub(in crate::cli) fn refusal(refusal: &Refusal) -> Value {
    let all = |facts: &[Fact]| json!(facts.iter().map(told).collect::<Vec<_>>());
    let mut value = if let Refusal::Taken { wanted, facts, instead } = refusal {
        let cells = all(facts);
        match wanted {
            WantedCells::Seats => {
                json!({"seats": names(facts), "details": cells, "alternatives": instead})
            }
            WantedCells::AnyOf { count, free } => {
                json!({"wanted": count, "free": free, "slots": cells, "alternatives": instead})
            }
            WantedCells::Time(purpose) => {
                json!({"purpose": purpose, "slots": cells, "alternatives": instead})
            }
        }
    } else if let Refusal::NotYours { lack, facts } = refusal {
        if *lack == Lack::InBooking {
            json!({"slots": all(facts)})
        } else {
            json!({"seats": names(facts), "lack": lack})
        }
    } else if let Refusal::DisabledByAnother { facts } = refusal {
        let time = facts.iter().any(|fact| fact.slot().is_some());
        let cells = if time { "resources" } else { "seats" };
        json!({cells: names(facts), "operators": operators(facts)})
    } else if let Refusal::BadValue { field, problem } = refusal {
        json!({"field": field, "problem": words::problem(problem)})
    } else {
        return serde_json::to_value(refusal).unwrap_or_default();
    };
    if let Value::Object(fields) = &mut value {
        fields.insert("kind".to_owned(), refusal.kind().into());
    }
    value
}
