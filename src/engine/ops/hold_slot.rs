//! Holds time in a cart, along with seats.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::is_default;
use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, not_past};
use crate::engine::ops::cart_claims::hold_from;
use crate::engine::ops::carts::renew;
use crate::engine::ops::carts::{open, this_or_new};
use crate::engine::ops::ending::put_changed;
use crate::engine::ops::pricing::add_slot;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Holds slots of resources and their parts in a cart, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldSlot {
    /// Cart; a new one if `None`.
    pub cart: Option<CartId>,
    pub wants: Vec<SlotWanted>,
    /// Time on closed days; the past is always refused.
    #[serde(skip_serializing_if = "is_default")]
    #[serde(default)]
    pub past: Past,
}

/// Slot of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotWanted {
    pub resource: ResourceId,
    pub slot: Slot,
    /// Number of units of a counted resource; one if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

impl Operation for HoldSlot {
    const VERB: &'static str = "hold_slot";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        for SlotWanted { resource, slot, .. } in &self.wants {
            not_past(work, (std::slice::from_ref(resource), *slot), Past::Refuse)?;
        }
        let first = cart.next_line;
        // existing lines are renewed first, so that all have one deadline
        renew(work, &mut cart)?;
        for SlotWanted { resource, slot, count } in &self.wants {
            add_slot(work, &mut cart, (resource, (*slot, count.unwrap_or(1))), self.past)?;
        }
        hold_from(work, &cart, first)?;
        if self.cart.is_none() {
            open(work, &cart)?;
        } else {
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}
