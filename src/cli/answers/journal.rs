//! The journal: its entries, and the history of one thing.

use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use crate::cli::answers::tail;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::operator::{acting, hands};
use crate::domain::text::clean;
use crate::engine::reads::journal::{Change, ChangeView, EntryView};

/// Length of an id, in characters.
const ID_LENGTH: usize = 36;

/// One command of the journal.
pub(in crate::cli) fn entry(entry: &EntryView, zone: Tz) -> Rendered {
    let (verb, request) = split(&entry.request);
    let events: Vec<_> = entry.events.iter().map(|event| event.told(zone)).collect();
    let changes =
        entry.changes.iter().map(|change| format!("{} {} v{}", change.kind.word(), short(&change.key), change.version));
    let changes: Vec<String> = changes.chain(events.iter().map(event_word)).collect();
    let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
    let people = clean(&format!(
        "{} {} {} at {}: {}{changes}",
        entry.seq,
        entry.at.rfc3339(zone),
        acting(&entry.operator, entry.approved.as_deref()),
        entry.station,
        verb.replace('_', " "),
    ));
    let one = |change: &Change| {
        json!({
            "kind": change.kind.word(),
            "id": change.key,
            "version": change.version,
        })
    };
    let json = object! {
        entry { command, operator, station; in zone; at },
        "id": entry.seq,
        ? "approved": entry.approved.as_ref(),
        "verb": verb,
        "request": request,
        "changes": entry.changes.iter().map(one).collect::<Vec<_>>(),
        "events": events,
    };
    Rendered::new(json, people)
}

/// A seal of the journal, as printed for keeping on paper.
pub(in crate::cli) fn seal(entry: &EntryView, zone: Tz) -> Rendered {
    let (at, seal) = (entry.at.rfc3339(zone), entry.seal());
    let (chain, number) = &entry.link;
    let people =
        format!("{at}  {chain} {number}  {seal}\nKeep it on paper. Check it with: willcall verify --seal {seal}");
    let json = json!({"at": at, "chain": chain, "number": number, "seal": seal});
    Rendered::new(json, people)
}

/// The verb of a request, and its arguments.
fn split(request: &str) -> (String, Option<Value>) {
    let parts: Map<String, Value> = serde_json::from_str(request).unwrap_or_default();
    parts.into_iter().next().map_or_else(Default::default, |(verb, asked)| (verb, Some(asked)))
}

/// Shortens a key for people: `..4b1f02`, `..4b1f02/00001`, `till-1`.
fn short(key: &str) -> String {
    match key.split_once('_') {
        Some((resource, number)) => format!("{}_{number}", tail(resource)),
        None if key.len() == ID_LENGTH => tail(key),
        None => key.to_owned(),
    }
}

/// An event in a few words.
fn event_word(event: &Map<String, Value>) -> String {
    let word = event.get("event").and_then(Value::as_str);
    format!("told: {}", word.unwrap_or_default().replace('_', " "))
}

pub(in crate::cli) fn list(entries: &[EntryView], zone: Tz) -> Rendered {
    let rendered = entries.iter().map(|one| entry(one, zone));
    let (json, lines): (Vec<Value>, Vec<String>) = rendered.map(|one| (one.json, one.people)).unzip();
    let people = match lines.as_slice() {
        [] => "Nothing was done yet.".to_owned(),
        lines => lines.join("\n"),
    };
    Rendered::new(json, people).columns("id at operator approved station verb command request changes events")
}

/// True if a version has other private texts than the one before; the texts themselves are in no version.
fn words_changed(changes: &[ChangeView], one: &ChangeView) -> bool {
    let this = &one.version.change;
    let mut older = changes.iter().map(|change| &change.version.change);
    let before =
        older.find(|other| (other.kind, &other.key, other.version) == (this.kind, &this.key, this.version - 1));
    before.map_or(!this.words.is_empty(), |before| before.words != this.words)
}

pub(in crate::cli) fn history(changes: &[ChangeView], zone: Tz) -> Rendered {
    let one = |change: &ChangeView| {
        object! {
            "id": change.key,
            "kind": change.kind.word(),
            "version": change.version.change.version,
            "at": change.at().rfc3339(zone),
            "operator": change.version.operator,
            ? "approved": change.version.approved.as_ref(),
            "station": change.version.station,
            "command": change.version.command,
            "words_changed": words_changed(changes, change),
            "after": serde_json::from_str::<Value>(&change.version.change.body).ok(),
        }
    };
    let table = Table::of(changes)
        .words("WHEN", |change| change.at().rfc3339(zone))
        .words("WHAT", |one| {
            let words = if words_changed(changes, one) { ", its words" } else { "" };
            format!("{}{words}", one.kind.word())
        })
        .words("ID", |change| tail(&change.key))
        .numbers("VERSION", |change| change.version.change.version)
        .words("BY", |change| hands(&change.version.operator, change.version.approved.as_deref()))
        .words("AT", |change| change.version.station.clone());
    Rendered::list(changes, one, table.text_or("Nothing was done to it."))
        .columns("id kind version at operator approved station command words_changed after")
}
