//! Changes: the fields that differ, as they were and as they are, with the document as it is.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::time::{parse_local, parse_zone};

/// Field with its value before and after.
type Difference = (String, Value, Value);

/// A document that was changed, with the fields that differ from before.
pub(in crate::cli) fn changed(before: &Value, after: Rendered) -> Rendered {
    let Rendered { json, people, .. } = after;
    let (changed, zone) = (differences(before, &json), zone(&json));
    let table = columns(Table::of(&changed), |one| (one, zone));
    let people = format!("{}\n\n{people}", table.text_or("Nothing changed."));
    Rendered::new(with_changes(json, &changed), people)
}

/// Performances that were changed: one as itself, several as a list.
pub(in crate::cli) fn performances(mut each: Vec<(Value, Rendered)>) -> Rendered {
    if each.len() == 1
        && let Some((before, after)) = each.pop()
    {
        return changed(&before, after);
    }
    let (mut rows, mut list) = (Vec::new(), Vec::new());
    for (before, Rendered { json, .. }) in each {
        let (changed, zone) = (differences(&before, &json), zone(&json));
        let night = ["start", "title"].map(|field| told(before.get(field).unwrap_or(&Value::Null), zone)).join("  ");
        rows.extend(changed.iter().map(|one| (night.clone(), one.clone(), zone)));
        list.push(with_changes(json, &changed));
    }
    let table = columns(Table::of(&rows).words("PERFORMANCE", |row| row.0.clone()), |row| (&row.1, row.2));
    Rendered::new(Value::from(list), table.text_or("Nothing changed."))
}

/// Columns of a field with its values.
fn columns<R>(table: Table<'_, R>, of: impl Fn(&R) -> (&Difference, Tz)) -> Table<'_, R> {
    let told = |row: &R, is_after: bool| {
        let ((_, before, after), zone) = of(row);
        let (one, other) = if is_after { (after, before) } else { (before, after) };
        told(&without(one, other), zone)
    };
    let table = table.words("CHANGED", |row| of(row).0.0.replace('_', " "));
    table.words("BEFORE", |row| told(row, false)).words("AFTER", |row| told(row, true))
}

/// Zone of a document.
fn zone(of: &Value) -> Tz {
    let zone = of.get("time_zone").and_then(Value::as_str).and_then(|zone| parse_zone(zone).ok());
    zone.unwrap_or_default()
}

fn with_changes(json: Value, changed: &[Difference]) -> Value {
    let one = |(field, before, after): &Difference| json!({"field": field, "before": before, "after": after});
    object!(..json, "changed": changed.iter().map(one).collect::<Vec<_>>())
}

/// Fields that differ; not the hall, which follows the state and the times.
fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return Vec::new();
    };
    let gone = before.keys().filter(|field| !after.contains_key(*field));
    let value = |of: &serde_json::Map<String, Value>, field| of.get(field).cloned().unwrap_or_default();
    let all = after.keys().chain(gone).map(|field| (field.clone(), value(before, field), value(after, field)));
    all.filter(|(field, before, after)| field != "hall" && before != after).collect()
}

/// A list without what the other has too.
fn without(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Array(all), Value::Array(others)) => all.iter().filter(|one| !others.contains(one)).cloned().collect(),
        _ => value.clone(),
    }
}

/// A value in a few words, with times of a zone; `-` for none.
fn told(value: &Value, zone: Tz) -> String {
    let words = match value {
        Value::Array(all) => all.iter().map(|one| told(one, zone)).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            fields.map(|(field, value)| format!("{field} {}", told(value, zone))).collect::<Vec<_>>().join(" ")
        }
        Value::String(text) => {
            parse_local(text, zone).map_or_else(|_| text.clone(), |at| at.format(zone, "%a %-d %b %Y %H:%M"))
        }
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    if words.is_empty() { "-".to_owned() } else { words }
}
