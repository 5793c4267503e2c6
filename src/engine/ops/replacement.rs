//! Replacement of what an item of the worklist is about: other seats or time for lost ones, seats for a payment.
//!
//! The customer pays nothing more: the house bears a difference in price. A cheaper place leaves a booking overpaid.

use crate::domain::back::ReturnTerms;
use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::correction::ExchangeFee;
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::line::ticket_type;
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::Price;
use crate::domain::owner::Owner;
use crate::domain::receipt::{Receipt, Tender};
use crate::domain::refusal::{CorrectionRefusal, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, hull};
use crate::engine::ops::booking::{Past, Reach, Whose, price, price_follows, standing};
use crate::engine::ops::checkout::{CheckedOut, Checkout};
use crate::engine::ops::exchange::{Exchange, Take};
use crate::engine::ops::hold_seats::{HoldSeats, SeatChoice};
use crate::engine::ops::hold_slot::{HoldSlot, SlotWanted};
use crate::engine::ops::move_booking::MoveBooking;
use crate::engine::ops::paying;
use crate::engine::ops::worklist::paid_by;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives seats instead of what an item is about; returns the receipt, if something had been paid.
pub(super) fn reseat(
    work: &mut UnitOfWork<'_>,
    item: &WorklistItem,
    (performance, seats): (PerformanceId, &SeatChoice),
) -> Result<Vec<Receipt>, Failure> {
    let seats = HoldSeats::new(performance, seats.clone());
    match &item.what {
        WorkKind::Displaced { owner, loss, .. } => {
            let Some(receipt) = paid_by(work, owner, &loss.cells)? else {
                let cart = Some(unpaid(owner)?);
                HoldSeats { cart, ..seats }.run(work)?;
                return Ok(Vec::new());
            };
            let sold: Receipt = work.get(receipt)?;
            let take = Take::Seats { performance, seats: seats.seats, ticket_type: ticket_type(&sold.lines, owner) };
            exchange(work, (receipt, owner), (loss, take))
        }
        WorkKind::UnissuedPayment { cart, reference, minor, .. } => {
            let customer = work.get::<Cart>(*cart)?.customer;
            let mut cart = seats.run(work)?;
            // a charge beyond the price stays on the worklist
            cart.payment_began_at = Some(work.now());
            cart.payment_due = *minor;
            cart.customer = customer;
            work.put(&cart)?;
            let charged = Tender::Card { reference: reference.clone(), charged: Some(*minor) };
            sold(Checkout::new(cart.id, vec![charged]).run(work)?)
        }
        WorkKind::Overpaid { .. } => Err(CorrectionRefusal::MoneyNotWaived.into()),
        WorkKind::Overridden { .. } => Err(CorrectionRefusal::GoneBack.into()),
        WorkKind::Differs { .. } => Err(CorrectionRefusal::NothingPaid.into()),
    }
}

/// Gives the same length of time instead of lost time; returns the receipt, if a cart had paid for it.
pub(super) fn move_time(
    work: &mut UnitOfWork<'_>,
    item: &WorklistItem,
    (to, from): (Option<&ResourceId>, Instant),
) -> Result<Vec<Receipt>, Failure> {
    let WorkKind::Displaced { owner, loss, .. } = &item.what else {
        return Err(CorrectionRefusal::NoTimeLost.into());
    };
    let CellGroup::Time { resource, slots } = &loss.cells else {
        return Err(CorrectionRefusal::NoTimeLost.into());
    };
    let lost: Resource = work.get(resource)?;
    let to = to.unwrap_or(resource);
    let there: Resource = work.get(to)?;
    let slot_like = |slot: Slot| there.grid.like(slot, from).ok_or(Refusal::NothingChosen);
    if let Some(id) = owner.booking() {
        return move_booking(work, (id, resource), to, slot_like);
    }
    let inside: Vec<Slot> = slots.iter().filter_map(|slot| lost.grid.inside(*slot)).collect();
    let slot = slot_like(hull(&inside).ok_or(Refusal::NothingChosen)?)?;
    let wanted = SlotWanted { resource: to.clone(), slot, count: loss.units };
    if let Some(receipt) = paid_by(work, owner, &loss.cells)? {
        return exchange(work, (receipt, owner), (loss, Take::Time(wanted)));
    }
    HoldSlot { cart: Some(unpaid(owner)?), wants: vec![wanted], past: Past::Refuse }.run(work)?;
    Ok(Vec::new())
}

/// Moves what a booking has of a resource; it never costs more than before.
fn move_booking(
    work: &mut UnitOfWork<'_>,
    (id, lost): (BookingId, &ResourceId),
    to: &ResourceId,
    slot_like: impl Fn(Slot) -> Result<Slot, Refusal>,
) -> Result<Vec<Receipt>, Failure> {
    let before = standing(work, id)?;
    let (asked, wanted) = before.asked_for(lost).ok_or(Refusal::NothingChosen)?;
    let asked_price = price_before(work, &before)?;
    let moved = MoveBooking {
        booking: id,
        to: Some(to.clone()).filter(|to| *to != asked),
        from: Some(asked),
        part: None,
        slot: slot_like(wanted)?,
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    }
    .run(work)?;
    for booking in moved {
        let cost = |price: Option<Price>| price.map_or(0, |price| price.minor);
        if cost(booking.price) > cost(asked_price) {
            let price = asked_price;
            paying::put(work, &Booking { price, ..booking })?;
        }
    }
    Ok(Vec::new())
}

/// The price of a booking with the time that it lost.
fn price_before(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<Option<Price>, Failure> {
    if !price_follows(work, booking)? {
        return Ok(booking.price);
    }
    let mut taken = booking.taken.clone();
    for one in &mut taken {
        one.live = vec![one.core];
    }
    price(work, &taken)
}

fn exchange(
    work: &mut UnitOfWork<'_>,
    (receipt, owner): (ReceiptId, &Owner),
    (loss, take): (&Loss, Take),
) -> Result<Vec<Receipt>, Failure> {
    let exchange = Exchange {
        receipt,
        cells: Some(vec![loss.cells.clone()]),
        take,
        tenders: Vec::new(),
        terms: ReturnTerms { reason: loss.reason.clone(), fee: ExchangeFee::Even, ..ReturnTerms::default() },
    };
    sold(exchange.of_line(work, owner.line())?)
}

fn sold(done: CheckedOut) -> Result<Vec<Receipt>, Failure> {
    match done {
        CheckedOut::Receipt(receipt) | CheckedOut::Owed(receipt, _) => Ok(vec![receipt]),
        CheckedOut::Unissued(_) => Err(Refusal::NothingChosen.into()),
    }
}

/// The cart that an owner's cells were to be paid by.
fn unpaid(owner: &Owner) -> Result<CartId, Refusal> {
    owner.cart().ok_or(Refusal::NothingChosen)
}
