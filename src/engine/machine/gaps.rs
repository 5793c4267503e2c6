//! Gaps in journal positions. Positions are assigned before the commit, so concurrent writers may
//! commit a later position before an earlier one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant as Moment};

/// Time within which a gap may still be filled: longer than any transaction lasts.
const FILLED_WITHIN: Duration = Duration::from_secs(30);

/// Most gaps kept of one skipped range.
const GAPS_MOST: i64 = 1000;

/// Positions that may still be filled, with the moment each was skipped.
#[derive(Debug, Default)]
pub(super) struct Gaps(BTreeMap<i64, Moment>);

impl Gaps {
    /// Adds a range of skipped positions; keeps only the latest of a large range.
    pub(super) fn pass(&mut self, places: Range<i64>) {
        let first = places.start.max(places.end - GAPS_MOST);
        let latest = first..places.end;
        self.0.extend(latest.map(|place| (place, Moment::now())));
    }

    pub(super) fn fill(&mut self, place: i64) {
        self.0.remove(&place);
    }

    /// Returns the positions that may still be filled, and drops expired ones.
    pub(super) fn open(&mut self) -> Vec<i64> {
        self.0.retain(|_, passed| passed.elapsed() < FILLED_WITHIN);
        self.0.keys().copied().collect()
    }
}
