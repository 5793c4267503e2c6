//! Presence of stations, stored outside the journal: all SQL for it.

use std::sync::LazyLock;

use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::store::dialect::{RowWrite, Write};
use crate::store::fault::Fault;
use crate::store::port::Sql;

static PUT: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::any(
        "INSERT INTO presence (station, operator, place, seen_at, said_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (station) DO UPDATE SET operator = excluded.operator, place = excluded.place, seen_at = excluded.seen_at, \
         said_at = excluded.said_at",
    )
});

/// Writes a station's presence, with a time by the clock that all stations share.
pub fn write((present, said_at): &(Present, i64)) -> Write {
    Write {
        row: &PUT,
        params: vec![
            present.station.clone().into(),
            present.operator.clone().into(),
            present.place.clone().into(),
            present.seen_at.millis().into(),
            (*said_at).into(),
        ],
    }
}

/// Lists the stations seen since a time.
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
