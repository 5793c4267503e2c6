//! Pace of sales: seats sold of each performance, today and on the days before.

use std::collections::BTreeMap;

use chrono::Days;

use crate::domain::ids::PerformanceId;
use crate::domain::line::Goods;
use crate::domain::loss::CellGroup;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::document::{self, DocKind};

/// Days of a pace; today is the last.
pub const PACE_DAYS: usize = 5;
/// Receipts that are read at once, and at most: the oldest days of a very busy house are left out.
const RECEIPTS_TOGETHER: usize = 500;
const RECEIPTS_MOST: usize = 10_000;

/// Seats of a performance sold on each of the last days, less those that came back; today last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub performance: PerformanceId,
    pub days: [i64; PACE_DAYS],
}

/// Reads the pace of all performances with sales on these days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPace;

impl Question for ReadPace {
    type Answer = Vec<Pace>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Pace>, Failure> {
        let settings = snapshot.settings()?;
        let today = settings.day_at(snapshot.now());
        // starts of the days, today's first
        let starts: Vec<Instant> = (0..).take(PACE_DAYS).map(|ago| settings.day_from(today - Days::new(ago))).collect();
        let Some(from) = starts.last() else { return Ok(Vec::new()) };
        let mut sold: BTreeMap<PerformanceId, [i64; PACE_DAYS]> = BTreeMap::new();
        let (mut before, mut key, mut count) = (i64::MAX, String::new(), 0);
        while count < RECEIPTS_MOST {
            let condition = format!(
                "WHERE issued_at >= $1 AND (issued_at < $2 OR (issued_at = $2 AND key < $3)) \
                 ORDER BY issued_at DESC, key DESC LIMIT {RECEIPTS_TOGETHER}"
            );
            let params = [from.millis().into(), before.into(), key.as_str().into()];
            let page = document::select(snapshot.sql(), DocKind::Receipt, &condition, &params)?;
            let receipts: Vec<Receipt> = document::parse_all(&page)?;
            let Some(last) = receipts.last() else { break };
            (before, key) = (last.issued_at.millis(), last.id.to_string());
            count += receipts.len();
            for receipt in &receipts {
                let ago = starts.iter().position(|start| receipt.issued_at >= *start);
                for (performance, seats) in seats(receipt) {
                    let days = sold.entry(performance).or_default();
                    if let Some(day) = ago.and_then(|ago| days.iter_mut().rev().nth(ago)) {
                        *day += seats;
                    }
                }
            }
            if receipts.len() < RECEIPTS_TOGETHER {
                break;
            }
        }
        Ok(sold.into_iter().map(|(performance, days)| Pace { performance, days }).collect())
    }
}

/// Seats that a receipt sells of each performance, less those that it takes back.
fn seats(receipt: &Receipt) -> impl Iterator<Item = (PerformanceId, i64)> + '_ {
    let sold = receipt.lines.iter().filter_map(|line| match &line.goods {
        Goods::Seats { performance, .. } => Some((*performance, i64::from(line.count))),
        Goods::Time { .. } | Goods::Booking { .. } => None,
    });
    let returned = receipt.correction.iter().flat_map(|one| &one.returned);
    let back = returned.filter_map(|one| match &one.cells {
        CellGroup::Seats { performance, .. } => Some((*performance, -i64::from(one.count))),
        CellGroup::Time { .. } => None,
    });
    sold.chain(back)
}
