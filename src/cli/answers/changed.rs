//! Changes: the fields that differ, as they were and as they are, with the document as it is.

use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::cli::table::Table;

/// Field with its value before and after.
type Difference = (String, Value, Value);

/// A document that was changed, with the fields that differ from before.
pub(in crate::cli) fn changed(before: &Value, after: Rendered) -> Rendered {
    let Rendered { json, people, .. } = after;
    let changed = differences(before, &json);
    let table = Table::of(&changed)
        .words("CHANGED", |(field, ..)| field.replace('_', " "))
        .words("BEFORE", |(_, before, after)| told(&without(before, after)))
        .words("AFTER", |(_, before, after)| told(&without(after, before)));
    let people = format!("{}\n\n{people}", table.text_or("Nothing changed."));
    let one = |(field, before, after): &Difference| json!({"field": field, "before": before, "after": after});
    Rendered::new(object!(..json, "changed": changed.iter().map(one).collect::<Vec<_>>()), people)
}

fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return Vec::new();
    };
    let gone = before.keys().filter(|field| !after.contains_key(*field));
    let value = |of: &serde_json::Map<String, Value>, field| of.get(field).cloned().unwrap_or_default();
    let all = after.keys().chain(gone).map(|field| (field.clone(), value(before, field), value(after, field)));
    all.filter(|(_, before, after)| before != after).collect()
}

/// A list without what the other has too.
fn without(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Array(all), Value::Array(others)) => all.iter().filter(|one| !others.contains(one)).cloned().collect(),
        _ => value.clone(),
    }
}

/// A value in a few words; `-` for none.
fn told(value: &Value) -> String {
    let words = match value {
        Value::Array(all) => all.iter().map(told).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            fields.map(|(field, value)| format!("{field} {}", told(value))).collect::<Vec<_>>().join(" ")
        }
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    if words.is_empty() { "-".to_owned() } else { words }
}
