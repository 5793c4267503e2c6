//! Events: alerts, expiries, take-overs, offers.

use std::collections::{BTreeSet, HashMap};

use chrono_tz::Tz;
use serde_json::{Map, Value as Json};

use crate::domain::customer::{Customer, CustomerRecord};
use crate::domain::event::Event;
use crate::domain::house::Keep;
use crate::domain::ids::CustomerId;
use crate::domain::private;
use crate::domain::time::Instant;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::document::{self, Ask, DocKind};
use crate::store::{Fault, Row, Sql, Value};

/// Stored event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    /// Number, ascending.
    pub seq: i64,
    pub at: Instant,
    /// Event's word, possibly of a newer program.
    pub word: String,
    /// Event as JSON.
    pub body: String,
    pub customer: Customer,
    /// Operator whose command sent it.
    pub operator: String,
    pub station: String,
    pub command: String,
}

impl EventView {
    /// Event as the journal has it: without output of commands. `None` if its body is not as this program writes it.
    pub(crate) fn journaled(&self) -> Option<String> {
        let event = self.event()?;
        let (told, _) = private::apart(|| serde_json::to_string(&event).ok());
        told.filter(|_| serde_json::to_string(&event).is_ok_and(|body| body == self.body))
    }

    /// Parses the event; `None` if only a newer program knows it.
    pub fn event(&self) -> Option<Event> {
        serde_json::from_str(&self.body).ok()
    }

    /// Formats the event for programs: number, time, and facts with local times of a zone.
    pub fn told(&self, zone: Tz) -> Map<String, Json> {
        let mut told = Map::new();
        told.insert("id".into(), self.seq.into());
        told.insert("event".into(), self.word.as_str().into());
        told.insert("at".into(), self.at.rfc3339(zone).into());
        let facts: Map<String, Json> = serde_json::from_str(&self.body).unwrap_or_default();
        told.extend(local(facts, zone));
        if let Some(customer) = told.get_mut("customer") {
            *customer = self.customer.name.as_str().into();
            told.insert("phone".into(), self.customer.phone.as_str().into());
            if !self.customer.mail.is_empty() {
                told.insert("mail".into(), self.customer.mail.as_str().into());
            }
        }
        told
    }

    fn from_row(row: &Row) -> Self {
        Self {
            customer: Customer::default(),
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
    name.ends_with("_at") || matches!(name, "at" | "pay_by" | "start" | "end" | "was" | "from" | "until")
}

pub(crate) fn read(sql: &mut dyn Sql, text: &str, params: &[Value<'_>]) -> Result<Vec<EventView>, Fault> {
    let rows = sql.query(text, params)?;
    with_words(sql, rows.iter().map(EventView::from_row).collect())
}

/// Adds the words that an event names by id: of its customer, and the reason of its keep.
fn with_words(sql: &mut dyn Sql, mut events: Vec<EventView>) -> Result<Vec<EventView>, Fault> {
    for view in &mut events {
        if let Some(Event::KeepReleased { keep, performance, seats, .. }) = view.event()
            && let Some(Keep { reason, .. }) = document::find(sql, &keep.to_string())?
        {
            let event = Event::KeepReleased { keep, performance, reason, seats };
            view.body = serde_json::to_string(&event).map_err(|error| Fault::Broken(error.to_string()))?;
        }
    }
    let about = |event: &EventView| event.event()?.customer();
    let about: Vec<Option<CustomerId>> = events.iter().map(about).collect();
    let keys: BTreeSet<CustomerId> = about.iter().copied().flatten().collect();
    let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
    let mut customers: HashMap<CustomerId, CustomerRecord> = HashMap::new();
    for stored in document::load(sql, DocKind::Customer, &keys)? {
        let record: CustomerRecord = stored.parse()?;
        customers.insert(record.id, record);
    }
    for (event, about) in events.iter_mut().zip(about) {
        if let Some(record) = about.and_then(|id| customers.get(&id)) {
            event.customer = record.customer.clone();
        }
    }
    Ok(events)
}

/// Columns of an event, in the order read.
pub(crate) const COLUMNS: &str = "seq, at, word, body, operator, station, command";

/// Lists a page of events, oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadEvents {
    pub after: i64,
}

impl Question for ReadEvents {
    type Answer = Vec<EventView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<EventView>, Failure> {
        let text = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT {PAGE_MAX}");
        Ok(read(snapshot.sql(), &text, &[self.after.into()])?)
    }
}

/// Returns alerts for uncollected tickets since a time, at most 1,000.
pub(crate) fn of_tickets(sql: &mut dyn Sql, since: Instant) -> Result<Vec<EventView>, Fault> {
    let text =
        format!("SELECT {COLUMNS} FROM event WHERE word = 'tickets_uncollected' AND at > $1 ORDER BY at LIMIT 1000");
    read(sql, &text, &[since.millis().into()])
}

/// Most recent events searched for those that concern an operator.
const LATELY_MAX: usize = 200;

/// Returns events since a time that may concern an operator, oldest first; only the latest of a large number.
pub(crate) fn lately(sql: &mut dyn Sql, since: Instant) -> Result<Vec<EventView>, Fault> {
    let text = format!(
        "SELECT {COLUMNS} FROM event WHERE word IN ('cart_expired', 'taken_over', 'offer_lapsed', 'sales_closed', 'listener_failed') \
         AND at > $1 ORDER BY seq DESC LIMIT {LATELY_MAX}"
    );
    let mut events = read(sql, &text, &[since.millis().into()])?;
    events.reverse();
    Ok(events)
}

/// Returns the oldest event waiting for a listener.
pub(crate) fn waiting(sql: &mut dyn Sql) -> Result<Option<EventView>, Fault> {
    let text = format!("SELECT {COLUMNS} FROM event WHERE listener = 'waits' ORDER BY seq LIMIT 1");
    Ok(read(sql, &text, &[])?.pop())
}

/// Returns the events sent by some commands, in order.
pub(crate) fn of_commands(sql: &mut dyn Sql, commands: &[&str]) -> Result<Vec<EventView>, Fault> {
    let told = told_by(sql, commands)?;
    with_words(sql, told)
}

/// Returns the events sent by some commands as they are stored, in order.
pub(crate) fn told_by(sql: &mut dyn Sql, commands: &[&str]) -> Result<Vec<EventView>, Fault> {
    let select = format!("SELECT {COLUMNS} FROM event WHERE command IN ");
    let commands: Vec<Value> = commands.iter().map(|id| Value::from(*id)).collect();
    let ask: Ask<'_> = &mut |text, params| sql.query(text, params);
    let mut rows = document::by_keys(ask, &select, &commands)?;
    rows.sort_by_key(|row| row.int(0));
    Ok(rows.iter().map(EventView::from_row).collect())
}
