//! Other seats to offer when some were refused.

use crate::domain::best::{self, Access, Aisle, Wish};
use crate::domain::cart::Cart;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::Desk;
use crate::engine::ops::hold_seats::not_yet_in;
use crate::engine::ops::{HoldSeats, Wanted};
use crate::engine::reads::names::ReadSeatNames;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Asks for as many free seats together as were refused to a wish, nearest to them, in their category if there are
/// any. Each choice is granted when it is asked for instead at once.
#[derive(Clone, Debug)]
pub struct ReadAlternatives {
    /// The wish.
    pub wanted: HoldSeats,
    /// The seats that stood in the way, by their unique names.
    pub refused: Vec<String>,
}

impl Question for ReadAlternatives {
    type Answer = Vec<Vec<SeatRef>>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let performance: Performance = snapshot.get(self.wanted.performance)?;
        let house = snapshot.house(performance.plan)?;
        let mut seats = match &self.wanted.seats {
            Wanted::Seats(seats) => seats.clone(),
            Wanted::Named(names) => house.seats(names)?,
            Wanted::Best { .. } => house.seats(&self.refused)?,
        };
        if let Some(cart) = self.wanted.cart {
            let cart: Cart = snapshot.get(cart)?;
            seats = not_yet_in(&cart, performance.id, &seats);
        }
        let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
        let ticket_type = self.wanted.ticket_type();
        let free = |seat: SeatRef| {
            let chunk = usize::try_from(seat.row)
                .ok()
                .and_then(|row| chunks.get(row));
            house.sells(&performance, seat, ticket_type)
                && chunk.is_some_and(|chunk| chunk.is_free(seat.seat, now))
        };
        let known = best::House {
            plan: &house.plan,
            layout: &house.layout,
            free: &free,
        };
        let category = seats
            .first()
            .and_then(|seat| house.plan.seat(*seat))
            .map(|seat| seat.category);
        let wish = |category| Wish {
            count: u32::try_from(seats.len()).unwrap_or(u32::MAX),
            category,
            zone: None,
            aisle: Aisle::Any,
            access: Access::of(&house.plan, &seats),
        };
        let mut found = best::alternatives(&known, &wish(category), &seats);
        if found.is_empty() {
            found = best::alternatives(&known, &wish(None), &seats);
        }
        Ok(found.into_iter().map(|choice| choice.seats).collect())
    }
}

/// A refusal with the seats that are free instead, where it is one that can offer some.
#[must_use]
pub fn offer(desk: &Desk, refusal: Refusal, wanted: &HoldSeats) -> Refusal {
    let Refusal::SeatsTaken { seats, details, .. } = refusal else {
        return refusal;
    };
    let found = desk.read(ReadAlternatives {
        wanted: wanted.clone(),
        refused: seats.clone(),
    });
    let named = desk.read(ReadSeatNames {
        performance: wanted.performance,
        choices: found.unwrap_or_default(),
    });
    Refusal::SeatsTaken {
        seats,
        details,
        alternatives: named.unwrap_or_default(),
    }
}
