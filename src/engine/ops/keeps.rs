//! Keeps: seats that the house keeps until a time.

use std::collections::BTreeMap;

use crate::domain::house::Keep;
use crate::domain::ids::KeepId;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::engine::ops::claims;
use crate::engine::ops::ending::put_keep;
use crate::engine::work::{Failure, UnitOfWork};

/// Removes seats from their keeps; returns the seats without a keep.
pub(super) fn give_up_kept(
    work: &mut UnitOfWork<'_>,
    performance: &Performance,
    seats: &[SeatRef],
) -> Result<Vec<SeatRef>, Failure> {
    let Some(cells) = claims::cells_of(performance.id, seats)? else {
        return Ok(Vec::new());
    };
    let chunks = work.chunks(&cells.chunk_keys())?;
    let mut keeps: BTreeMap<KeepId, Vec<SeatRef>> = BTreeMap::new();
    let mut others = Vec::new();
    for seat in seats {
        let claim = chunks
            .get(&claims::chunk_of(performance.id, seat.row))
            .and_then(|chunk| chunk.claim(seat.seat));
        match claim.map(|claim| &claim.owner) {
            Some(Owner::Keep(keep)) => keeps.entry(*keep).or_default().push(*seat),
            Some(Owner::Line(_) | Owner::Disable(..) | Owner::Booking(..)) | None => {
                others.push(*seat);
            }
        }
    }
    for (id, given) in keeps {
        let mut keep: Keep = work.get(id)?;
        claims::free(work, (performance.id, &given), &Owner::Keep(id))?;
        keep.live.retain(|seat| !given.contains(seat));
        put_keep(work, &keep)?;
    }
    Ok(others)
}
