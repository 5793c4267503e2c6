//! Presence of stations, stored outside the journal: all SQL for it.
//!
//! The row without a station's name is of the machine that the house is on, and has its newest [`BootStamp`] as the
//! place. Its times are zero, so that no list of stations has it.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
pub fn write(present: &Present, said_at: i64) -> Write {
    Write {
        row: &PUT,
        params: vec![
            present.station.clone().into(),
            present.operator.clone().into(),
            present.place.clone().into(),
            present.seen_at.millis().into(),
            said_at.into(),
        ],
    }
}

/// Stamp of a machine's wall clock with one of its boot clock, which carries it on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BootStamp {
    pub boot: Uuid,
    pub boot_millis: i64,
    pub wall_millis: i64,
    /// Station that stored it.
    pub station: String,
}

impl BootStamp {
    /// Station name of the row.
    pub const ROW: &str = "";

    /// Write of the stamp in place of the one before.
    ///
    /// # Errors
    /// The stamp cannot be written as JSON.
    pub fn write(&self) -> Result<Write, Fault> {
        let body = serde_json::to_string(self).map_err(|error| Fault::Broken(error.to_string()))?;
        let params = vec![Self::ROW.into(), "".into(), body.into(), 0_i64.into(), 0_i64.into()];
        Ok(Write { row: &PUT, params })
    }

    /// Reads the place of the row; `None` for a stamp that is not understood.
    #[must_use]
    pub fn read(place: &str) -> Option<Self> {
        serde_json::from_str(place).ok()
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
