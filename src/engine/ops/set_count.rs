//! Changes how many places of standing room, or units of a counted resource, a line of a cart has.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::Cause;
use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::line::{Goods, Line};
use crate::domain::refusal::{Problem, Refusal};
use crate::engine::ops::booking::{Past, bookable};
use crate::engine::ops::carts::{at_most, renew};
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::pricing::{add_lines, on_sale};
use crate::engine::ops::taking::number;
use crate::engine::ops::{cart_claims, claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Frees or holds places of standing room, so that a line has as many as are wanted, or units of a counted resource at each
/// time of a line. More places have today's price, and more units that of the line.
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
        let line = cart.lines.iter().find(|line| line.number == self.line && line.goods.is_time());
        if let Some(line) = line.cloned() {
            self.units(work, &mut cart, line)?;
            put_changed(work, &mut cart)?;
            return Ok(cart);
        }
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

impl SetCount {
    /// Holds a number of units at each time that a line still has.
    fn units(&self, work: &mut UnitOfWork<'_>, cart: &mut Cart, mut line: Line) -> Result<(), Failure> {
        let owner = line.owner(cart.id);
        let held = line.goods.clone();
        let Goods::Time { resource, wanted, taken } = &line.goods else {
            return Err(Refusal::UnknownLine { line: self.line.to_string() }.into());
        };
        if self.count == 0 {
            return Err(Refusal::bad("count", Problem::NoneLeft).into());
        }
        number(work, &mut taken.clone(), self.count)?;
        let (resource, wanted) = (resource.clone(), *wanted);
        if self.count > line.units() {
            bookable(work, (&resource, wanted), (&Cause::Booking, Past::Closed))?;
            renew(work, cart)?;
        }
        line.set_units(self.count)?;
        claims::free(work, &held, &owner)?;
        claims::act(work, &line.goods, (&owner, Act::Hold { until: cart.expires_at }))?;
        if let Some(mine) = cart.lines.iter_mut().find(|mine| mine.number == line.number) {
            *mine = line;
        }
        cart.total()?;
        Ok(())
    }
}
