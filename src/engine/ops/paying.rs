//! Payments of bookings: charged in carts, counted on the booking, and given back when it costs less.
//!
//! Import cycle with `booking`: a booking that ends is put here, and only one that stands is paid.

use std::collections::BTreeSet;

use crate::domain::booking::{Booking, BookingPayment};
use crate::domain::cart::Cart;
use crate::domain::house::WorkKind;
use crate::domain::ids::BookingId;
use crate::domain::line::{Goods, Line};
use crate::domain::money::Currency;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal};
use crate::engine::ops::booking::standing;
use crate::engine::ops::currency::in_one;
use crate::engine::ops::customers;
use crate::engine::ops::worklist::{open_items_of, put_on_worklist, resolve};
use crate::engine::work::{Failure, UnitOfWork};

/// Adds a payment for a booking to a cart: an amount, or all that is open.
pub(super) fn charge(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (id, amount): (BookingId, Option<i64>),
) -> Result<(), Failure> {
    let booking = standing(work, id)?;
    let Some(price) = booking.price else {
        let title = customers::title(work, &booking)?;
        return Err(CorrectionRefusal::NoPrice { title }.into());
    };
    let open = booking.open() - charged(cart, id);
    if amount.is_some_and(|minor| minor < 0) {
        return Err(Refusal::bad("amount", Problem::Negative).into());
    }
    if amount == Some(0) {
        return Err(Refusal::bad("amount", Problem::Nothing).into());
    }
    let minor = amount.unwrap_or(open);
    if minor <= 0 || minor > open {
        return Err(overpaid(work, &booking, open)?.into());
    }
    in_one(&mut cart.currency, price.currency)?;
    cart.add_line(Line {
        number: 0,
        goods: Goods::Booking { booking: id },
        kind: String::new(),
        comp: false,
        unit_price: minor,
        count: 1,
        parts: Vec::new(),
        tax: None,
        given_before: Vec::new(),
    });
    if cart.customer.is_none() {
        cart.customer = booking.customer;
    }
    Ok(())
}

fn overpaid(work: &mut UnitOfWork<'_>, booking: &Booking, open: i64) -> Result<CorrectionRefusal, Failure> {
    let currency = booking.price.map(|price| price.currency);
    Ok(CorrectionRefusal::BookingPaid {
        title: customers::title(work, booking)?,
        open: open.max(0),
        currency: currency.unwrap_or(work.settings()?.currency),
    })
}

/// Counts the payments of a receipt on their bookings; refuses more than is open.
pub(super) fn pay(work: &mut UnitOfWork<'_>, receipt: &Receipt) -> Result<(), Failure> {
    for line in &receipt.lines {
        let Goods::Booking { booking } = line.goods else {
            continue;
        };
        let mut booking = standing(work, booking)?;
        let open = booking.open();
        if line.unit_price > open {
            return Err(overpaid(work, &booking, open)?.into());
        }
        booking.payments.push(BookingPayment { receipt: receipt.id, minor: line.unit_price });
        work.put(&booking)?;
    }
    Ok(())
}

/// Puts a booking whose price or state may have changed: what was overpaid is on the worklist. Refuses a price in another
/// currency than it was paid in.
pub(super) fn put(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
    if let (Some(price), Some(paid_in)) = (booking.price, currency(work, booking)?)
        && price.currency != paid_in
    {
        return Err(Refusal::bad("price", Problem::PaidIn(paid_in)).into());
    }
    work.put(booking)?;
    if booking.payments.is_empty() {
        return Ok(());
    }
    list_overpaid(work, booking)
}

/// Currency that a booking was paid in; none if nothing was paid.
pub(super) fn currency(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<Option<Currency>, Failure> {
    let newest = booking.payments.last().map(|payment| payment.receipt);
    let receipt: Option<Receipt> = newest.map(|id| work.get(id)).transpose()?;
    Ok(receipt.map(|receipt| receipt.currency))
}

/// Amount of a receipt that may be given back for its cells, in minor units: what a booking has as paid by it is given back
/// by the booking.
pub(super) fn left(work: &mut UnitOfWork<'_>, receipt: &Receipt) -> Result<i64, Failure> {
    let mut left = receipt.left()?;
    for id in bookings(&receipt.lines) {
        let booking: Booking = work.get(id)?;
        let by_it = booking.payments.iter();
        let by_it = by_it.filter(|payment| payment.receipt == receipt.id);
        left -= by_it.map(|payment| payment.minor).sum::<i64>();
    }
    Ok(left)
}

/// Bookings that some lines pay, each once.
fn bookings(lines: &[Line]) -> BTreeSet<BookingId> {
    let of = |line: &Line| match line.goods {
        Goods::Booking { booking } => Some(booking),
        Goods::Seats { .. } | Goods::Time { .. } => None,
    };
    lines.iter().filter_map(of).collect()
}

/// Payments for a booking in a cart, in minor units.
fn charged(cart: &Cart, id: BookingId) -> i64 {
    let of_it = cart.lines.iter().filter(|line| line.goods.pays(id));
    of_it.map(|line| line.unit_price).sum()
}

/// Puts a booking after money was given back.
pub(super) fn put_settled(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
    work.put(booking)?;
    list_overpaid(work, booking)
}

fn list_overpaid(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
    let over = booking.overpaid();
    let open = open_items_of(work, &booking.id)?;
    let Some(mut item) = open.into_iter().next() else {
        if let Some(currency) = currency(work, booking)?.filter(|_| over > 0) {
            put_on_worklist(work, WorkKind::Overpaid { booking: booking.id, minor: over, currency })?;
        }
        return Ok(());
    };
    if over == 0 {
        return resolve(work, &mut item, "nothing is overpaid any more");
    }
    if let WorkKind::Overpaid { minor, .. } = &mut item.what
        && *minor != over
    {
        *minor = over;
        work.put(&item)?;
    }
    Ok(())
}
