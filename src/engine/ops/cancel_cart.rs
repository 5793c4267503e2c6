//! Cancels a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::ending;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Cancels a cart and frees its contents. Repeating it changes nothing. While a card payment may be
/// under way, only the cart's own station can cancel it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelCart {
    pub cart: CartId,
}

impl Operation for CancelCart {
    const VERB: &'static str = "cancel_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart: Cart = work.get(self.cart)?;
        match cart.state_at(work.now()) {
            CartState::Active if is_paid_elsewhere(work, &cart) => {
                return Err(Refusal::PaymentUnderWay { operator: cart.operator, station: cart.station }.into());
            }
            CartState::Active => {
                ending::not_elsewhere(work, &cart)?;
                ending::end_cart(work, &mut cart, CartState::Canceled)?;
            }
            CartState::Canceled => {}
            state @ (CartState::Done(_) | CartState::Expired) => {
                return Err(ending::refusal_of_ended(work, &cart, state)?.into());
            }
        }
        Ok(cart)
    }
}

fn is_paid_elsewhere(work: &UnitOfWork<'_>, cart: &Cart) -> bool {
    cart.is_charged(work.now()) && cart.station != work.actor().station
}
