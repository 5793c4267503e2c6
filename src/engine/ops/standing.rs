//! Claims on a resource from an instant on, without an end.

use crate::domain::availability::{CellRange, ChunkKey, Claim};
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, day_number};
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::chunks::{BETWEEN, chunk_at, days_from};

/// Every claim on a resource from an instant on, late or not. A decision based on it must write the
/// resource, which each new claim touches.
pub(super) fn claims_from(
    work: &mut UnitOfWork<'_>,
    resource: &Resource,
    from: Instant,
) -> Result<Vec<(CellRange, Claim)>, Failure> {
    let first = resource.grid.day_at(from);
    let first_number = day_number(first.date);
    let rows = work.query(
        &format!("SELECT key FROM chunk WHERE {BETWEEN} AND free < cells ORDER BY key"),
        &days_from(resource.id.as_str(), first_number),
    )?;
    let keys: Vec<ChunkKey> = rows
        .iter()
        .filter_map(|row| chunk_at(row.text(0)))
        .collect();
    let mut out = Vec::new();
    for (key, chunk) in work.chunks(&keys)? {
        let least = if key.number == first_number {
            first.cell_at(from)
        } else {
            0
        };
        out.extend(chunk.claims_from(least));
    }
    Ok(out)
}
