//! Which stations are on: the only SQL that writes it, outside the journal.

use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::store::{Fault, Rows, Session, Sql, Value};

/// Writes that a station is on, and where.
///
/// # Errors
/// A fault of the database.
pub fn write(session: &mut dyn Session, present: &Present) -> Result<(), Fault> {
    let text = "INSERT INTO presence (station, operator, place, seen_at, said_at) VALUES ($1, $2, $3, $4, $5) \
                ON CONFLICT (station) DO UPDATE SET operator = excluded.operator, place = excluded.place, seen_at = excluded.seen_at, \
                said_at = excluded.said_at";
    let said_at = session.steady_millis()?;
    let params: [Value<'_>; 5] = [
        present.station.as_str().into(),
        present.operator.as_str().into(),
        present.place.as_str().into(),
        present.seen_at.millis().into(),
        said_at.into(),
    ];
    session.write(text, &params, Rows::One).map(|_| ())
}

/// The stations that have said since a time that they are on.
///
/// # Errors
/// A fault of the database.
pub fn since(sql: &mut dyn Sql, at: Instant) -> Result<Vec<Present>, Fault> {
    let text = "SELECT station, operator, place, seen_at FROM presence WHERE seen_at > $1 ORDER BY station";
    let rows = sql.query(text, &[at.millis().into()])?;
    let present = rows.into_iter().map(|mut row| Present {
        station: row.take_text(0),
        operator: row.take_text(1),
        place: row.take_text(2),
        seen_at: Instant::from_millis(row.int(3)),
    });
    Ok(present.collect())
}
