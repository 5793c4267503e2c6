//! Output of resources, horizons, and stored days (chunks).

use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::money::{amount, priced};
use crate::domain::resource::{Mark, Policy, Resource};
use crate::domain::text::clean;
use crate::domain::time::Span;
use crate::engine::ops::Horizon;
use crate::engine::reads::resources::ChunkRow;

pub(in crate::cli) fn resource(one: &Resource) -> Rendered {
    Rendered::new(json(one), list(std::slice::from_ref(one)).people)
}

/// A resource with each of its properties whole.
pub(in crate::cli) fn shown(one: &Resource) -> Rendered {
    let properties = one.properties.iter().map(|(name, value)| format!("{name}: {}", clean(value)));
    let properties = properties.collect::<Vec<_>>().join("\n");
    resource(one).noted(Some(&*properties).filter(|all| !all.is_empty()))
}

/// Resources, each part after its parent.
pub(in crate::cli) fn list(all: &[Resource]) -> Rendered {
    let table = Table::of(all)
        .words("ID", |one| one.id.clone())
        .words("NAME", |one| one.name.clone())
        .words("KIND", |one| one.kind.clone())
        .numbers("SEGMENT", |one| segment(one.grid.segment.minutes()))
        .words("TIME ZONE", Resource::zone)
        .words("IN", |one| one.parent.as_ref().map_or_else(String::new, ToString::to_string))
        .words("MORE", more);
    let none = "No resource yet. Add one: willcall resource add 'Room 1' --kind room --segment 30";
    let columns = "id name kind parent time_zone segment policy open_until roll_days open_hours before after price prices currency count \
                   properties children out_of_service";
    Rendered::list(all, json, table.text_or(none)).columns(columns)
}

fn json(one: &Resource) -> Value {
    let mark = |mark: &Mark| {
        let approved = mark.approved.as_ref();
        object!(mark { id, operator, reason; in one.zone(); from }, ? "approved": approved, "cause": mark.cause.word())
    };
    let (policy, open_until, roll_days) = match one.policy {
        Policy::OpenEnded => ("open-ended", None, None),
        Policy::Preallocated { horizon, roll_days } => ("preallocated", horizon, roll_days),
    };
    object! {
        one { id, name, kind, children, properties },
        "time_zone": one.zone().to_string(),
        "segment": one.grid.segment.minutes(),
        "policy": policy,
        "before": one.before.to_string(),
        "after": one.after.to_string(),
        "out_of_service": one.marks.iter().map(mark).collect::<Vec<_>>(),
        ? "parent": one.parent,
        ? "retired": one.retired,
        ? "open_until": open_until.map(|day| day.to_string()),
        ? "roll_days": roll_days,
        ? "open_hours": one.hours.map(|hours| hours.to_string()),
        ? "hire": one.is_hire().then_some(true),
        ? "price": one.price.map(|price| amount(price.minor, price.currency)),
        ? "prices": one.prices,
        ? "count": one.count.as_ref().map(ToString::to_string),
        ? "currency": one.price.map(|price| price.currency.to_string()),
    }
}

/// Retirement, horizon, hours, buffers, price, parts, properties and marks, in a few words.
fn more(one: &Resource) -> String {
    let open = match one.policy {
        Policy::OpenEnded => None,
        Policy::Preallocated { horizon, .. } => {
            Some(horizon.map_or_else(|| "not open".to_owned(), |day| format!("open until {day}")))
        }
    };
    let hours = one.hours.map(|hours| format!("{hours}{}", if hours.hire { " for hire" } else { "" }));
    let around = |word: &str, span: Span| (span != Span::default()).then(|| format!("{span} {word}"));
    let price = one.price.map(|price| priced(price.minor, price.currency));
    let list = one.prices.as_ref().map(|list| format!("prices {list}"));
    let parts = match one.children.len() {
        0 => None,
        1 => Some("1 part".to_owned()),
        parts => Some(format!("{parts} parts")),
    };
    let properties = one.properties.iter();
    let marks = one.marks.iter().map(|mark| {
        let from = mark.from.rfc3339(one.zone());
        format!("{} from {from}", mark.cause.word())
    });
    let (before, after) = (around("before", one.before), around("after", one.after));
    let retired = one.retired.then(|| "retired".to_owned());
    let count = one.count.as_ref().map(ToString::to_string);
    let said: Vec<String> = [retired, count, open, hours, before, after, price, list, parts]
        .into_iter()
        .flatten()
        .chain(properties.map(|(name, value)| format!("{name}={value}")))
        .chain(marks)
        .collect();
    said.join(", ")
}

/// Minutes as people say them: `30m`, `1h`, `1 day`.
fn segment(minutes: u32) -> String {
    match (minutes, minutes % 60) {
        (1440, _) => "1 day".to_owned(),
        (60.., 0) => format!("{}h", minutes / 60),
        _ => format!("{minutes}m"),
    }
}

/// Horizons: the days until which a resource and its parts are open.
pub(in crate::cli) fn horizons(all: &[Horizon]) -> Rendered {
    let one = |one: &Horizon| {
        json!({
            "resource": one.resource,
            "open_until": one.horizon.map(|day| day.to_string()),
            "days": one.days,
        })
    };
    let table = Table::of(all)
        .words("RESOURCE", |one| one.resource.clone())
        .words("OPEN UNTIL", |one| one.horizon.map_or_else(|| "not open".to_owned(), |day| day.to_string()))
        .numbers("DAYS CHANGED", |one| one.days);
    Rendered::list(all, one, table.text())
}

pub(in crate::cli) fn chunks(rows: &[ChunkRow]) -> Rendered {
    let one = |row: &ChunkRow| {
        let runs = row.chunk.runs.iter().map(|run| {
            json!({
                "from": run.from,
                "to": run.to,
                "grip": run.claim.grip.word(),
                "owner": run.claim.owner.to_string(),
            })
        });
        let runs = runs.collect::<Vec<_>>();
        object!(row { key, version }, row.chunk { cells, free }, "runs": runs)
    };
    let table = Table::of(rows)
        .words("KEY", |row| row.key.clone())
        .numbers("VERSION", |row| row.version)
        .numbers("CELLS", |row| row.chunk.cells)
        .numbers("FREE", |row| row.chunk.free)
        .words("RUNS", |row| {
            let runs = row.chunk.runs.iter().map(|run| {
                let (grip, owner) = (run.claim.grip.word(), &run.claim.owner);
                format!("{}-{} {grip} {owner}", run.from, run.to)
            });
            runs.collect::<Vec<_>>().join("; ")
        });
    let people = table.text_or("No day is stored: all of them are free.");
    Rendered::list(rows, one, people)
}
