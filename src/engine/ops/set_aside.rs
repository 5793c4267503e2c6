//! Sets a cart aside while the next customer is served.

use serde::Serialize;

use crate::domain::cart::{Cart, WARNING_SPAN};
use crate::domain::ids::CartId;
use crate::domain::job::JobKind;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sets a cart aside: it keeps its seats, and every station may take it over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetAside {
    /// Cart.
    pub cart: CartId,
}

impl Operation for SetAside {
    const VERB: &'static str = "set_aside";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if !cart.set_aside {
            cart.set_aside = true;
            if cart.reservation.is_none() {
                let due = cart.expires_at - WARNING_SPAN;
                work.put_job(JobKind::CartWarning, cart.id, due)?;
            }
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
