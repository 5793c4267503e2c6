//! Alternative seats after a refusal.

use crate::domain::best::{self, Access, Aisle, SeatWish};
use crate::domain::cart::Cart;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Alternative;
use crate::engine::ops::carts::not_yet_in;
use crate::engine::ops::{HoldSeats, SeatChoice};
use crate::engine::reads::{Snapshot, is_free};
use crate::engine::work::Failure;

/// Finds free seats together, nearest to the wanted ones and preferably in their category: as many as the cart still
/// lacks, or as best seats were asked for. Each choice can be held if requested at once.
pub(super) fn instead(
    snapshot: &mut Snapshot<'_>,
    (wanted, refused): (&HoldSeats, &[String]),
) -> Result<Vec<Alternative>, Failure> {
    let performance: Performance = snapshot.get(wanted.performance)?;
    let seating = snapshot.seating(performance.plan)?;
    let mut seats = match &wanted.seats {
        SeatChoice::Seats(seats) => seats.clone(),
        SeatChoice::Named(names) => seating.seats(names)?,
        SeatChoice::Best(_) => seating.seats(refused)?,
    };
    if let Some(cart) = wanted.cart {
        let cart: Cart = snapshot.get(cart)?;
        seats = not_yet_in(&cart, performance.id, &seats);
    }
    let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
    let ticket_type = wanted.ticket_type();
    let free = |seat: SeatRef| seating.sells(&performance, seat, ticket_type) && is_free(&chunks, seat, now);
    let known = seating.search(&free);
    let category = seats.first().and_then(|seat| seating.plan.seat(*seat)).map(|seat| seat.category);
    let wish = |category| SeatWish {
        count: u32::try_from(seats.len()).unwrap_or(u32::MAX),
        category,
        zone: None,
        aisle: Aisle::Any,
        access: Access::of(&seating.plan, &seats),
    };
    let mut found = best::alternatives(&known, &wish(category), &seats);
    if found.is_empty() {
        found = best::alternatives(&known, &wish(None), &seats);
    }
    let names = |choice: best::Choice| Alternative::Seats(seating.names(&choice.seats));
    Ok(found.into_iter().map(names).collect())
}
