//! Storage size of calendars.

use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::chunks::IS_DAY;

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
