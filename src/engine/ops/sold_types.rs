//! Ticket types that somebody has: their prices stay, so that seats can be retyped, exchanged and counted.

use std::collections::BTreeSet;

use crate::domain::availability::{Chunks, Claim, Grip};
use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::performance::Performance;
use crate::domain::refusal::{ChangeRefusal, Refusal};
use crate::domain::time::Instant;
use crate::engine::ops::seats;
use crate::engine::work::{Failure, UnitOfWork};

/// Refuses to take away the price of a ticket type that somebody has seats as. Every row is written, so that a seat taken
/// meanwhile is a conflict.
pub(super) fn stay(work: &mut UnitOfWork<'_>, (before, after): (&Performance, &Performance)) -> Result<(), Failure> {
    let seating = work.seating(before.plan)?;
    let is_gone = |category: u16, kind: &str| before.sells(category, kind) && !after.sells(category, kind);
    let categories = 0..u16::try_from(seating.plan.categories.len()).unwrap_or(u16::MAX);
    let mut types =
        categories.flat_map(|category| before.ticket_types(category).into_iter().map(move |kind| (category, kind)));
    if !types.any(|(category, kind)| is_gone(category, kind)) {
        return Ok(());
    }
    let rows = seats::all_chunks(work, &seating, before)?;
    let late_at = work.late_at();
    let carts: BTreeSet<CartId> = held(&rows, late_at).collect();
    rows.values().try_for_each(|row| work.touch(row))?;
    let mut named = Vec::new();
    let mut ticket_type = None;
    for cart in carts {
        let cart: Cart = work.get(cart)?;
        for line in cart.lines.iter().filter(|line| line.goods.performance() == Some(before.id)) {
            let category = |seat| seating.plan.seat(seat).map(|found| found.category);
            let seats = line.goods.seats().iter().copied();
            let gone = seats.filter(|seat| category(*seat).is_some_and(|category| is_gone(category, &line.kind)));
            let gone: Vec<_> = gone.collect();
            if !gone.is_empty() {
                ticket_type.get_or_insert_with(|| line.kind.clone());
                named.extend(seating.names(&gone));
            }
        }
    }
    let Some(ticket_type) = ticket_type else { return Ok(()) };
    let performance = before.title.clone();
    Err(Refusal::from(ChangeRefusal::TypeStays { performance, ticket_type, seats: named }).into())
}

/// Carts that have seats of some rows, one for each claim.
pub(super) fn held(rows: &Chunks, late_at: Instant) -> impl Iterator<Item = CartId> {
    let claims = rows.values().flat_map(|row| row.claims_from(0)).map(|(_, claim)| claim);
    let stands = move |claim: &Claim| claim.grip != Grip::Disabled && !claim.is_late(late_at);
    claims.filter(stands).filter_map(|claim| claim.owner.cart())
}
