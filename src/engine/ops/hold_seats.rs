//! Holds seats in a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::performance::{ADULT, Performance};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::seat_runs;
use crate::engine::ops::carts::{at_most, not_yet_in, open, renew, this_or_new};
use crate::engine::ops::ending::put_changed;
use crate::engine::ops::pricing::{add_lines, on_sale};
use crate::engine::ops::seat_acts::give_up_kept;
use crate::engine::ops::seats::{self, BestSeats};
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Holds seats in a cart, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldSeats {
    /// Cart; a new one if `None`.
    pub cart: Option<CartId>,
    pub performance: PerformanceId,
    pub seats: SeatChoice,
    /// Ticket type; adult if `None`.
    pub ticket_type: Option<String>,
    pub kept: HouseSeats,
}

/// Seats by position, by name, or the best.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatChoice {
    Seats(#[serde(with = "seat_runs")] Vec<SeatRef>),
    /// Seats by unique name; places of standing room as `Floor=3`.
    Named(Vec<String>),
    Best(BestSeats),
}

/// Treatment of seats kept by the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HouseSeats {
    Refuse,
    Sell,
}

impl Operation for HoldSeats {
    const VERB: &'static str = "hold_seats";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        let performance = on_sale(work, self.performance)?;
        let seating = work.seating(performance.plan)?;
        if let SeatChoice::Best(BestSeats { count, .. }) = self.seats {
            // all of them would be new: refuse the number before the search fails
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            at_most(&settings, cart.seat_count().saturating_add(wanted))?;
        }
        let chosen = self.choose(work, &seating, &performance)?;
        let new = not_yet_in(&cart, performance.id, &chosen);
        if new.is_empty() {
            return Ok(cart);
        }
        at_most(&settings, cart.seat_count() + new.len())?;
        if self.kept == HouseSeats::Sell {
            give_up_kept(work, &performance, &new)?;
        }
        renew(work, &mut cart)?;
        add_lines(work, (&seating, &performance), &mut cart, (&new, self.ticket_type()))?;
        if self.cart.is_none() {
            open(work, &cart)?;
        } else {
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}

impl HoldSeats {
    /// Requests seats as adult, in a new cart.
    pub const fn new(performance: PerformanceId, seats: SeatChoice) -> Self {
        Self { cart: None, performance, seats, ticket_type: None, kept: HouseSeats::Refuse }
    }

    /// Requested ticket type, or the default.
    pub fn ticket_type(&self) -> &str {
        self.ticket_type.as_deref().unwrap_or(ADULT)
    }

    fn choose(
        &self,
        work: &mut UnitOfWork<'_>,
        seating: &SeatingPlan,
        performance: &Performance,
    ) -> Result<Vec<SeatRef>, Failure> {
        let chosen = match &self.seats {
            SeatChoice::Seats(chosen) => seats::checked(seating, chosen)?,
            SeatChoice::Named(names) => {
                let suits = if self.kept == HouseSeats::Sell { seats::FREE_OR_KEPT } else { seats::FREE };
                seats::named(work, (seating, performance.id), names, suits)?
            }
            SeatChoice::Best(best) => {
                let ticket_type = self.ticket_type();
                seats::best(work, seating, performance, (best, ticket_type))?
            }
        };
        if chosen.is_empty() { Err(Refusal::NothingChosen.into()) } else { Ok(chosen) }
    }
}
