//! Job that ends an abandoned cart. No rule depends on it having run.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::job::Outcome;
use crate::engine::ops::ending;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Ends a cart whose deadline has passed; checks a renewed one again at its new deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpireCart {
    pub cart: CartId,
}

impl Operation for ExpireCart {
    const VERB: &'static str = "expire_cart";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let Some(mut cart) = work.find::<Cart>(&self.cart.to_string())? else {
            return Ok(Outcome::Gone);
        };
        Ok(match (cart.state, cart.state_at(work.now())) {
            (CartState::Active, CartState::Expired) => {
                ending::end_cart(work, &mut cart, CartState::Expired)?;
                Outcome::Done
            }
            (CartState::Active, _) => Outcome::Deadline(cart.expires_at),
            _ => Outcome::Gone,
        })
    }
}
