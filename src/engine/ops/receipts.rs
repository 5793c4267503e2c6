//! Issue of receipts: a cart's lines are settled, what it brings back is released, and the cart is done.

use crate::domain::availability::Act;
use crate::domain::back::Given;
use crate::domain::cart::{Cart, CartState};
use crate::domain::correction::{Correction, ReceiptKind};
use crate::domain::house::WorkKind;
use crate::domain::ids::{BookingId, CustomerId, ReceiptId};
use crate::domain::money::Currency;
use crate::domain::receipt::{Payment, Receipt, Tickets};
use crate::domain::refusal::Refusal;
use crate::engine::ops::carts::new_cart;
use crate::engine::ops::ending::{self, put_changed};
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::worklist::put_on_worklist;
use crate::engine::ops::{cart_claims, credits, customers, drawers, paying, returns, taxes, tickets};
use crate::engine::work::{Failure, UnitOfWork};

/// Amounts of a receipt to be issued.
pub(super) struct Due {
    pub(super) total: i64,
    pub(super) currency: Currency,
    pub(super) payments: Vec<Payment>,
    pub(super) correction: Option<Correction>,
    /// Reason of comps.
    pub(super) comp: String,
}

/// The correction that a cart's returns make for a fee, and the money that goes back for them.
pub(super) fn correction(cart: &Cart, kind: ReceiptKind, fee: i64, (given, reason): (Given, String)) -> Correction {
    Correction {
        kind,
        of: returns::receipts_of(&cart.returns),
        returned: cart.returns.clone(),
        booking: None,
        settles: None,
        fee,
        paid_back: given.by,
        beyond: given.beyond,
        kept: 0,
        reason,
    }
}

/// Money that is given back without cells.
pub(super) struct MoneyBack {
    pub(super) customer: Option<CustomerId>,
    pub(super) currency: Currency,
    pub(super) given: Given,
    /// The payment that bought nothing, if the money is of no receipt.
    pub(super) payments: Vec<Payment>,
    /// The receipt that it was paid by, and the booking that it was paid for.
    pub(super) of: Option<(ReceiptId, BookingId)>,
    /// Fee that the house keeps, in minor units.
    pub(super) kept: i64,
}

/// Issues the receipt of money that is given back.
pub(super) fn give_back(work: &mut UnitOfWork<'_>, back: MoneyBack, reason: &str) -> Result<Receipt, Failure> {
    let reason = reasoned(reason)?;
    let paid: i64 = back.payments.iter().map(|payment| payment.minor).sum();
    let given: i64 = back.given.by.iter().map(|one| one.minor).sum();
    let settings = work.settings()?;
    let mut cart = new_cart(work, &settings, None);
    cart.customer = back.customer;
    let total = paid - given;
    let correction = Correction {
        of: back.of.iter().map(|(receipt, _)| *receipt).collect(),
        booking: back.of.map(|(_, booking)| booking),
        kept: back.kept,
        ..correction(&cart, ReceiptKind::Refund, total, (back.given, reason))
    };
    let due = Due {
        total,
        currency: back.currency,
        payments: back.payments,
        correction: Some(correction),
        comp: String::new(),
    };
    issue(work, &mut cart, (due, TicketsTo::Customer))
}

/// Ends a cart with its receipt, which has the station's next number.
pub(super) fn issue(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (due, to): (Due, TicketsTo),
) -> Result<Receipt, Failure> {
    cart_claims::act_all(work, cart, Act::Settle)?;
    let mut station = drawers::station(work)?;
    station.receipts += 1;
    // of cells that were given dearer than what came back for them, the difference was never paid
    let given = due.correction.as_ref().map_or(0, |one| -one.fee);
    let credited = if cart.lines.is_empty() { 0 } else { given.max(0) };
    let mut receipt = Receipt {
        id: ReceiptId::random(),
        number: format!("{}/{}", station.name, station.receipts),
        station: station.name.clone(),
        operator: work.actor().operator.clone(),
        approved: work.approved().map(str::to_owned),
        issued_at: work.now(),
        cart: cart.id,
        customer: cart.customer,
        currency: due.currency,
        lines: cart.lines.clone(),
        total: due.total,
        payments: due.payments,
        taxes: Vec::new(),
        comp: due.comp,
        correction: due.correction.map(Box::new),
        corrected_by: Vec::new(),
        credited,
        tickets_printed: 0,
        receipt_printed: 0,
        printed_at: None,
        tickets: Tickets::Given,
        used: Vec::new(),
        reissues: Vec::new(),
        copies: Vec::new(),
    };
    work.put(&station)?;
    taxes::note(work, &mut receipt)?;
    drawers::count(work, &station, &receipt)?;
    if to == TicketsTo::Desk {
        if customers::told(work, receipt.customer)?.name.is_empty() {
            return Err(Refusal::NameMissing.into());
        }
        tickets::keep(work, &mut receipt)?;
    }
    if let Some(correction) = &receipt.correction {
        let short = returns::take_back(work, &receipt, correction)?;
        receipt.credited += short;
    }
    credits::enter(work, &mut receipt)?;
    work.create(&receipt)?;
    paying::pay(work, &receipt)?;
    if let Some(minor) = receipt.correction.as_ref().map(|one| one.beyond).filter(|minor| *minor > 0) {
        let currency = receipt.currency;
        put_on_worklist(work, WorkKind::Overridden { receipt: receipt.id, minor, currency })?;
    }
    cart.state = CartState::Done(receipt.id);
    ending::end_jobs(work, cart);
    ending::schedule_next_offer(work, cart)?;
    put_changed(work, cart)?;
    Ok(receipt)
}
