//! Staff of the demo house: who signs in, with which role and PIN.

use crate::domain::rights::StaffRole;
use crate::engine::ops::{AddOperator, ChangeSettings};
use crate::engine::{Desk, Failure};

/// Operator and station of the desk.
pub(super) const OPERATOR: (&str, &str) = ("ada", "till-2");

/// Operators with their roles and PINs; the first is of the office.
const STAFF: [(&str, StaffRole, &str); 5] = [
    ("dora", StaffRole::Office, "8642"),
    ("ada", StaffRole::Supervisor, "2468"),
    ("ben", StaffRole::Seller, "1357"),
    ("chloe", StaffRole::Seller, "3579"),
    ("online", StaffRole::Seller, "5791"),
];

/// Gives a furnished house its operators. A desk that nobody touches stays open for a day.
pub(super) fn employ(desk: &Desk) -> Result<(), Failure> {
    desk.run(ChangeSettings::to("lock-after", "24h"))?;
    let mut office = desk.clone();
    for (name, role, pin) in STAFF {
        office.run(AddOperator { name: name.to_owned(), role, pin: office.new_pin(pin)? })?;
        if role == StaffRole::Office {
            office = desk.signed_in(pin, None)?;
        }
    }
    Ok(())
}

/// A desk of an operator, signed in where the house has operators.
pub(super) fn at(desk: &Desk, (operator, station): (&str, &str)) -> Desk {
    let named = desk.working_as(operator, station);
    let pin = STAFF.iter().find(|(name, ..)| *name == operator).map_or("", |(.., pin)| pin);
    // a house that was furnished without its staff asks nobody
    named.signed_in(pin, Some(operator)).unwrap_or(named)
}

/// PINs of those who work at this desk: `PINs of this demo: ada 2468 (supervisor), ...`.
pub(super) fn pins() -> String {
    let all = STAFF.iter().filter(|(name, ..)| ["dora", "ben", OPERATOR.0].contains(name));
    let all = all.map(|(name, role, pin)| format!("{name} {pin} ({})", role.word()));
    format!("PINs of this demo: {}", all.collect::<Vec<_>>().join(", "))
}
