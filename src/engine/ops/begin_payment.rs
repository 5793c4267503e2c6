//! Start of a card payment.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::carts::extend_claims;
use crate::engine::ops::drawers;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Begins a card payment: moves the deadline once to at least five minutes from now, beyond the cap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeginPayment {
    pub cart: CartId,
}

impl Operation for BeginPayment {
    const VERB: &'static str = "begin_payment";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if cart.is_empty() {
            return Err(Refusal::CartEmpty.into());
        }
        if cart.payment_began_at.is_none() {
            drawers::ready(work)?;
            cart.begin_payment(work.now());
            extend_claims(work, &cart)?;
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
