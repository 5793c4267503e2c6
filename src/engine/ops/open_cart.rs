//! Opens a cart.

use serde::Serialize;

use crate::domain::cart::{Cart, CartState, Customer};
use crate::domain::house::Settings;
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::domain::time::Span;
use crate::engine::ops::ending;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Range of a hold.
const HOLD_LEAST: Span = Span::seconds(1);
const HOLD_MOST: Span = Span::minutes(24 * 60);

/// Opens a cart for the actor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpenCart {
    /// Length of the hold; the house's if `None`.
    pub hold: Option<Span>,
}

impl Operation for OpenCart {
    const VERB: &'static str = "open_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        if self
            .hold
            .is_some_and(|hold| hold < HOLD_LEAST || hold > HOLD_MOST)
        {
            return Err(Refusal::OutOfRange {
                field: "hold".into(),
                least: HOLD_LEAST,
                most: HOLD_MOST,
            }
            .into());
        }
        let cart = new_cart(work, &settings, self.hold);
        open(work, &cart)?;
        Ok(cart)
    }
}

/// Puts a new cart with its jobs.
pub(super) fn open(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    ending::put_jobs(work, cart)?;
    work.create(cart)
}

/// Loads the given cart if it is live, or creates an empty one, not yet put.
pub(super) fn this_or_new(
    work: &mut UnitOfWork<'_>,
    cart: Option<CartId>,
    settings: &Settings,
) -> Result<Cart, Failure> {
    match cart {
        Some(id) => ending::live_cart(work, id),
        None => Ok(new_cart(work, settings, None)),
    }
}

/// Creates an empty cart for the actor, not yet put.
pub(super) fn new_cart(work: &UnitOfWork<'_>, settings: &Settings, hold: Option<Span>) -> Cart {
    let now = work.now();
    let hold = hold.unwrap_or(settings.hold);
    Cart {
        id: CartId::random(),
        state: CartState::Active,
        operator: work.actor().operator.clone(),
        station: work.actor().station.clone(),
        set_aside: false,
        created_at: now,
        modified_at: now,
        expires_at: now + hold,
        hold,
        hold_cap_at: now + settings.hold_cap.max(hold),
        payment_began_at: None,
        payment_due: 0,
        recorded: None,
        customer: Customer::default(),
        reservation: None,
        offered_to: None,
        currency: None,
        next_line: 1,
        lines: Vec::new(),
        lost: Vec::new(),
    }
}
