//! How a cart is met by an operation, and how it ends.

use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::CartId;
use crate::domain::job::{Job, JobKind};
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::engine::ops::claims;
use crate::engine::work::{Failure, Work};

/// A cart that may still change.
///
/// # Errors
/// It ended: done (with its receipt's number), canceled or expired; or there is none.
pub(super) fn live_cart(work: &mut Work<'_>, id: CartId) -> Result<Cart, Failure> {
    let cart: Cart = work.get(id)?;
    match cart.state_at(work.now()) {
        CartState::Active => Ok(cart),
        state @ (CartState::Done(_) | CartState::Canceled | CartState::Expired) => {
            Err(ended(work, &cart, state)?.into())
        }
    }
}

/// The refusal that a cart which ended gives.
pub(super) fn ended(
    work: &mut Work<'_>,
    cart: &Cart,
    state: CartState,
) -> Result<Refusal, Failure> {
    Ok(match state {
        CartState::Active => Refusal::CartActive,
        CartState::Done(receipt) => Refusal::CartDone {
            receipt: work.get::<Receipt>(receipt)?.number,
        },
        CartState::Canceled => Refusal::CartCanceled,
        CartState::Expired => Refusal::CartExpired {
            at: cart.expires_at,
        },
    })
}

/// Ends a cart without a sale: frees exactly what it still has, in every performance, and its job ends with it.
pub(super) fn end(work: &mut Work<'_>, cart: &mut Cart, state: CartState) -> Result<(), Failure> {
    for line in &cart.lines {
        claims::free(
            work,
            (line.performance, &line.seats),
            &Owner::Line(cart.line_id(line)),
        )?;
    }
    cart.state = state;
    cart.modified_at = work.now();
    work.put(cart)?;
    work.end_job(expiry_job(cart));
    Ok(())
}

/// The job that ends a cart once its deadline has passed.
pub(super) fn expiry_job(cart: &Cart) -> Job {
    Job {
        kind: JobKind::CartExpiry,
        subject: cart.id.to_string(),
        first_check_at: cart.expires_at,
        next_check_at: cart.expires_at,
        check_count: 0,
    }
}

/// Puts a cart back that an operator changed.
pub(super) fn put_changed(work: &mut Work<'_>, cart: &mut Cart) -> Result<(), Failure> {
    cart.modified_at = work.now();
    work.put(cart)
}
