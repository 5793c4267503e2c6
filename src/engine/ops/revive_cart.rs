//! A cart that ended comes back as a new one.

use serde::Serialize;

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::ending::{self, expiry_job};
use crate::engine::ops::hold_seats::{add_lines, on_sale};
use crate::engine::ops::open_cart::new_cart;
use crate::engine::work::{Failure, Operation, Work};

/// Opens a new cart with the choice of one that expired or was canceled, at today's prices, all or none.
#[derive(Clone, Debug, Serialize)]
pub struct ReviveCart {
    /// The cart that ended.
    pub cart: CartId,
}

impl Operation for ReviveCart {
    const VERB: &'static str = "revive_cart";
    type Answer = Cart;

    fn run(&self, work: &mut Work<'_>) -> Result<Cart, Failure> {
        let old: Cart = work.get(self.cart)?;
        match old.state_at(work.now()) {
            CartState::Expired | CartState::Canceled => {}
            state @ (CartState::Active | CartState::Done(_)) => {
                return Err(ending::ended(work, &old, state)?.into());
            }
        }
        if old.lines.is_empty() {
            return Err(Refusal::CartEmpty.into());
        }
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, Some(old.hold));
        cart.customer.clone_from(&old.customer);
        for line in &old.lines {
            let performance = on_sale(work, line.performance)?;
            let house = work.house(performance.plan)?;
            add_lines(
                work,
                &house,
                &mut cart,
                (&performance, &line.seats, &line.ticket_type),
            )?;
        }
        work.create(&cart)?;
        work.put_job(expiry_job(&cart));
        Ok(cart)
    }
}
