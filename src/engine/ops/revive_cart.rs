//! Revives an ended cart as a new one.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::line::Goods;
use crate::domain::refusal::Refusal;
use crate::engine::ops::booking::{Past, not_over};
use crate::engine::ops::cart_claims::hold_from;
use crate::engine::ops::carts::{at_most, new_cart, open};
use crate::engine::ops::pricing::{add_slot, on_sale, price_lines};
use crate::engine::ops::{ending, paying, returns};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens a new cart with the contents of an expired or canceled one, at today's prices, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviveCart {
    /// Ended cart.
    pub cart: CartId,
}

impl Operation for ReviveCart {
    const VERB: &'static str = "revive_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let old: Cart = work.get(self.cart)?;
        match old.state_at(work.now()) {
            CartState::Expired | CartState::Canceled => {}
            state @ (CartState::Active | CartState::Done(_)) => {
                return Err(ending::refusal_of_ended(work, &old, state)?.into());
            }
        }
        if old.is_empty() {
            return Err(Refusal::CartEmpty.into());
        }
        let settings = work.settings()?;
        at_most(&settings, old.seat_count())?;
        let mut cart = new_cart(work, &settings, Some(old.hold));
        cart.customer = old.customer;
        (cart.currency, cart.opened_in) = (old.currency, old.opened_in);
        let first = cart.next_line;
        for line in &old.lines {
            match &line.goods {
                Goods::Seats { performance, seats, .. } => {
                    let performance = on_sale(work, *performance)?;
                    let seating = work.seating(performance.plan)?;
                    price_lines(work, (&seating, &performance), &mut cart, (seats, &line.kind))?;
                }
                Goods::Time { resource, wanted, .. } => {
                    not_over(work, *wanted)?;
                    add_slot(work, &mut cart, (resource, (*wanted, line.units())), Past::Closed)?;
                }
                Goods::Booking { booking } => {
                    paying::charge(work, &mut cart, (*booking, Some(line.unit_price)))?;
                }
            }
        }
        for returned in &old.returns {
            cart.add_return(returned.clone());
        }
        returns::stand(work, &cart)?;
        hold_from(work, &cart, first)?;
        open(work, &cart)?;
        Ok(cart)
    }
}
