//! Rendered answers: JSON for programs (names as in the domain, money as text with a currency, local times as
//! RFC 3339, seats by their unique names) and tables for people.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::domain::customer::Customer;
use crate::domain::time::{Instant, Slot};

/// JSON object of entries; those after `?` are left out if null, false or empty. `of { a, b; in zone; c }` adds fields
/// under their own names, the last ones as local times; `..other` adds those of an object.
macro_rules! object {
    (@ $to:ident; $(,)?) => {};
    (@ $to:ident; ? $key:literal: $value:expr, $($rest:tt)*) => {
        let value = serde_json::json!($value);
        if $crate::cli::answers::is_known(&value) {
            $to.insert($key.to_owned(), value);
        }
        object!(@ $to; $($rest)*);
    };
    (@ $to:ident; $key:literal: $value:expr, $($rest:tt)*) => {
        $to.insert($key.to_owned(), serde_json::json!($value));
        object!(@ $to; $($rest)*);
    };
    (@ $to:ident; ..$other:expr, $($rest:tt)*) => {
        if let serde_json::Value::Object(other) = $other {
            $to.extend(other);
        }
        object!(@ $to; $($rest)*);
    };
    (@ $to:ident; $($of:ident).+ { $($name:ident),+ $(; in $zone:expr; $($at:ident),+)? }, $($rest:tt)*) => {
        let of = &$($of).+;
        $($to.insert(stringify!($name).to_owned(), serde_json::json!(of.$name));)+
        $($($to.insert(stringify!($at).to_owned(), of.$at.rfc3339($zone).into());)+)?
        object!(@ $to; $($rest)*);
    };
    ($($entries:tt)+) => {{
        let mut object = serde_json::Map::new();
        object!(@ object; $($entries)+,);
        serde_json::Value::Object(object)
    }};
}
pub(in crate::cli) use object;

pub(super) mod bench;
pub(super) mod booking;
pub(super) mod calendar;
pub(crate) mod cart;
pub(super) mod changed;
pub(super) mod credit;
pub(super) mod customer;
pub(super) mod find;
pub(super) mod free;
pub(crate) mod job;
pub(super) mod journal;
mod losses;
pub(super) mod out_of_use;
pub(crate) mod performance;
pub(crate) mod receipt;
pub(super) mod refusal;
pub(super) mod resource;
mod returned;
pub(super) mod season;
pub(super) mod seats;
pub(super) mod seats_out;
pub(super) mod settling;
pub(super) mod stays;
pub(super) mod sums;
pub(super) mod theater;
pub(super) mod ticket;
pub(super) mod till;
pub(super) mod waitlist;
pub(super) mod worklist;

/// A local time for people: `Tue 1 Dec 2026 19:30`.
pub(in crate::cli) fn day_time(at: Instant, zone: Tz) -> String {
    at.format(zone, "%a %-d %b %Y %H:%M")
}

fn slots(slots: &[Slot], zone: Tz) -> Vec<Value> {
    let slot = |one: &Slot| json!({ "from": one.from().rfc3339(zone), "until": one.until().rfc3339(zone) });
    slots.iter().map(slot).collect()
}

fn customer(customer: &Customer) -> Value {
    object! { "name": customer.name, "phone": customer.phone, ? "mail": customer.mail }
}

/// True unless a value is null, false or empty.
pub(in crate::cli) fn is_known(value: &Value) -> bool {
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
