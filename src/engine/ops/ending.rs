//! Lookup of a live cart, and the end of a cart.

use crate::domain::cart::{Cart, CartState, WARNING_SPAN};
use crate::domain::event::Event;
use crate::domain::house::Keep;
use crate::domain::ids::CartId;
use crate::domain::job::JobKind;
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{cart_claims, claims};
use crate::engine::work::{Failure, UnitOfWork};

/// Loads an active cart that this station may change; refuses one that has ended, or is at work on another desk.
pub(super) fn live_cart(work: &mut UnitOfWork<'_>, id: CartId) -> Result<Cart, Failure> {
    let cart = anybodys_live_cart(work, id)?;
    not_elsewhere(work, &cart)?;
    Ok(cart)
}

/// Refuses a cart that another running station works on: not set aside and not reserved.
pub(super) fn not_elsewhere(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    let is_mine = cart.station == work.actor().station || cart.is_takeable();
    if is_mine || !work.is_on(&cart.station)? {
        return Ok(());
    }
    Err(elsewhere(cart).into())
}

pub(super) fn elsewhere(cart: &Cart) -> Refusal {
    Refusal::CartElsewhere { operator: cart.operator.clone(), station: cart.station.clone() }
}

/// Loads an active cart of any station; refuses one that has ended.
pub(super) fn anybodys_live_cart(work: &mut UnitOfWork<'_>, id: CartId) -> Result<Cart, Failure> {
    let cart: Cart = work.get(id)?;
    match cart.state_at(work.now()) {
        CartState::Active => Ok(cart),
        state @ (CartState::Done(_) | CartState::Canceled | CartState::Expired) => {
            Err(refusal_of_ended(work, &cart, state)?.into())
        }
    }
}

pub(super) fn refusal_of_ended(work: &mut UnitOfWork<'_>, cart: &Cart, state: CartState) -> Result<Refusal, Failure> {
    Ok(match state {
        CartState::Active => Refusal::CartActive,
        CartState::Done(receipt) => Refusal::CartDone { receipt: work.get::<Receipt>(receipt)?.number },
        CartState::Canceled => Refusal::CartCanceled,
        CartState::Expired => Refusal::CartExpired { at: cart.expires_at },
    })
}

/// Ends a cart without a sale: frees all its remaining cells, and ends its jobs.
pub(super) fn end_cart(work: &mut UnitOfWork<'_>, cart: &mut Cart, state: CartState) -> Result<(), Failure> {
    cart_claims::free_all(work, cart)?;
    cart.state = state;
    cart.modified_at = work.now();
    work.put(cart)?;
    end_jobs(work, cart);
    schedule_next_offer(work, cart)?;
    if state == CartState::Expired {
        work.tell(&expired(cart))?;
    }
    Ok(())
}

/// Ends every queued expired owner whose cells an act took.
pub(crate) fn end_late_owners(work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
    for owner in work.take_late_owners() {
        match &owner {
            Owner::Line(line) => {
                let mut cart: Cart = work.get(line.cart)?;
                if cart.state == CartState::Active {
                    end_cart(work, &mut cart, CartState::Expired)?;
                }
            }
            Owner::Keep(keep) => {
                let mut keep: Keep = work.get(keep)?;
                end_keep(work, &mut keep)?;
                put_keep(work, &keep)?;
            }
            Owner::Disable(..) | Owner::Booking(..) => {}
        }
    }
    Ok(())
}

/// Frees the seats of a keep that is over, and tells so; the keep is not yet put.
pub(super) fn end_keep(work: &mut UnitOfWork<'_>, keep: &mut Keep) -> Result<(), Failure> {
    let seats = std::mem::take(&mut keep.live);
    claims::free(work, (keep.performance, &seats), &Owner::Keep(keep.id))?;
    work.tell(&Event::KeepReleased {
        keep: keep.id,
        performance: keep.performance,
        reason: String::new(),
        seats: seats.len(),
    })
}

fn expired(cart: &Cart) -> Event {
    Event::CartExpired {
        cart: cart.id,
        operator: cart.operator.clone(),
        station: cart.station.clone(),
        customer: cart.customer,
        seats: cart.seat_count(),
        expired_at: cart.expires_at,
    }
}

/// Puts the jobs of a cart: its expiry, and the alerts of a reservation.
pub(super) fn put_jobs(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    if let Some(alert_at) = cart.reservation.and_then(|reservation| reservation.next_at()) {
        work.put_job(JobKind::Reservation, cart.id, alert_at)?;
    }
    put_warning(work, cart)?;
    work.put_job(JobKind::CartExpiry, cart.id, cart.expires_at)
}

/// Puts the job that warns before the deadline, for a cart set aside that is no reservation.
pub(super) fn put_warning(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    if cart.set_aside && cart.reservation.is_none() {
        let due = cart.expires_at - WARNING_SPAN;
        work.put_job(JobKind::CartWarning, cart.id, due)?;
    }
    Ok(())
}

pub(super) fn end_jobs(work: &mut UnitOfWork<'_>, cart: &Cart) {
    work.end_job(JobKind::CartExpiry, cart.id);
    if cart.reservation.is_some() {
        work.end_job(JobKind::Reservation, cart.id);
    }
    if cart.set_aside {
        work.end_job(JobKind::CartWarning, cart.id);
    }
}

/// Puts a keep back; ends its job if it has no seats left.
pub(super) fn put_keep(work: &mut UnitOfWork<'_>, keep: &Keep) -> Result<(), Failure> {
    if keep.live.is_empty() {
        work.end_job(JobKind::KeepRelease, keep.id);
    }
    work.put(keep)
}

/// Schedules the waiting list of an ended offer: its entry was served, or the seats are free for the next.
pub(super) fn schedule_next_offer(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    let line = cart.lines.first().filter(|_| cart.offered_to.is_some());
    let Some(performance) = line.and_then(|line| line.goods.performance()) else {
        return Ok(());
    };
    let now = work.now();
    work.put_job(JobKind::Waitlist, performance, now)
}

/// Puts back a cart that an operator changed; one that ended without a sale keeps the time of its end.
pub(super) fn put_changed(work: &mut UnitOfWork<'_>, cart: &mut Cart) -> Result<(), Failure> {
    if matches!(cart.state, CartState::Active | CartState::Done(_)) {
        cart.modified_at = work.now();
    }
    cart.follow_total();
    work.put(cart)
}
