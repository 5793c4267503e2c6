//! Checks of carts, receipts and jobs: their ends and their money.

use std::collections::{HashMap, HashSet};

use super::credits::Credits;
use super::paid_bookings::PaidBookings;
use super::payments::ItemCells;
use super::returns::Corrections;
use super::{Invariant, Report, each_page, jobs, payments, returns};
use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState, Recorded};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::receipt::Receipt;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Condition of the active carts.
pub(super) const ACTIVE: &str = "WHERE state = 'active' ORDER BY key";

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let items: Vec<WorklistItem> = snapshot.select("ORDER BY key", &[])?;
    report.checked += items.len();
    let listed = ItemCells::of(&items);
    let mut tickets = jobs::UncollectedTickets::of(snapshot, report)?;
    let mut corrections = Corrections::default();
    let mut paid = PaidBookings::default();
    let mut credits = Credits::default();
    each_page(snapshot, &mut |snapshot, receipts: Vec<Receipt>| {
        report.checked += receipts.len();
        let carts = receipts.iter().map(|receipt| receipt.cart.to_string());
        let carts: Vec<Cart> = snapshot.all(&carts.collect::<Vec<_>>())?;
        let carts: HashMap<CartId, Cart> = carts.into_iter().map(|cart| (cart.id, cart)).collect();
        for receipt in &receipts {
            returns::check_money(receipt, report);
            corrections.add(receipt);
            paid.add(receipt);
            credits.add(receipt);
            payments::check_cells(snapshot, (receipt, &listed), report)?;
            tickets.check(snapshot, receipt, report)?;
            check_issued(receipt, carts.get(&receipt.cart), report);
        }
        Ok(())
    })?;
    tickets.check_rest(report);
    corrections.check(report);
    paid.check((snapshot, &items), report)?;
    credits.check(snapshot, report)?;
    each_page(snapshot, &mut |snapshot, carts: Vec<Cart>| {
        report.checked += carts.len();
        let issued = issued(snapshot, &carts)?;
        for cart in &carts {
            check_end(cart, &issued, report);
            payments::check_cart(cart, (&issued, &listed), report);
        }
        Ok(())
    })?;
    check_orders(snapshot, &items, report)?;
    for item in &items {
        if let WorkKind::UnissuedPayment { minor, .. } = item.what {
            report.expect(minor > 0, (Invariant::Money, &format!("work {}", item.id)), || {
                format!("an unissued payment of {minor}")
            });
        }
    }
    let active: Vec<Cart> = snapshot.select(ACTIVE, &[])?;
    jobs::check(snapshot, &active, report)
}

/// Checks that each item has the order that it is about.
fn check_orders(snapshot: &mut Snapshot<'_>, items: &[WorklistItem], report: &mut Report) -> Result<(), Failure> {
    let carts = items.iter().filter_map(|item| item.what.cart());
    let carts: Vec<String> = carts.map(|id| id.to_string()).collect();
    let bookings = items.iter().filter_map(|item| item.what.booking());
    let bookings: Vec<String> = bookings.map(|id| id.to_string()).collect();
    let receipts = items.iter().filter_map(|item| item.what.receipt());
    let receipts: Vec<String> = receipts.map(|id| id.to_string()).collect();
    let stored = snapshot.stored::<Cart>(&carts)?.into_iter();
    let stored = stored.chain(snapshot.stored::<Booking>(&bookings)?);
    let stored = stored.chain(snapshot.stored::<Receipt>(&receipts)?);
    let orders: HashSet<String> = stored.map(|one| one.key.clone()).collect();
    // a calendar may differ about a time that nobody booked here
    for item in items.iter().filter(|item| !matches!(item.what, WorkKind::Differs { .. })) {
        let cart = item.what.cart().map(|id| id.to_string());
        let of = cart.or_else(|| Some(item.what.booking()?.to_string()));
        let of = of.or_else(|| Some(item.what.receipt()?.to_string()));
        let subject = format!("work {}", item.id);
        let is_there = of.as_ref().is_some_and(|of| orders.contains(of));
        report.expect(is_there, (Invariant::Money, &subject), || {
            format!("it is about {}, which is not there", of.unwrap_or_default())
        });
    }
    Ok(())
}

/// Finds which receipts exist of those that some carts name.
fn issued(snapshot: &mut Snapshot<'_>, carts: &[Cart]) -> Result<HashSet<ReceiptId>, Failure> {
    let named = carts.iter().flat_map(|cart| {
        let done = match cart.state {
            CartState::Done(id) => Some(id),
            CartState::Active | CartState::Canceled | CartState::Expired => None,
        };
        let recorded = match cart.recorded {
            Some(Recorded::Receipt(id)) => Some(id),
            Some(Recorded::Unissued(_)) | None => None,
        };
        done.into_iter().chain(recorded)
    });
    let keys: Vec<String> = named.map(|id| id.to_string()).collect();
    let stored = snapshot.stored::<Receipt>(&keys)?;
    let ids = stored.iter().filter_map(|one| one.key.parse().ok());
    Ok(ids.collect())
}

/// Checks that the cart of a receipt ended with it, before its deadline.
fn check_issued(receipt: &Receipt, cart: Option<&Cart>, report: &mut Report) {
    let subject = format!("cart {}", receipt.cart);
    let is_its = cart.is_some_and(|cart| cart.state == CartState::Done(receipt.id));
    report.expect(is_its, (Invariant::OneEnd, &subject), || {
        let state = cart.map_or("missing", |cart| cart.state.word());
        format!("it is {state}, and receipt {} is of it", receipt.number)
    });
    if let Some(cart) = cart.filter(|_| is_its) {
        let in_time = receipt.issued_at < cart.expires_at;
        report.expect(in_time, (Invariant::Deadlines, &subject), || {
            format!("paid at {:?}, due {:?}", receipt.issued_at, cart.expires_at)
        });
    }
}

fn check_end(cart: &Cart, issued: &HashSet<ReceiptId>, report: &mut Report) {
    let subject = format!("cart {}", cart.id);
    match cart.state {
        CartState::Done(id) => {
            report.expect(issued.contains(&id), (Invariant::OneEnd, &subject), || {
                "it is done, and its receipt is not there".into()
            });
        }
        CartState::Expired => {
            let late = cart.modified_at >= cart.expires_at;
            report.expect(late, (Invariant::Deadlines, &subject), || {
                format!("expired at {:?}, due {:?}", cart.modified_at, cart.expires_at)
            });
        }
        CartState::Active | CartState::Canceled => {}
    }
}
