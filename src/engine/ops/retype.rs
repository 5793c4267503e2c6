//! Changes the ticket type of seats in a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::engine::ops::cart_claims::{CartPart, LineSeats};
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::{cart_claims, pricing};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves seats to new lines with another ticket type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retype {
    pub cart: CartId,
    pub part: CartPart,
    pub ticket_type: String,
}

impl Operation for Retype {
    const VERB: &'static str = "retype";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let mut chosen = cart_claims::chosen(work, &cart, &self.part)?;
        chosen.retain(|one| !one.line.kind.eq_ignore_ascii_case(&self.ticket_type));
        if chosen.is_empty() {
            return Ok(cart);
        }
        for LineSeats { line, performance, seats } in chosen {
            let seating = work.seating(performance.plan)?;
            cart_claims::give_up(work, &mut cart, &line, (performance.id, &seats))?;
            pricing::add_lines(work, (&seating, &performance), &mut cart, (&seats, &self.ticket_type))?;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
