//! Holds time in a cart, along with seats.

use serde::Serialize;

use crate::domain::booking::Cause;
use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::line::{Goods, Line};
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, bookable, not_past};
use crate::engine::ops::cart_claims::hold_from;
use crate::engine::ops::ending::put_changed;
use crate::engine::ops::hold_seats::renew;
use crate::engine::ops::open_cart::{open, this_or_new};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most slots in a cart.
const SLOTS_MAX: usize = 50;

/// Holds slots of resources and their parts in a cart, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldSlot {
    /// Cart; a new one if `None`.
    pub cart: Option<CartId>,
    /// Slots, one line of the cart each.
    pub wants: Vec<SlotWanted>,
}

/// Slot of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlotWanted {
    /// Resource.
    pub resource: ResourceId,
    /// Slot.
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
        // existing lines are renewed first, so that all have one deadline
        renew(work, &mut cart)?;
        for SlotWanted { resource, slot } in &self.wants {
            add_slot(work, &mut cart, (resource, *slot))?;
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

/// Adds a line for a slot at today's price, without holding it.
pub(super) fn add_slot(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (id, wanted): (&ResourceId, Slot),
) -> Result<(), Failure> {
    let slots = cart.lines.iter().filter(|line| line.goods.is_time());
    if slots.count() >= SLOTS_MAX {
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
    let count = taken
        .first()
        .map_or(0, |asked| resource.grid.segments(asked.core));
    cart.add_line(Line {
        number: 0,
        goods: Goods::Time {
            resource: resource.id,
            wanted,
            taken,
        },
        kind: String::new(),
        unit_price,
        count,
    });
    cart.total()?;
    Ok(())
}
