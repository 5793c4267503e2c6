//! Changes the ticket type of seats in a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::plan::SeatRef;
use crate::engine::ops::cart_claims::Chosen;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::{cart_claims, pricing};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves seats of a line to a new line with another ticket type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retype {
    pub cart: CartId,
    pub line: u32,
    /// Seats; all if `None`.
    pub seats: Option<Vec<SeatRef>>,
    pub ticket_type: String,
}

impl Operation for Retype {
    const VERB: &'static str = "retype";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let chosen = cart_claims::chosen(work, &cart, (self.line, self.seats.as_deref()))?;
        if chosen.line.kind.eq_ignore_ascii_case(&self.ticket_type) {
            return Ok(cart);
        }
        let Chosen { line, performance, seats } = chosen;
        let seating = work.seating(performance.plan)?;
        cart_claims::give_up(work, &mut cart, &line, (performance.id, &seats))?;
        pricing::add_lines(work, (&seating, &performance), &mut cart, (&seats, &self.ticket_type))?;
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
