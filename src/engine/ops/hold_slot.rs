//! Time goes into a cart, beside seats.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::Cause;
use crate::domain::cart::{Cart, SlotLine};
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, bookable, not_past};
use crate::engine::ops::cart_claims::slot_owner;
use crate::engine::ops::claims;
use crate::engine::ops::ending::put_changed;
use crate::engine::ops::hold_seats::renew;
use crate::engine::ops::open_cart::{open, this_or_new};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// The most slots of a cart.
const SLOTS_MAX: usize = 50;

/// Takes slots of resources and their parts into a cart, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldSlot {
    /// The cart; a new one opens when none is named.
    pub cart: Option<CartId>,
    /// The slots, a line of the cart for each.
    pub wants: Vec<SlotWanted>,
}

/// A slot of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlotWanted {
    /// The resource.
    pub resource: ResourceId,
    /// What is wanted.
    pub slot: Slot,
}

impl Operation for HoldSlot {
    const VERB: &'static str = "hold_slot";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        for SlotWanted { resource, slot } in &self.wants {
            not_past(work, (std::slice::from_ref(resource), *slot), Past::Refuse)?;
        }
        let first = cart.next_line;
        // what is in it already is renewed first, so that all of it has one deadline
        renew(work, &mut cart)?;
        for SlotWanted { resource, slot } in &self.wants {
            add_slot(work, &mut cart, (resource, *slot))?;
        }
        hold_slots(work, &cart, first)?;
        if self.cart.is_none() {
            open(work, &cart)?;
        } else {
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}

/// Makes a line for a slot at today's price, holding nothing yet.
pub(super) fn add_slot(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (id, wanted): (&ResourceId, Slot),
) -> Result<(), Failure> {
    if cart.slots.len() >= SLOTS_MAX {
        return Err(Refusal::BadValue {
            field: "slots".into(),
            problem: format!("a cart has at most {SLOTS_MAX}"),
        }
        .into());
    }
    let taken = bookable(work, (id, wanted), &Cause::Booking)?;
    let resource: Resource = work.get(id)?;
    let house = work.settings()?.currency;
    let (unit_price, currency) = resource
        .price
        .map_or((0, cart.currency.unwrap_or(house)), |price| {
            (price.minor, price.currency)
        });
    let in_cart = *cart.currency.get_or_insert(currency);
    if in_cart != currency {
        return Err(Refusal::OtherCurrency {
            cart: in_cart,
            performance: currency,
        }
        .into());
    }
    let segments = taken
        .first()
        .map_or(0, |asked| resource.grid.segments(asked.core));
    cart.slots.push(SlotLine {
        number: cart.next_line,
        taken,
        unit_price,
        segments,
    });
    cart.next_line += 1;
    cart.total()?;
    Ok(())
}

/// Holds the slots of all lines from a number on, until the cart's deadline.
pub(super) fn hold_slots(
    work: &mut UnitOfWork<'_>,
    cart: &Cart,
    first: u32,
) -> Result<(), Failure> {
    for line in cart.slots.iter().filter(|line| line.number >= first) {
        let hold = Act::Hold {
            until: cart.expires_at,
        };
        claims::act(work, &line.taken, (&slot_owner(cart, line), hold))?;
    }
    Ok(())
}
