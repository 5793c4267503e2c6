//! Opens a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;
use crate::domain::time::Span;
use crate::engine::ops::carts::{new_cart, open};
use crate::engine::work::{Failure, Operation, UnitOfWork};

const HOLD_LEAST: Span = Span::seconds(1);
const HOLD_MOST: Span = Span::minutes(24 * 60);

/// Opens a cart for the actor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCart {
    /// Length of the hold; the house's if `None`.
    pub hold: Option<Span>,
    /// Currency of its prices, where a rule has several; the house's, or the first there is, if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

impl Operation for OpenCart {
    const VERB: &'static str = "open_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        if self.hold.is_some_and(|hold| hold < HOLD_LEAST || hold > HOLD_MOST) {
            return Err(Refusal::OutOfRange { field: "hold".into(), least: HOLD_LEAST, most: HOLD_MOST }.into());
        }
        let opened_in = self.currency;
        let cart = Cart { currency: opened_in, opened_in, ..new_cart(work, &settings, self.hold) };
        open(work, &cart)?;
        Ok(cart)
    }
}
