//! Operation that gives seats or time of a cart back before they are paid.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::line::Line;
use crate::domain::plan::SeatRef;
use crate::engine::ops::cart_claims::chosen;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::{cart_claims, claims};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Removes a line from a cart, or some of its seats; a time line only as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiveBack {
    pub cart: CartId,
    pub line: u32,
    /// Seats to remove; all if `None`.
    pub seats: Option<Vec<SeatRef>>,
}

impl Operation for GiveBack {
    const VERB: &'static str = "give_back";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let time = |line: &Line| line.number == self.line && line.goods.is_time();
        if let Some(at) = cart.lines.iter().position(time) {
            let line = cart.lines.remove(at);
            claims::free(work, &line.goods, &line.owner(cart.id))?;
            cart.forget_currency();
        } else {
            let chosen = chosen(work, &cart, (self.line, self.seats.as_deref()))?;
            cart_claims::give_up(work, &mut cart, &chosen.line, (chosen.performance.id, &chosen.seats))?;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
