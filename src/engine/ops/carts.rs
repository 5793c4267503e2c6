//! Carts: opens new ones, limits and extends them. [`ending`] loads and ends them.

use crate::domain::availability::Act;
use crate::domain::cart::Cart;
use crate::domain::house::Settings;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::line::Goods;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{cart_claims, ending};
use crate::engine::work::{Failure, UnitOfWork};

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
    let actor = work.actor();
    Cart { hold_cap_at: now + settings.hold_cap.max(hold), ..Cart::empty((&actor.operator, &actor.station), now, hold) }
}

/// Checks a number of seats against the limit of a cart.
pub(super) fn at_most(settings: &Settings, seats: usize) -> Result<(), Refusal> {
    let wanted = u32::try_from(seats).unwrap_or(u32::MAX);
    let seats_max = settings.seats_max;
    if wanted > seats_max { Err(Refusal::TooManySeats { wanted, seats_max }) } else { Ok(()) }
}

/// Seats that a cart does not have yet.
pub(in crate::engine) fn not_yet_in(cart: &Cart, performance: PerformanceId, seats: &[SeatRef]) -> Vec<SeatRef> {
    let has = |seat: &SeatRef| {
        cart.lines.iter().any(|line| line.goods.performance() == Some(performance) && line.goods.seats().contains(seat))
    };
    seats.iter().copied().filter(|seat| !has(seat)).collect()
}

/// Earliest start of what is in a cart, with its title; none of payments alone.
pub(super) fn first_start(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<Option<(Instant, String)>, Failure> {
    let mut starts: Vec<(Instant, String)> = Vec::new();
    for line in &cart.lines {
        starts.push(match &line.goods {
            Goods::Seats { performance, .. } => {
                let performance: Performance = work.get(performance)?;
                (performance.start, performance.title)
            }
            Goods::Time { resource, wanted, .. } => (wanted.from(), work.get::<Resource>(resource)?.name),
            Goods::Booking { .. } => continue,
        });
    }
    Ok(starts.into_iter().min())
}

/// Renews the deadline of a cart and of its claims; a cart set aside is warned before the new one.
pub(super) fn renew(work: &mut UnitOfWork<'_>, cart: &mut Cart) -> Result<(), Failure> {
    let before = cart.expires_at;
    cart.renew(work.now());
    if cart.expires_at > before {
        ending::put_warning(work, cart)?;
        extend_claims(work, cart)?;
    }
    Ok(())
}

/// Sets the deadline of a cart on all its claims.
pub(super) fn extend_claims(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    let until = cart.expires_at;
    cart_claims::act_all(work, cart, Act::Extend { until })
}
