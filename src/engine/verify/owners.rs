//! Expected claims: the live cells of every owner.

use std::collections::HashMap;

use super::carts::ACTIVE;
use super::each_page;
use crate::domain::availability::{Claim, Grip};
use crate::domain::booking::{Booking, Taken};
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::Keep;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::line::Line;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell<'a> {
    /// Performance or resource of the chunk.
    pub(super) of: &'a str,
    pub(super) number: u32,
    pub(super) at: u32,
}

/// Callback for each cell that an owner claims, or should claim.
pub(super) type WithCell<'a> = &'a mut dyn FnMut(Cell<'_>, &Claim);

/// Calls a closure with the live cells of every owner; returns the number of bookings.
pub(super) fn each_claim(
    snapshot: &mut Snapshot<'_>,
    resources: &[Resource],
    with: WithCell<'_>,
) -> Result<usize, Failure> {
    let resources = resources.iter().map(|one| (&one.id, one)).collect();
    let mut cells = LiveCells { resources, with };
    each_page(snapshot, &mut |_, receipts: Vec<Receipt>| {
        for receipt in &receipts {
            cells.lines((receipt.cart, &receipt.lines), (Grip::Booked, None));
        }
        Ok(())
    })?;
    let active: Vec<Cart> = snapshot.select(ACTIVE, &[])?;
    for cart in active.iter().filter(|cart| cart.state == CartState::Active) {
        cells.lines((cart.id, &cart.lines), (Grip::Held, Some(cart.expires_at)));
    }
    each_page(snapshot, &mut |_, keeps: Vec<Keep>| {
        for keep in keeps {
            let claim = claim(Owner::Keep(keep.id), (Grip::Booked, Some(keep.until)));
            cells.seats((keep.performance, &keep.live), &claim);
        }
        Ok(())
    })?;
    let mut count = 0;
    each_page(snapshot, &mut |_, bookings: Vec<Booking>| {
        count += bookings.len();
        for booking in bookings {
            let owner = booking.owner();
            let grip = owner.operator().map_or(Grip::Booked, |_| Grip::Disabled);
            let claim = claim(owner, (grip, None));
            cells.time(&booking.taken, &claim);
            if let Some(seats) = &booking.seats {
                cells.seats((seats.performance, &seats.live), &claim);
            }
        }
        Ok(())
    })?;
    Ok(count)
}

const fn claim(owner: Owner, (grip, until): (Grip, Option<Instant>)) -> Claim {
    Claim { owner, grip, until }
}

/// Conversion of live seats and time to cells.
struct LiveCells<'a> {
    resources: HashMap<&'a ResourceId, &'a Resource>,
    with: WithCell<'a>,
}

impl LiveCells<'_> {
    fn lines(&mut self, (cart, lines): (CartId, &[Line]), by: (Grip, Option<Instant>)) {
        for line in lines {
            let claim = claim(line.owner(cart), by);
            self.time(line.goods.taken(), &claim);
            if let Some(performance) = line.goods.performance() {
                self.seats((performance, line.goods.seats()), &claim);
            }
        }
    }

    fn seats(&mut self, (performance, seats): (PerformanceId, &[SeatRef]), claim: &Claim) {
        let of = performance.to_string();
        for seat in seats {
            let (number, at) = (seat.row, seat.seat);
            (self.with)(Cell { of: &of, number, at }, claim);
        }
    }

    fn time(&mut self, taken: &[Taken], claim: &Claim) {
        for one in taken.iter().filter(|one| !one.live.is_empty()) {
            let of = one.resource.as_str();
            let Some(resource) = self.resources.get(&one.resource) else {
                // a cell that is nowhere
                let (number, at) = (0, 0);
                (self.with)(Cell { of, number, at }, claim);
                continue;
            };
            for range in one.live.iter().flat_map(|slot| resource.cells(*slot)) {
                let number = range.chunk.number;
                for at in range.cells().flat_map(|at| std::iter::repeat_n(at, usize::try_from(one.number).unwrap_or(1)))
                {
                    (self.with)(Cell { of, number, at }, claim);
                }
            }
        }
    }
}
