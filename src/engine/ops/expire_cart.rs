//! The check that ends an abandoned cart. No rule depends on it having run.

use serde::Serialize;

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::job::{Job, JobKind};
use crate::engine::ops::ending::{self, expiry_job};
use crate::engine::work::{Failure, Operation, Work};

/// Ends a cart whose deadline has passed; of one that was renewed, checks again at its deadline.
#[derive(Clone, Debug, Serialize)]
pub struct ExpireCart {
    /// The cart.
    pub cart: CartId,
}

impl Operation for ExpireCart {
    const VERB: &'static str = "expire_cart";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        let Some(mut cart) = work.find::<Cart>(&self.cart.to_string())? else {
            let at = work.now();
            work.end_job(Job {
                kind: JobKind::CartExpiry,
                subject: self.cart.to_string(),
                first_check_at: at,
                next_check_at: at,
                check_count: 0,
            });
            return Ok(());
        };
        match (cart.state, cart.state_at(work.now())) {
            (CartState::Active, CartState::Expired) => {
                ending::end(work, &mut cart, CartState::Expired)?;
            }
            (CartState::Active, _) => work.put_job(expiry_job(&cart)),
            _ => work.end_job(expiry_job(&cart)),
        }
        Ok(())
    }
}
