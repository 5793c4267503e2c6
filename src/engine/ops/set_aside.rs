//! Sets a cart aside while the next customer is served.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::engine::ops::ending::{live_cart, put_changed, put_warning};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sets a cart aside: it keeps its seats, and every station may take it over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    pub cart: CartId,
}

impl Operation for SetAside {
    const VERB: &'static str = "set_aside";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if !cart.set_aside {
            cart.set_aside = true;
            put_warning(work, &cart)?;
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
