//! Season: nights as a list, and the result of an import.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::customer::read_as;
use crate::cli::out::Rendered;
use crate::domain::time::Instant;
use crate::domain::time::typed::whole;
use crate::engine::ops::{NamedPrice, NightDone, NightImported, PerformancePatch, SeasonImported};
use crate::engine::reads::catalog::SeasonNight;
use crate::formats::season::SeasonList;
use crate::words;

/// Columns of a list of nights.
pub(in crate::cli) const COLUMNS: &str = "title theater start end price list description currency capacity id";

/// Nights as rows of a list.
pub(in crate::cli) fn rows(nights: &[SeasonNight]) -> Value {
    let row = |(night, theater, seating): &SeasonNight| {
        let places = night.capacity.iter().map(|area| format!("{}={}", area.area, area.places));
        json!({
            "title": night.title,
            "theater": theater.name,
            "start": wall(night.start, theater.time_zone),
            "end": wall(night.end, theater.time_zone),
            "price": NamedPrice::own_texts(night, &seating.plan),
            "list": night.price_list(),
            "description": night.description,
            "currency": night.currency.to_string(),
            "capacity": places.collect::<Vec<_>>().join("; "),
            "id": night.id.to_string(),
        })
    };
    nights.iter().map(row).collect()
}

/// A time as clocks on the wall show it, and with its offset where they show it twice or not to the second.
fn wall(at: Instant, zone: Tz) -> String {
    let local = at.in_zone(zone).naive_local();
    let text = local.format("%Y-%m-%d %H:%M").to_string();
    let is_read = whole(&text, zone) == Ok(at);
    if is_read { text } else { at.rfc3339(zone) }
}

/// Result of an import: counts, and each night that was changed or left alone.
pub(in crate::cli) fn imported(done: &SeasonImported, list: &SeasonList) -> Rendered {
    let count = |wanted: &str| done.nights.iter().filter(|night| word(&night.done) == wanted).count();
    let [new, changed, same, canceled, postponed] = ["new", "changed", "same", "canceled", "postponed"].map(count);
    let told = done.nights.iter().filter_map(|night| told(night, list));
    let left = match (canceled, postponed) {
        (0, 0) => String::new(),
        (canceled, postponed) => format!(", {canceled} left as canceled, {postponed} left as postponed"),
    };
    let counts = format!("{}, {changed} changed, {same} the same{left}.", words::count(new, "new night"));
    let lines: Vec<String> = told.chain(read_as(&list.unused, list.encoding)).chain([counts]).collect();
    let nights: Value = done.nights.iter().map(night).collect();
    let encoding: &str = list.encoding.into();
    let json = json!({
        "new": new,
        "changed": changed,
        "same": same,
        "canceled": canceled,
        "postponed": postponed,
        "nights": nights,
        "encoding": encoding,
        "columns_left_out": list.unused,
    });
    Rendered::new(json, lines.join("\n"))
}

fn word(done: &NightDone) -> &'static str {
    done.into()
}

fn night(one: &NightImported) -> Value {
    let fields = if let NightDone::Changed(back) = &one.done { fields(back) } else { Vec::new() };
    json!({ "line": one.line, "id": one.performance.to_string(), "done": word(&one.done), "fields": fields })
}

/// Names of the fields that a patch has.
fn fields(patch: &PerformancePatch) -> Vec<String> {
    let patch = serde_json::to_value(patch).unwrap_or_default();
    let names = patch.as_object().into_iter().flat_map(|fields| fields.keys());
    let mut names: Vec<String> =
        names.map(|name| if name.contains("price") { "price".to_owned() } else { name.clone() }).collect();
    names.dedup();
    names
}

/// Sentence about a night that was changed or left alone.
fn told(night: &NightImported, list: &SeasonList) -> Option<String> {
    let what = match &night.done {
        NightDone::New | NightDone::Same => return None,
        NightDone::Changed(back) => format!("changed: {}", fields(back).join(", ")),
        NightDone::Canceled => "canceled here, and left so".to_owned(),
        NightDone::Postponed => "moved to another start here, and left there".to_owned(),
    };
    let line = list.lines.iter().find(|line| line.number == night.line)?;
    Some(format!("Line {}, {} {}: {what}.", night.line, line.title, line.start))
}
