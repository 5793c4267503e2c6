//! A cart is given up.

use serde::Serialize;

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::engine::ops::ending;
use crate::engine::work::{Failure, Operation, Work};

/// Cancels a cart and gives back everything in it. Canceling twice is one cancel.
#[derive(Clone, Debug, Serialize)]
pub struct CancelCart {
    /// The cart.
    pub cart: CartId,
}

impl Operation for CancelCart {
    const VERB: &'static str = "cancel_cart";
    type Answer = Cart;

    fn run(&self, work: &mut Work<'_>) -> Result<Cart, Failure> {
        let mut cart: Cart = work.get(self.cart)?;
        match cart.state_at(work.now()) {
            CartState::Active => ending::end(work, &mut cart, CartState::Canceled)?,
            CartState::Canceled => {}
            state @ (CartState::Done(_) | CartState::Expired) => {
                return Err(ending::ended(work, &cart, state)?.into());
            }
        }
        Ok(cart)
    }
}
