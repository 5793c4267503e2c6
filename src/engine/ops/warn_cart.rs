//! Job of a cart set aside: warns before it expires, because no station has it on its screen.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState, WARNING_SPAN};
use crate::domain::event::Event;
use crate::domain::ids::CartId;
use crate::domain::job::Outcome;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sends the warning of a cart set aside that is about to expire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarnCart {
    pub cart: CartId,
}

impl Operation for WarnCart {
    const VERB: &'static str = "warn_cart";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let waits = |cart: &Cart| cart.set_aside && cart.reservation.is_none();
        let found = work.find::<Cart>(&self.cart.to_string())?;
        let Some(cart) = found.filter(waits) else {
            return Ok(Outcome::Gone);
        };
        let now = work.now();
        if cart.state_at(now) != CartState::Active || cart.is_empty() {
            return Ok(Outcome::Gone);
        }
        let due = cart.expires_at - WARNING_SPAN;
        if due > now {
            return Ok(Outcome::Deadline(due));
        }
        work.tell(&Event::CartRunsOut {
            cart: cart.id,
            customer: cart.customer,
            station: cart.station.clone(),
            seats: cart.seat_count(),
            expires_at: cart.expires_at,
        })?;
        Ok(Outcome::Done)
    }
}
