//! What was told: alerts, expiries, take-overs, offers.

use crate::domain::event::Event;
use crate::domain::time::Instant;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::{Fault, Row, Sql, Value};

/// An event as it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    /// Its number; later events have higher ones.
    pub seq: i64,
    /// When.
    pub at: Instant,
    /// Its word, also of one that a newer program told.
    pub word: String,
    /// Itself, as JSON.
    pub body: String,
    /// Whose command told it.
    pub operator: String,
    /// Where.
    pub station: String,
    /// The command, by which the journal knows it.
    pub command: String,
}

impl EventView {
    /// The event; `None` when a newer program told it.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        serde_json::from_str(&self.body).ok()
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

/// The columns of an event, as they are read.
pub(crate) const COLUMNS: &str = "seq, at, word, body, operator, station, command";

/// Asks for events, oldest first.
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

/// The events after a number, oldest first, at most a page.
pub(crate) fn since(sql: &mut dyn Sql, after: i64) -> Result<Vec<EventView>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT {PAGE_MAX}");
    let rows = sql.query(&text, &[Value::Int(after)])?;
    Ok(rows.iter().map(EventView::from_row).collect())
}

/// The number of the last event.
pub(crate) fn newest(sql: &mut dyn Sql) -> Result<i64, Fault> {
    let rows = sql.query("SELECT seq FROM event ORDER BY seq DESC LIMIT 1", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}
