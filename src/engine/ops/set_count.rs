//! Changes how many places of standing room a line of a cart has.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::refusal::{Problem, Refusal};
use crate::engine::ops::carts::{at_most, renew};
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::pricing::{add_lines, on_sale};
use crate::engine::ops::{cart_claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Frees or holds places of standing room, so that a line has as many as are wanted. More places have today's price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetCount {
    pub cart: CartId,
    pub line: u32,
    pub count: u32,
}

impl Operation for SetCount {
    const VERB: &'static str = "set_count";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let chosen = cart_claims::whole(work, &cart, self.line)?;
        let seating = work.seating(chosen.performance.plan)?;
        let area = chosen.seats.first().and_then(|place| seating.plan.area_of(*place));
        let area = area.and_then(|name| seating.plan.area(name));
        let area = area.ok_or_else(|| Refusal::bad("count", Problem::Numbered))?;
        let wanted = usize::try_from(self.count).unwrap_or(usize::MAX);
        if wanted == 0 {
            return Err(Refusal::bad("count", Problem::NoneLeft).into());
        }
        if let Some(given) = chosen.seats.get(wanted..) {
            if given.is_empty() {
                return Ok(cart);
            }
            cart_claims::give_up(work, &mut cart, &chosen.line, (chosen.performance.id, given))?;
        } else {
            let performance = on_sale(work, chosen.performance.id)?;
            let more = self.count - chosen.line.seat_count();
            let new = seats::places(work, performance.id, (&area, more), seats::FREE)?;
            at_most(&*work.settings()?, cart.seat_count() + new.len())?;
            renew(work, &mut cart)?;
            add_lines(work, (&seating, &performance), &mut cart, (&new, &chosen.line.kind))?;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
