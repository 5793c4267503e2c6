//! What was done: entries of the journal, and the history of one thing.

use chrono_tz::Tz;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::cli::answers::tail;
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::engine::reads::journal::{ChangeView, EntryView};

/// How long an id is.
const ID_LENGTH: usize = 36;

/// One command that was done.
#[derive(Serialize)]
pub(in crate::cli) struct EntryAnswer {
    /// Its place in the journal.
    pub(in crate::cli) id: i64,
    command: String,
    at: String,
    operator: String,
    station: String,
    verb: String,
    request: Option<Box<RawValue>>,
    changes: Vec<ChangedAnswer>,
    /// Alerts, expiries, take-overs, offers: what listeners hear.
    events: Vec<Map<String, Value>>,
}

#[derive(Serialize)]
struct ChangedAnswer {
    kind: String,
    id: String,
    version: i64,
}

impl EntryAnswer {
    pub(in crate::cli) fn new(entry: &EntryView, zone: Tz) -> Self {
        let (verb, request) = split(&entry.request);
        let changed = |change: &ChangeView| ChangedAnswer {
            kind: change.kind.clone(),
            id: change.key.clone(),
            version: change.version,
        };
        Self {
            id: entry.seq,
            command: entry.command.clone(),
            at: entry.at.rfc3339(zone),
            operator: entry.operator.clone(),
            station: entry.station.clone(),
            verb,
            request,
            changes: entry.changes.iter().map(changed).collect(),
            events: entry.events.iter().map(|event| event.told(zone)).collect(),
        }
    }
}

/// The verb of a request, and what it was asked with.
fn split(request: &str) -> (String, Option<Box<RawValue>>) {
    let parts: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(request).unwrap_or_default();
    parts
        .into_iter()
        .next()
        .map_or_else(Default::default, |(verb, asked)| (verb, Some(asked)))
}

/// A key as people tell it from others: `..4b1f02`, `..4b1f02_00001`, `till-1`.
fn short(key: &str) -> String {
    match key.split_once('_') {
        Some((resource, number)) => format!("{}_{number}", tail(resource)),
        None if key.len() == ID_LENGTH => tail(key),
        None => key.to_owned(),
    }
}

impl Answer for EntryAnswer {
    fn people(&self) -> String {
        let changes: Vec<String> = self
            .changes
            .iter()
            .map(|change| format!("{} {} v{}", change.kind, short(&change.id), change.version))
            .chain(self.events.iter().map(event_word))
            .collect();
        crate::domain::text::clean(&format!(
            "{} {} {} at {}: {} ({})",
            self.id,
            self.at,
            self.operator,
            self.station,
            self.verb.replace('_', " "),
            changes.join(", ")
        ))
    }
}

/// What was told, in a few words.
fn event_word(event: &Map<String, Value>) -> String {
    let word = event.get("event").and_then(Value::as_str);
    format!("told: {}", word.unwrap_or_default().replace('_', " "))
}

/// Entries of the journal, oldest first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct EntryList(pub(in crate::cli) Vec<EntryAnswer>);

impl Answer for EntryList {
    fn people(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(Answer::people).collect();
        if lines.is_empty() {
            "Nothing was done yet.".to_owned()
        } else {
            lines.join("\n")
        }
    }
}

/// What became of one thing, newest first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct HistoryList(Vec<ChangeAnswer>);

#[derive(Serialize)]
struct ChangeAnswer {
    id: String,
    kind: String,
    version: i64,
    at: String,
    operator: String,
    station: String,
    command: String,
    after: Option<Box<RawValue>>,
}

impl HistoryList {
    pub(in crate::cli) fn new(changes: Vec<ChangeView>, zone: Tz) -> Self {
        let answer = |change: ChangeView| ChangeAnswer {
            id: change.key,
            kind: change.kind,
            version: change.version,
            at: change.at.rfc3339(zone),
            operator: change.operator,
            station: change.station,
            command: change.command,
            after: RawValue::from_string(change.after).ok(),
        };
        Self(changes.into_iter().map(answer).collect())
    }
}

impl Answer for HistoryList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("WHEN"),
            words("WHAT"),
            words("ID"),
            numbers("VERSION"),
            words("BY"),
            words("AT"),
        ]);
        for change in &self.0 {
            table.row([
                change.at.clone(),
                change.kind.clone(),
                tail(&change.id),
                change.version.to_string(),
                change.operator.clone(),
                change.station.clone(),
            ]);
        }
        table.text_or("Nothing was done to it.")
    }
}
