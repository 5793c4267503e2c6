//! Removes an entry from a waiting list.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::WaitId;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::ops::{ending, waitlist};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Removes an entry from a waiting list. Its offer, if any, goes to the next entry; repeating it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveWaiting {
    pub waiting: WaitId,
}

impl Operation for RemoveWaiting {
    const VERB: &'static str = "remove_waiting";
    type Answer = Waiting;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Waiting, Failure> {
        let mut waiting: Waiting = work.get(self.waiting)?;
        if let WaitState::Offered { cart, .. } = waiting.state {
            let mut cart: Cart = work.get(cart)?;
            if cart.state == CartState::Active && cart.reservation.is_none() {
                // by another clock the offer may still stand: it ends with its entry
                let is_live = cart.is_live(work.now());
                let end = if is_live { CartState::Canceled } else { CartState::Expired };
                ending::end_cart(work, &mut cart, end)?;
            }
            waitlist::nudge(work, waiting.performance)?;
        }
        if waiting.state.is_open() {
            waiting.state = WaitState::Removed { operator: work.actor().operator.clone(), at: work.now() };
            work.put(&waiting)?;
        }
        Ok(waiting)
    }
}
