//! A cart learns for whom it is.

use serde::Serialize;

use crate::domain::cart::{Cart, Customer};
use crate::domain::ids::CartId;
use crate::domain::text::clean;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives a cart a customer's name and phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameCustomer {
    /// The cart.
    pub cart: CartId,
    /// For whom.
    pub customer: Customer,
}

impl Operation for NameCustomer {
    const VERB: &'static str = "name_customer";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let customer = cleaned(&self.customer);
        if cart.customer != customer {
            cart.customer = customer;
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}

/// A customer as it may be stored.
pub(super) fn cleaned(customer: &Customer) -> Customer {
    Customer {
        name: clean(&customer.name),
        phone: clean(&customer.phone),
    }
}
