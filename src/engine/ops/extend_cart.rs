//! Extends the deadline of a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::carts;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves a cart's deadline, up to its cap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtendCart {
    pub cart: CartId,
}

impl Operation for ExtendCart {
    const VERB: &'static str = "extend_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if cart.is_at_cap() {
            return Err(Refusal::HoldCap { until: cart.expires_at }.into());
        }
        carts::renew(work, &mut cart)?;
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
