//! Checks of carts, receipts, keeps, disables and jobs: their ends, their money, and the cells they
//! should claim.

use std::collections::HashMap;

use super::{Invariant, Report, jobs, payments};
use crate::domain::availability::Grip;
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{Disable, Keep, WorkItem, WorkKind};
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::line::Line;
use crate::domain::money::{self, MoneyError};
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Expected claims by seat: owner, grip, and end of the hold.
pub(super) type Owners = HashMap<(PerformanceId, SeatRef), Vec<(Owner, Grip, Option<Instant>)>>;

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Owners, Failure> {
    let mut owners = Owners::new();
    let carts: Vec<Cart> = snapshot.select("ORDER BY key", &[])?;
    let receipts: Vec<Receipt> = snapshot.select("ORDER BY key", &[])?;
    report.checked += carts.len() + receipts.len();
    let mut by_cart: HashMap<CartId, Vec<&Receipt>> = HashMap::new();
    for receipt in &receipts {
        by_cart.entry(receipt.cart).or_default().push(receipt);
        check_money(receipt, report);
        let grip = (Grip::Booked, None);
        expect_lines(&mut owners, (receipt.cart, &receipt.lines), grip);
    }
    for cart in &carts {
        check_end(
            cart,
            by_cart.get(&cart.id).map_or(&[], Vec::as_slice),
            report,
        );
        if cart.state == CartState::Active {
            let grip = (Grip::Held, Some(cart.expires_at));
            expect_lines(&mut owners, (cart.id, &cart.lines), grip);
        }
    }
    let items: Vec<WorkItem> = snapshot.select("ORDER BY key", &[])?;
    report.checked += items.len();
    payments::check(snapshot, (&carts, &receipts, &items), report)?;
    check_others(snapshot, &mut owners, report)?;
    for item in items {
        if let WorkKind::UnissuedPayment { minor, .. } = item.what {
            report.expect(
                minor > 0,
                (Invariant::Money, &format!("work {}", item.id)),
                || format!("an unissued payment of {minor}"),
            );
        }
    }
    jobs::check(snapshot, &carts, report)?;
    jobs::of_tickets(snapshot, &receipts, report)?;
    Ok(owners)
}

fn expect_lines(
    owners: &mut Owners,
    (cart, lines): (CartId, &[Line]),
    (grip, until): (Grip, Option<Instant>),
) {
    for line in lines {
        if let Some(performance) = line.goods.performance() {
            let claim = (line.owner(cart), grip, until);
            expect(owners, (performance, line.goods.seats()), &claim);
        }
    }
}

fn expect(
    owners: &mut Owners,
    (performance, seats): (PerformanceId, &[SeatRef]),
    claim: &(Owner, Grip, Option<Instant>),
) {
    for seat in seats {
        owners
            .entry((performance, *seat))
            .or_default()
            .push(claim.clone());
    }
}

fn check_money(receipt: &Receipt, report: &mut Report) {
    let subject = format!("receipt {}", receipt.number);
    let totals: Result<Vec<i64>, MoneyError> = receipt.lines.iter().map(Line::total).collect();
    let lines = totals.and_then(money::sum);
    let paid = money::sum(receipt.payments.iter().map(|payment| payment.minor));
    report.expect(
        lines == Ok(receipt.total),
        (Invariant::Money, &subject),
        || format!("its lines are {lines:?}, its total is {}", receipt.total),
    );
    report.expect(
        paid == Ok(receipt.total),
        (Invariant::Money, &subject),
        || format!("its payments are {paid:?}, its total is {}", receipt.total),
    );
    let positive = receipt
        .payments
        .iter()
        .all(|payment| payment.minor >= 0 && payment.change() >= 0);
    report.expect(positive, (Invariant::Money, &subject), || {
        "a payment or its change is negative".into()
    });
}

fn check_end(cart: &Cart, receipts: &[&Receipt], report: &mut Report) {
    let subject = format!("cart {}", cart.id);
    match (cart.state, receipts) {
        (CartState::Done(id), [receipt]) => {
            report.expect(receipt.id == id, (Invariant::OneEnd, &subject), || {
                format!("it names another receipt than {}", receipt.number)
            });
            let in_time = receipt.issued_at < cart.expires_at;
            report.expect(in_time, (Invariant::Deadlines, &subject), || {
                format!("paid at {:?}, due {:?}", receipt.issued_at, cart.expires_at)
            });
        }
        (CartState::Expired, []) => {
            let late = cart.modified_at >= cart.expires_at;
            report.expect(late, (Invariant::Deadlines, &subject), || {
                format!(
                    "expired at {:?}, due {:?}",
                    cart.modified_at, cart.expires_at
                )
            });
        }
        (CartState::Active | CartState::Canceled, []) => {}
        (state, found) => {
            report.violation(
                Invariant::OneEnd,
                subject,
                format!("it is {} and has {} receipts", state.word(), found.len()),
            );
        }
    }
}

fn check_others(
    snapshot: &mut Snapshot<'_>,
    owners: &mut Owners,
    report: &mut Report,
) -> Result<(), Failure> {
    let keeps: Vec<Keep> = snapshot.select("ORDER BY key", &[])?;
    let disables: Vec<Disable> = snapshot.select("ORDER BY key", &[])?;
    report.checked += keeps.len() + disables.len();
    for keep in keeps {
        expect(
            owners,
            (keep.performance, &keep.live),
            &(Owner::Keep(keep.id), Grip::Booked, Some(keep.until)),
        );
    }
    for disable in disables {
        expect(
            owners,
            (disable.performance, &disable.live),
            &(
                Owner::Disable(disable.id, disable.operator),
                Grip::Disabled,
                None,
            ),
        );
    }
    Ok(())
}
