//! Rendered answers: JSON for programs (names as in the domain, money as text with a currency, local times as
//! RFC 3339, seats by their unique names) and tables for people.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::domain::customer::Customer;
use crate::domain::time::{Instant, Slot};

/// JSON object of fields under their own names; those after a zone are instants, written as its local times.
macro_rules! fields {
    ($of:expr; $($name:ident),+ $(; in $zone:expr; $($at:ident),+)?) => {{
        let mut object = serde_json::Map::new();
        $(object.insert(stringify!($name).to_owned(), serde_json::json!($of.$name));)+
        $($(object.insert(stringify!($at).to_owned(), $of.$at.rfc3339($zone).into());)+)?
        serde_json::Value::Object(object)
    }};
}

pub(super) mod bench;
pub(super) mod booking;
pub(super) mod calendar;
pub(super) mod cart;
pub(super) mod find;
pub(super) mod free;
pub(super) mod job;
pub(super) mod journal;
mod losses;
pub(super) mod out_of_use;
pub(super) mod performance;
pub(super) mod receipt;
pub(super) mod refusal;
pub(super) mod resource;
pub(super) mod seats;
pub(super) mod seats_out;
pub(super) mod theater;
pub(super) mod waitlist;
pub(super) mod worklist;

/// A local time for people: `Tue 1 Dec 2026 19:30`.
fn day_time(at: Instant, zone: Tz) -> String {
    at.format(zone, "%a %-d %b %Y %H:%M")
}

fn slots(slots: &[Slot], zone: Tz) -> Vec<Value> {
    let slot = |one: &Slot| json!({ "from": one.from().rfc3339(zone), "until": one.until().rfc3339(zone) });
    slots.iter().map(slot).collect()
}

fn customer(customer: &Customer) -> Value {
    json!({ "name": customer.name, "phone": customer.phone })
}

impl Rendered {
    /// Adds fields to the JSON.
    fn with_fields(self, further: Value) -> Self {
        Self::new(with_fields(self.json, further), self.people)
    }
}

fn with_fields(mut object: Value, further: Value) -> Value {
    if let (Value::Object(fields), Value::Object(further)) = (&mut object, further) {
        fields.extend(further);
    }
    object
}

/// An object with further fields, without those that are null, false or empty.
pub(in crate::cli) fn with_known(object: Value, mut further: Value) -> Value {
    if let Value::Object(fields) = &mut further {
        fields.retain(|_, value| is_known(value));
    }
    with_fields(object, further)
}

fn is_known(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(_) | Value::Bool(true) | Value::Number(_) => true,
    }
}

/// The last digits of an id, enough to tell ids apart.
pub(in crate::cli) fn tail(id: &str) -> String {
    format!("..{}", crate::domain::ids::tail(id))
}
