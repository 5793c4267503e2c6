//! Events: alerts, expiries, take-overs, offers.

use chrono_tz::Tz;
use serde_json::{Map, Value as Json};

use crate::domain::event::Event;
use crate::domain::time::Instant;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::{Fault, Row, Sql, Value};

/// Stored event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    /// Number, ascending.
    pub seq: i64,
    /// Time of the event.
    pub at: Instant,
    /// Event's word, possibly of a newer program.
    pub word: String,
    /// Event as JSON.
    pub body: String,
    /// Operator whose command sent it.
    pub operator: String,
    /// Station of that operator.
    pub station: String,
    /// Id of that command.
    pub command: String,
}

impl EventView {
    /// Parses the event; `None` if only a newer program knows it.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        serde_json::from_str(&self.body).ok()
    }

    /// Formats the event for programs: number, time, and facts with local times of a zone.
    #[must_use]
    pub fn told(&self, zone: Tz) -> Map<String, Json> {
        let mut told = Map::new();
        told.insert("id".into(), self.seq.into());
        told.insert("event".into(), self.word.as_str().into());
        told.insert("at".into(), self.at.rfc3339(zone).into());
        let facts: Map<String, Json> = serde_json::from_str(&self.body).unwrap_or_default();
        told.extend(local(facts, zone));
        told
    }

    pub(crate) fn from_row(row: &Row) -> Self {
        Self {
            seq: row.int(0),
            at: Instant::from_millis(row.int(1)),
            word: row.text(2).to_owned(),
            body: row.text(3).to_owned(),
            operator: row.text(4).to_owned(),
            station: row.text(5).to_owned(),
            command: row.text(6).to_owned(),
        }
    }
}

/// Converts the times among an event's facts to local times, nested ones too.
fn local(facts: Map<String, Json>, zone: Tz) -> Map<String, Json> {
    let of_one = |(name, fact): (String, Json)| {
        let fact = match (fact.as_i64().filter(|_| is_time(&name)), fact) {
            (Some(millis), _) => Instant::from_millis(millis).rfc3339(zone).into(),
            (None, Json::Object(parts)) => Json::Object(local(parts, zone)),
            (None, fact) => fact,
        };
        (name, fact)
    };
    facts.into_iter().map(of_one).collect()
}

/// Returns whether a fact is a point in time, judged by its name.
fn is_time(name: &str) -> bool {
    name.ends_with("_at") || matches!(name, "at" | "pay_by" | "start" | "from" | "until")
}

/// Columns of an event, in the order read.
pub(crate) const COLUMNS: &str = "seq, at, word, body, operator, station, command";

/// Lists events, oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadEvents {
    /// Only those after this number.
    pub after: i64,
}

impl Question for ReadEvents {
    type Answer = Vec<EventView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EventView>, Failure> {
        Ok(since(snapshot.sql(), self.after)?)
    }
}

/// Returns one page of events after a number, oldest first.
pub(crate) fn since(sql: &mut dyn Sql, after: i64) -> Result<Vec<EventView>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT {PAGE_MAX}");
    let rows = sql.query(&text, &[Value::Int(after)])?;
    Ok(rows.iter().map(EventView::from_row).collect())
}

/// Returns alerts for uncollected tickets since a time, at most 1,000.
pub(crate) fn of_tickets(sql: &mut dyn Sql, since: Instant) -> Result<Vec<EventView>, Fault> {
    let text = format!(
        "SELECT {COLUMNS} FROM event WHERE word = 'tickets_uncollected' AND at > $1 ORDER BY at LIMIT 1000"
    );
    let rows = sql.query(&text, &[since.millis().into()])?;
    Ok(rows.iter().map(EventView::from_row).collect())
}

/// Most recent events searched for those that concern an operator.
const LATELY_MAX: usize = 200;

/// Returns events since a time that may concern an operator, oldest first; only the latest of a
/// large number.
pub(crate) fn lately(sql: &mut dyn Sql, since: Instant) -> Result<Vec<EventView>, Fault> {
    let text = format!(
        "SELECT {COLUMNS} FROM event WHERE word IN ('cart_expired', 'taken_over', 'offer_lapsed', 'sales_closed', 'listener_failed') \
         AND at > $1 ORDER BY seq DESC LIMIT {LATELY_MAX}"
    );
    let rows = sql.query(&text, &[since.millis().into()])?;
    Ok(rows.iter().rev().map(EventView::from_row).collect())
}

/// Returns the number of the last event.
pub(crate) fn newest(sql: &mut dyn Sql) -> Result<i64, Fault> {
    let rows = sql.query("SELECT seq FROM event ORDER BY seq DESC LIMIT 1", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}

/// Returns the oldest event waiting for a listener.
pub(crate) fn waiting(sql: &mut dyn Sql) -> Result<Option<EventView>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM event WHERE listener = 'waits' ORDER BY seq LIMIT 1");
    Ok(sql.query(&text, &[])?.first().map(EventView::from_row))
}

/// Returns the events sent by some commands, in order.
pub(crate) fn of_commands(sql: &mut dyn Sql, commands: &[&str]) -> Result<Vec<EventView>, Fault> {
    let marks: Vec<String> = (1..=commands.len())
        .map(|number| format!("${number}"))
        .collect();
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT {COLUMNS} FROM event WHERE command IN ({}) ORDER BY seq",
        marks.join(", ")
    );
    let params: Vec<Value<'_>> = commands
        .iter()
        .map(|command| Value::from(*command))
        .collect();
    Ok(sql
        .query(&text, &params)?
        .iter()
        .map(EventView::from_row)
        .collect())
}
