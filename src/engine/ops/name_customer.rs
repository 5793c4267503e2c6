//! Sets the customer of a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::engine::ops::customers;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sets a customer's name and phone on a cart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameCustomer {
    pub cart: CartId,
    pub customer: Customer,
}

impl Operation for NameCustomer {
    const VERB: &'static str = "name_customer";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let customer = customers::named(work, &self.customer, cart.customer)?;
        if cart.customer != customer {
            cart.customer = customer;
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
