//! Takes over a cart at another station.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::event::Event;
use crate::domain::ids::CartId;
use crate::domain::job::JobKind;
use crate::engine::ops::ending::{anybodys_live_cart, elsewhere, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes a cart over to the actor's station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeOver {
    pub cart: CartId,
    /// Stations it may be taken from.
    pub from: TakeFrom,
}

/// Stations a cart may be taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakeFrom {
    /// This station, or any if the cart is set aside or reserved.
    SetAside,
    /// Any station, even one working on it; an explicit choice.
    Anybody,
}

impl Operation for TakeOver {
    const VERB: &'static str = "take_over";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = anybodys_live_cart(work, self.cart)?;
        let actor = work.actor();
        if !cart.is_takeable() && cart.station != actor.station && self.from == TakeFrom::SetAside {
            return Err(elsewhere(&cart).into());
        }
        if cart.set_aside || cart.station != actor.station || cart.operator != actor.operator {
            work.tell(&Event::TakenOver {
                cart: cart.id,
                from_operator: cart.operator.clone(),
                from_station: cart.station.clone(),
                operator: actor.operator.clone(),
                station: actor.station.clone(),
            })?;
            if cart.set_aside {
                work.end_job(JobKind::CartWarning, cart.id);
            }
            cart.set_aside = false;
            cart.station.clone_from(&actor.station);
            cart.operator.clone_from(&actor.operator);
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
