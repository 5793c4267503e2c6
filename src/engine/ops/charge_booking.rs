//! Puts a payment for a booking into a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::{BookingId, CartId};
use crate::engine::ops::carts::{open, this_or_new};
use crate::engine::ops::ending::put_changed;
use crate::engine::ops::paying;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Puts the open price of a booking, or a deposit, into a cart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChargeBooking {
    /// A new cart if `None`.
    pub cart: Option<CartId>,
    pub booking: BookingId,
    /// In minor units; all that is open if `None`.
    pub amount: Option<i64>,
}

impl Operation for ChargeBooking {
    const VERB: &'static str = "charge_booking";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        paying::charge(work, &mut cart, (self.booking, self.amount))?;
        match self.cart {
            Some(_) => put_changed(work, &mut cart)?,
            None => open(work, &cart)?,
        }
        Ok(cart)
    }
}
