//! Places of the journal that were passed over: where several write at once, a later place may be there before an earlier
//! one, for places are given before the commit.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant as Moment};

/// How long a place may still be filled: longer than any transaction lasts.
const FILLED_WITHIN: Duration = Duration::from_secs(30);

/// How many places are kept of a stretch that is passed over.
const GAPS_MOST: i64 = 1000;

/// Places that may still be filled, each with when it was passed over.
#[derive(Debug, Default)]
pub struct Gaps(BTreeMap<i64, Moment>);

impl Gaps {
    /// Adds places that were passed over; of very many the latest.
    pub fn pass(&mut self, places: Range<i64>) {
        let first = places.start.max(places.end - GAPS_MOST);
        let latest = first..places.end;
        self.0.extend(latest.map(|place| (place, Moment::now())));
    }

    /// Removes a place that was filled.
    pub fn fill(&mut self, place: i64) {
        self.0.remove(&place);
    }

    /// The places that may still be filled.
    pub fn open(&mut self) -> Vec<i64> {
        self.0.retain(|_, passed| passed.elapsed() < FILLED_WITHIN);
        self.0.keys().copied().collect()
    }
}
