//! What all lines of a cart claim, seats and time alike.

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, Line, SlotLine};
use crate::domain::ids::LineId;
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::resource::Resource;
use crate::engine::ops::claims::Cells;
use crate::engine::ops::{booking, claims, taking};
use crate::engine::work::{Failure, UnitOfWork};

/// Who has the time of a line.
pub(super) fn slot_owner(cart: &Cart, line: &SlotLine) -> Owner {
    Owner::Line(LineId {
        cart: cart.id,
        number: line.number,
    })
}

/// The cells of each line of a cart, with their owner.
fn cells(cart: &Cart) -> impl Iterator<Item = (Owner, Cells<'_>)> {
    let seats = cart.lines.iter().map(|line| {
        let cells = Cells::Seats(line.performance, &line.seats);
        (Owner::Line(cart.line_id(line)), cells)
    });
    let slots = cart.slots.iter();
    seats.chain(slots.map(|line| (slot_owner(cart, line), Cells::Time(&line.taken))))
}

/// Applies an act to everything that a cart has, all or none.
pub(super) fn act_all(work: &mut UnitOfWork<'_>, cart: &Cart, act: Act) -> Result<(), Failure> {
    for (owner, cells) in cells(cart) {
        claims::act(work, cells, (&owner, act))?;
    }
    Ok(())
}

/// Frees seats of a line, and takes them out of the cart.
pub(super) fn give_up(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (line, seats): (&Line, &[SeatRef]),
) -> Result<(), Failure> {
    let owner = Owner::Line(cart.line_id(line));
    claims::free(work, (line.performance, seats), &owner)?;
    cart.give_up(line.number, seats);
    Ok(())
}

/// Frees everything that a cart still has, late or not.
pub(super) fn free_all(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    for (owner, cells) in cells(cart) {
        claims::free(work, cells, &owner)?;
    }
    Ok(())
}

/// Whether a cell of a late cart cannot be had again.
pub(super) fn gone(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<bool, Failure> {
    for line in &cart.lines {
        let performance: Performance = work.get(line.performance)?;
        let now = work.now();
        let Some(cells) = claims::cells_of(line.performance, &line.seats)? else {
            continue;
        };
        let chunks = work.chunks(&cells.chunk_keys())?;
        let gone = |seat: &SeatRef| {
            !chunks
                .get(&claims::chunk_of(line.performance, seat.row))
                .is_some_and(|chunk| chunk.is_free(seat.seat, now))
        };
        if performance.state == PerformanceState::Canceled || line.seats.iter().any(gone) {
            return Ok(true);
        }
    }
    for line in &cart.slots {
        if slot_gone(work, cart, line)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the time of a late cart's line cannot be had again; the late cart itself is in nobody's way.
fn slot_gone(work: &mut UnitOfWork<'_>, cart: &Cart, line: &SlotLine) -> Result<bool, Failure> {
    for taken in &line.taken {
        let resource: Resource = work.get(&taken.resource)?;
        for slot in &taken.live {
            if taking::in_service(&resource, *slot).is_err() {
                return Ok(true);
            }
        }
    }
    let act = Act::Book { until: None };
    let stands = claims::in_the_way(work, &line.taken, (&slot_owner(cart, line), act))?;
    Ok(!stands.is_empty())
}

/// Makes the lines of an ended cart's time again in another cart, at today's prices, holding nothing yet.
pub(super) fn slots_again(
    work: &mut UnitOfWork<'_>,
    old: &Cart,
    cart: &mut Cart,
) -> Result<(), Failure> {
    for line in &old.slots {
        if let Some(asked) = line.asked() {
            booking::not_over(work, asked.wanted)?;
            let wanted = (&asked.resource.clone(), asked.wanted);
            super::hold_slot::add_slot(work, cart, wanted)?;
        }
    }
    Ok(())
}
