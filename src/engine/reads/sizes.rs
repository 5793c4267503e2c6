//! Storage size of calendars, and numbers of what a house holds.

use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::chunks::IS_DAY;
use crate::store::document::DocKind;

/// Reads the number and size of the stored days.
#[derive(Clone, Copy, Debug)]
pub struct ReadSizes;

/// Storage size of calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Days of resources.
    pub days: i64,
    /// Size of their rows in characters.
    pub days_text: i64,
}

impl Question for ReadSizes {
    type Answer = Sizes;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Sizes, Failure> {
        let days = format!(
            "SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH(key) + LENGTH(body) + LENGTH(written_by)), 0) AS BIGINT) \
             FROM chunk WHERE {IS_DAY}"
        );
        let rows = snapshot.query(&days, &[])?;
        let (days, days_text) = rows.first().map_or((0, 0), |row| (row.int(0), row.int(1)));
        Ok(Sizes { days, days_text })
    }
}

/// Kinds that people count, each with its plural.
const COUNTED: [(DocKind, &str); 6] = [
    (DocKind::Theater, "theaters"),
    (DocKind::Performance, "performances"),
    (DocKind::Resource, "resources"),
    (DocKind::Receipt, "receipts"),
    (DocKind::Booking, "bookings"),
    (DocKind::Customer, "customers"),
];

/// Reads the time of the newest change, and how many theaters, performances and so on there are.
#[derive(Clone, Copy, Debug)]
pub struct ReadHoldings;

impl Question for ReadHoldings {
    type Answer = (Option<Instant>, Vec<(&'static str, i64)>);

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let newest = snapshot.query("SELECT at FROM journal ORDER BY seq DESC LIMIT 1", &[])?;
        let newest = newest.first().map(|row| Instant::from_millis(row.int(0)));
        let mut held = Vec::new();
        for (kind, plural) in COUNTED {
            let rows = snapshot.query(&format!("SELECT COUNT(*) FROM {}", kind.word()), &[])?;
            held.push((plural, rows.first().map_or(0, |row| row.int(0))));
        }
        Ok((newest, held))
    }
}
